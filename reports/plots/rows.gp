head_line = @TITLE@
origin_line = @SUBTITLE@
panels = @PANELS@
bars = @BARS@
array shape[panels] = [@SHAPES@]
width = @WIDTH@
row_height = @ROW_HEIGHT@
name_width = @NAME_WIDTH@
margin = @MARGIN@

# --- layout, in pixels of the SVG ---
columns = panels < 3 ? panels : 3
rows = ceil(panels / 3.0)
head = 62; foot = @FOOT@; above = 26; below = 54
plot_height = bars * row_height + 10
panel_height = above + plot_height + below
height = head + rows * panel_height + foot
panel_width = (width - name_width) / real(columns)
left(p) = (name_width + (p - 1) % columns * panel_width) / width
right(p) = left(p) + (panel_width - margin) / width
top(p) = 1 - (head + (p - 1) / columns * panel_height + above) / real(height)
bottom(p) = top(p) - plot_height / real(height)
