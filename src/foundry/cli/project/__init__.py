"""The commands that manage a project, its sources and its log."""
