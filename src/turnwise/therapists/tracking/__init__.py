"""What the Socratic therapist keeps track of beside stance and edge: needs, levels, limits. All its own models."""
