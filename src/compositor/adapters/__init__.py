"""Adapters: the outside world behind the ports. The only floor where heavy libraries are imported."""
