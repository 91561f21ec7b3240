"""Taking out of transcripts what says who somebody is, and putting it back: rules, lists of names, no model."""
