"""The rules of docs/Design/House.md and the slips that no compiler finds."""
