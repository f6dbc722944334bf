"""The composition roots: the only places where the rooms are wired together."""
