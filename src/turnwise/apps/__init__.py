"""Apps: the doors for people: command line, report, practice room. No logic of their own."""
