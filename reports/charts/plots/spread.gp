# How far the timing samples of every kernel of one ladder lie from its time, a panel a shape, a row a kernel.  Redraw: gnuplot {{name}}.gp in
# this folder reads {{name}}.dat and writes {{name}}.svg and {{name}}.png.
reset
if (!exists("svg")) svg = '{{name}}.svg'
if (!exists("png")) png = '{{name}}.png'
if (!exists("passes")) passes = 2
dat = '{{name}}.dat'

# --- filled in by nvfp4-prof ---
{{>plots/rows.gp}}
set style line 1 lc rgb '#56B4E9' lw 1
set style line 2 lc rgb '#0072B2' lw 1.6
set style line 3 lc rgb '#D55E00' lw 2
set style line 11 lc rgb '#000000' lw 1 dt 2
set style fill solid 1.0 noborder
set datafile missing '?'
set yrange [0.35:bars + 0.65]
percent(x, middle) = (x / middle - 1) * 100
within(x, p) = x > last(p) ? last(p) : x < -last(p) ? -last(p) : x # what goes further would cross the numbers

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
  set xtics nomirror format '%+g' font 'DejaVu Sans,10'
  do for [p = 1:panels] {
    set lmargin at screen left(p)
    set rmargin at screen right(p)
    set tmargin at screen top(p)
    set bmargin at screen bottom(p)
    set xrange [from(p):to(p)]
    set xtics -20, last(p) > 6 ? 4 : last(p) > 2.5 ? 2 : 1, last(p)
    set title shape[p] offset 0, -0.4 font 'DejaVu Sans,12'
    set xlabel "sample against time (%)" offset 0, 0.3
    unset arrow
    set arrow from first 0, graph 0 to first 0, graph 1 nohead back ls 11
    at = p - 1
    plot dat index at using (within(percent($3, $2), p)):1:(within(percent($7, $2), p) - within(percent($3, $2), p)):(0) with vectors nohead ls 2, \
      dat index at using (within(percent($5, $2), p)):1:(within(percent($4, $2), p)):(within(percent($6, $2), p)):($1 - 0.3):($1 + 0.3) \
        with boxxyerror ls 1, \
      dat index at using (percent($5, $2)):($1 - 0.3):(0):(0.6) with vectors nohead ls 3, \
      dat index at using (percent($5, $2)):1:10 with labels hypertext point pt 5 ps 1.6 lc rgb '#ff000000', \
      dat index at using (to(p)):1:9 with labels right font 'DejaVu Sans,10', \
      for [i = 1:((p - 1) % columns == 0)] dat index at using (from(p)):1:8 with labels right offset -0.8, 0 \
        font 'DejaVu Sans,10'
    unset label 1
    unset label 2
  }
  # The legend has a strip of its own below the panels.
  unset title; unset xlabel; unset xtics; unset grid; unset border; unset arrow
  set xrange [0:1]
  set lmargin at screen 0.02; set rmargin at screen 0.98
  set tmargin at screen (foot - 6.0) / height; set bmargin at screen 4.0 / height
  set key center center vertical Left reverse maxrows 2 samplen 2.5 width 0 font 'DejaVu Sans,10'
  plot NaN with boxes ls 1 title 'half of the samples', NaN with lines ls 2 title '5th to 95th percentile', \
    NaN with lines ls 3 title 'median', NaN with lines ls 11 title "its time (µs at the right)"
  unset multiplot
}
set output
