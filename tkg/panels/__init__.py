"""Panels of controls for notebooks that play games in bulk and show what came of it, as pictures and in words."""
