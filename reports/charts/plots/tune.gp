# What two parameters do to the time, a panel a shape; each cell is the least time over all other parameters.  Redraw: gnuplot tune.gp in this
# folder reads tune.dat and writes tune.svg and tune.png.
reset
if (!exists("svg")) svg = 'tune.svg'
if (!exists("png")) png = 'tune.png'
if (!exists("passes")) passes = 2
dat = 'tune.dat'

# --- filled in by nvfp4-prof ---
head_line = '{{title}}'
origin_line = '{{subtitle}}'
panels = {{panels}}
array shape[panels] = [{{#shapes}}{{^first}}, {{/first}}'{{text}}'{{/shapes}}]
array x_name[panels] = [{{#x_names}}{{^first}}, {{/first}}'{{text}}'{{/x_names}}]
array y_name[panels] = [{{#y_names}}{{^first}}, {{/first}}'{{text}}'{{/y_names}}]
array x_tics[panels] = [{{{x_tics}}}]
array y_tics[panels] = [{{{y_tics}}}]
array x_count[panels] = [{{x_counts}}]
array y_count[panels] = [{{y_counts}}]

# --- layout, in pixels of the SVG ---
columns = panels < 3 ? panels : 3
rows = ceil(panels / 3.0)
most = 1
do for [p = 1:panels] { most = y_count[p] > most ? y_count[p] : most }
head = 62; above = 30; below = 56
plot_height = 40 + 30 * most
panel_height = above + plot_height + below
panel_width = 400.0
width = columns * panel_width
height = head + rows * panel_height
left(p) = ((p - 1) % columns * panel_width + 80) / width
right(p) = ((p - 1) % columns * panel_width + panel_width - 20) / width
top(p) = 1 - (head + (p - 1) / columns * panel_height + above) / real(height)
bottom(p) = top(p) - plot_height / real(height)

# dark is slow: viridis turned round, which the colour-blind tell apart and which prints in grey
set palette defined (0 '#fde725', 1 '#7ad151', 2 '#22a884', 3 '#2a788e', 4 '#414487', 5 '#440154')
set datafile missing 'NaN'
unset colorbox
unset key
array least[panels]
array greatest[panels]
# before any range is set, which would leave points out
do for [p = 1:panels] {
  stats dat index p - 1 using 3 nooutput
  least[p] = STATS_min
  greatest[p] = STATS_max > STATS_min ? STATS_max : STATS_min * 1.01
}

do for [pass = 1:strstrt(GPVAL_TERMINALS, 'pngcairo') ? passes : 1] {
  if (pass == 1) {
    set terminal svg size width, height font 'DejaVu Sans,11' noenhanced background '#ffffff'
    set output svg
  } else {
    set terminal pngcairo size 2 * width, 2 * height font 'DejaVu Sans,11' fontscale 2 linewidth 2 noenhanced
    set output png
  }
  set multiplot
  set label 1 head_line at screen 0.5, screen 1 - 20.0 / height center font 'DejaVu Sans,15'
  set label 2 origin_line at screen 0.5, screen 1 - 42.0 / height center font 'DejaVu Sans,10' textcolor rgb '#555555'
  do for [p = 1:panels] {
    set lmargin at screen left(p)
    set rmargin at screen right(p)
    set tmargin at screen top(p)
    set bmargin at screen bottom(p)
    set title shape[p] . '   (µs)' font 'DejaVu Sans,11'
    set xlabel x_name[p]
    set ylabel y_name[p]
    unset xtics
    unset ytics
    eval 'set xtics (' . x_tics[p] . ') scale 0'
    if (strlen(y_tics[p]) > 0) { eval 'set ytics (' . y_tics[p] . ') scale 0' }
    set xrange [-0.5:x_count[p] - 0.5]
    set yrange [-0.5:y_count[p] - 0.5]
    low = least[p]
    high = greatest[p]
    set cbrange [low:high]
    dark(t) = (t - low) / (high - low) > 0.45 ? 0xffffff : 0x000000
    plot dat index p - 1 using 1:2:3 with image pixels, \
         '' index p - 1 using 1:2:4:(dark($3)) with labels textcolor rgb variable font 'DejaVu Sans,10'
    unset label 1
    unset label 2
  }
  unset multiplot
  unset output
}
