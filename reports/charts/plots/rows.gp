head_line = '{{title}}'
origin_line = '{{subtitle}}'
panels = {{panels}}
bars = {{bars}}
array shape[panels] = [{{#shapes}}{{^first}}, {{/first}}'{{text}}'{{/shapes}}]
width = {{width}}
row_height = {{row_height}}
name_width = {{name_width}}
margin = {{margin}}
# axis from, to, and the last value drawn, behind which there are labels: by panel
array range[3 * panels] = [{{ranges}}]

# --- layout, in pixels of the SVG ---
columns = panels < 3 ? panels : 3
rows = ceil(panels / 3.0)
head = 62; foot = {{foot}}; above = 26; below = 54
plot_height = bars * row_height + 10
panel_height = above + plot_height + below
height = head + rows * panel_height + foot
panel_width = (width - name_width) / real(columns)
left(p) = (name_width + (p - 1) % columns * panel_width) / width
right(p) = left(p) + (panel_width - margin) / width
top(p) = 1 - (head + (p - 1) / columns * panel_height + above) / real(height)
from(p) = range[3 * p - 2]
to(p) = range[3 * p - 1]
last(p) = range[3 * p]
# tics of a log axis: at every power of ten where it spans many
decades = '0.01 0.1 1 10 100 1000 10000 100000 1000000'
halves = '0.03 0.1 0.3 1 3 10 30 100 300 1000 3000 10000 30000 100000 300000'
thirds = '0.1 0.2 0.5 1 2 3 5 7 10 15 20 30 50 70 100 150 200 300 500 700 1000 2000 5000 10000'
log_tics(p) = to(p) / from(p) < 30 ? thirds : to(p) / from(p) > 1000 ? decades : halves
bottom(p) = top(p) - plot_height / real(height)
