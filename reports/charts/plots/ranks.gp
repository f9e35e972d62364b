# How far the time of every kernel and NVTX range of a rank lies from the median over ranks.  Redraw: gnuplot {{name}}.gp in this folder reads
# {{name}}.dat and writes {{name}}.svg and {{name}}.png.
reset
if (!exists("svg")) svg = '{{name}}.svg'
if (!exists("png")) png = '{{name}}.png'
if (!exists("passes")) passes = 2
dat = '{{name}}.dat'

# --- filled in by nvfp4-prof ---
head_line = '{{title}}'
origin_line = '{{subtitle}}'
axis_line = '{{axis}}'
columns = {{n_columns}}
rows = {{n_rows}}
kernels = {{n_kernels}}
numbered = {{numbered}}

# --- layout, in pixels of the SVG ---
width = {{width}}.0
head = 66
foot = 46
height = head + 22.0 * rows + foot

# blue is faster than the median, red slower: the colour-blind tell them apart
set palette defined (-50 '#2166ac', -20 '#92c5de', -4 '#f4f6f7', 4 '#f4f6f7', 20 '#f4a582', 50 '#b2182b')
set cbrange [-50:50]
unset key
shown(x) = x > 50 ? 50 : x < -50 ? -50 : x
ink(x) = abs(x) > 35 ? 0xffffff : 0x222222

do for [pass = 1:strstrt(GPVAL_TERMINALS, 'pngcairo') ? passes : 1] {
  if (pass == 1) {
    set terminal svg size width, height font 'DejaVu Sans,11' noenhanced background '#ffffff'
    set output svg
  } else {
    set terminal pngcairo size 2 * width, 2 * height font 'DejaVu Sans,11' fontscale 2 linewidth 2 noenhanced
    set output png
  }
  set label 1 head_line at screen 0.5, screen 1 - 20.0 / height center font 'DejaVu Sans,15'
  set label 2 origin_line at screen 0.5, screen 1 - 42.0 / height center font 'DejaVu Sans,10' textcolor rgb '#555555'
  set lmargin at screen 260.0 / width
  set rmargin at screen 1 - 120.0 / width
  set tmargin at screen 1 - head / height
  set bmargin at screen foot / height
  set border 0
  set xrange [-0.5:columns - 0.5]
  set yrange [rows - 0.5:-0.5]
  set xtics ({{{columns}}}) scale 0 font 'DejaVu Sans,10'
  set ytics ({{{rows}}}) scale 0 font 'DejaVu Sans,10'
  set xlabel axis_line offset 0, 0.4 font 'DejaVu Sans,10'
  set cbtics ('-50 %%' -50, '-25 %%' -25, 'median' 0, '+25 %%' 25, '+50 %%' 50) font 'DejaVu Sans,9'
  # lines part the time of all, the kernels and the ranges
  set arrow 1 from graph 0, first 0.5 to graph 1, first 0.5 nohead front lc rgb '#555555' lw 0.8
  set arrow 2 from graph 0, first kernels + 0.5 to graph 1, first kernels + 0.5 nohead front lc rgb '#555555' lw 0.8
  plot dat using 1:2:(shown($3)) with image pixels, \
    dat using 1:2:(numbered ? stringcolumn(4) : ''):(ink($3)) with labels textcolor rgb variable font 'DejaVu Sans,9', \
    dat using 1:2:(numbered || $1 > 0.8 * columns ? '' : stringcolumn(4)) with labels left offset 1, 0 font 'DejaVu Sans,9', \
    dat using 1:2:(numbered || $1 <= 0.8 * columns ? '' : stringcolumn(4)) with labels right offset -1, 0 font 'DejaVu Sans,9'
  unset output
}
