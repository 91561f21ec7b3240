"""Exporters: sessions out into the formats that other programs, and our own importers, read back."""

from turnwise.engine.exporters.turnwise_jsonl import as_transcript, export_jsonl

__all__ = ["as_transcript", "export_jsonl"]
