"""Importers: everybody's transcripts as a stream of sessions, recognised by content. One file each."""
