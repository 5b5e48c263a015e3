"""What API and command line show as JSON. No framework is imported here: a command starts in no time."""
