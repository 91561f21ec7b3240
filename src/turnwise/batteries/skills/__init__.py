"""Skills: what each asks of the reply to a moment, one file each."""
