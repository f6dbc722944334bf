"""The bounded look at a file, done inside a box because it parses bytes that strangers wrote."""
