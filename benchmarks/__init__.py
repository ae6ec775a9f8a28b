"""Speed and memory, measured as ratios and processor time in one run; `python3 dev.py bench` runs them."""
