"""The settings, a section a class and a file for those that belong together."""
