# Where a warp's cycles go, by kernel of one ladder: a panel a shape, a row a kernel.  Redraw: gnuplot {{name}}.gp in this folder reads {{name}}.dat
# and writes {{name}}.svg and {{name}}.png.
reset
if (!exists("svg")) svg = '{{name}}.svg'
if (!exists("png")) png = '{{name}}.png'
if (!exists("passes")) passes = 2
dat = '{{name}}.dat'

# --- filled in by nvfp4-prof ---
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
bottom(p) = top(p) - plot_height / real(height)
parts = {{parts}}
array colour[parts] = [{{colours}}]
array part[parts] = [{{#titles}}{{^first}}, {{/first}}'{{text}}'{{/titles}}]

set style fill solid 1.0 noborder
set datafile missing '?'
set yrange [0.35:bars + 0.65]

do for [pass = 1:strstrt(GPVAL_TERMINALS, 'pngcairo') ? passes : 1] {
  if (pass == 1) {
    set terminal svg size width, height font 'DejaVu Sans,11' noenhanced background '#ffffff'
    set output svg
  } else {
    set terminal pngcairo size 2 * width, 2 * height font 'DejaVu Sans,11' fontscale 2 linewidth 2 pointscale 2 noenhanced
    set output png
  }
  set multiplot
  set label 1 head_line at screen 0.5, screen 1 - 20.0 / height center font 'DejaVu Sans,15'
  set label 2 origin_line at screen 0.5, screen 1 - 42.0 / height center font 'DejaVu Sans,10' textcolor rgb '#555555'
  unset key
  unset ytics
  set border 1 lc rgb '#555555'
  set grid xtics lt 1 lc rgb '#dcdcdc' lw 0.7
  set xtics nomirror font 'DejaVu Sans,10'
  do for [p = 1:panels] {
    set lmargin at screen left(p)
    set rmargin at screen right(p)
    set tmargin at screen top(p)
    set bmargin at screen bottom(p)
    set xrange [from(p):to(p)]
    step = 10 ** floor(log10(last(p) / 2.5))
    step = last(p) / step > 12 ? 5 * step : last(p) / step > 5 ? 2 * step : step
    set xtics nomirror 0, step, 1.04 * last(p) font 'DejaVu Sans,10'
    set title shape[p] offset 0, -0.4 font 'DejaVu Sans,12'
    set xlabel 'warp cycles per issued instruction' offset 0, 0.3
    parts_at = 2 * (p - 1)
    names_at = 2 * (p - 1) + 1
    end = last(p)
    shown(x) = x < end ? x : end
    plot dat index parts_at using 3:1:(shown($3)):(shown($4)):($1 - 0.36):($1 + 0.36):(colour[int($2)]) \
        with boxxyerror lc rgb variable, \
      dat index parts_at using ((shown($3) + shown($4)) / 2):1:5 with labels hypertext point pt 5 ps 1.2 lc rgb '#ff000000', \
      dat index names_at using (shown($2)):1:($2 > 1.001 * end ? '» ' . strcol(4) : strcol(4)) with labels left offset 0.6, 0 font 'DejaVu Sans,10', \
      for [i = 1:((p - 1) % columns == 0)] dat index names_at using (from(p)):1:3 with labels right \
        offset -0.8, 0 font 'DejaVu Sans,10'
    unset label 1
    unset label 2
  }
  # The legend has a strip of its own below the panels.
  unset title; unset xlabel; unset xtics; unset grid; unset border
  set xrange [0:1]
  set lmargin at screen 0.02; set rmargin at screen 0.98
  set tmargin at screen (foot - 4.0) / height; set bmargin at screen 4.0 / height
  set key center center vertical Left reverse maxrows 4 samplen 1.6 width 0 font 'DejaVu Sans,10'
  plot for [k = 1:parts] NaN with boxes lc rgb colour[k] title part[k]
  unset multiplot
}
set output
