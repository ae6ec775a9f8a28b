"""The rules that make the corpora: clean documents from themes, and faults planted into them. None imports a check."""
