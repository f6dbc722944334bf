"""Far ends of wires, for tests: real servers on sockets that are as strict as what they stand for."""
