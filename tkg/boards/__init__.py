"""ipywidgets around games and studies, for notebooks. What draws charts is loaded when it is asked for, and not with a board."""
