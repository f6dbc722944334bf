"""The tests of Standby, by room."""
