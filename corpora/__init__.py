"""Corpora: clean documents and planted faults, and the rules that made them."""
