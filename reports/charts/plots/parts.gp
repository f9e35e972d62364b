# Several quantities of every kernel of one ladder, a panel a shape, a row a kernel.  Redraw: gnuplot {{name}}.gp in this folder reads {{name}}.dat
# and writes {{name}}.svg and {{name}}.png.
reset
if (!exists("svg")) svg = '{{name}}.svg'
if (!exists("png")) png = '{{name}}.png'
if (!exists("passes")) passes = 2
dat = '{{name}}.dat'

# --- filled in by nvfp4-prof ---
{{>plots/rows.gp}}
axis = '{{axis}}'
# end to end, or dots, and these on a log axis or on a linear one
stacked = {{stacked}}
logarithmic = {{logarithmic}}
parts = {{parts}}
array colour[parts] = [{{colours}}]
array point[parts] = [{{points}}]
array part[parts] = [{{#titles}}{{^first}}, {{/first}}'{{text}}'{{/titles}}]
# a reference drawn across (0: none)
line = {{line}}
line_name = '{{line_name}}'
legend_rows = parts > 6 ? 4 : 3

set style line 11 lc rgb '#000000' lw 1.4 dt 2
set style fill solid 1.0 noborder
set datafile missing '?'
if (logarithmic) { set logscale x }
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
    if (!logarithmic) {
      step = 10 ** floor(log10(last(p) / 2.5))
      step = last(p) / step > 12 ? 5 * step : last(p) / step > 5 ? 2 * step : step
      set xtics nomirror 0, step, 1.04 * last(p) font 'DejaVu Sans,10'
    } else {
      set xtics nomirror () font 'DejaVu Sans,10'
      do for [t in log_tics(p)] { if (real(t) <= 1.3 * last(p)) { set xtics add (t real(t)) } }
    }
    set title shape[p] offset 0, -0.4 font 'DejaVu Sans,12'
    set xlabel axis offset 0, 0.3
    unset arrow
    if (line > 0) { set arrow from first line, graph 0 to first line, graph 1 nohead back ls 11 }
    parts_at = 2 * (p - 1)
    names_at = 2 * (p - 1) + 1
    if (stacked) {
      end = last(p)
      shown(x) = x < end ? x : end
      plot dat index parts_at using 3:1:(shown($3)):(shown($4)):($1 - 0.36):($1 + 0.36):(colour[int($2)]) \
          with boxxyerror lc rgb variable, \
        dat index parts_at using ((shown($3) + shown($4)) / 2):1:5 with labels hypertext point pt 5 ps 1.2 lc rgb '#ff000000', \
        dat index names_at using (shown($2)):1:($2 > 1.001 * end ? '» ' . strcol(4) : strcol(4)) with labels left offset 0.6, 0 font 'DejaVu Sans,10', \
        for [i = 1:((p - 1) % columns == 0)] dat index names_at using (from(p)):1:3 with labels right \
          offset -0.8, 0 font 'DejaVu Sans,10'
    } else {
      shown(x) = x < last(p) ? x : last(p)
      plot dat index parts_at using (shown($4)):1:(1.1):(point[int($2)]):(colour[int($2)]) \
          with points ps variable pt variable lc rgb variable, \
        dat index parts_at using (shown($4)):1:5 with labels hypertext point pt 5 ps 1.4 lc rgb '#ff000000', \
        dat index names_at using (shown($2)):1:4 with labels left offset 1.2, 0 font 'DejaVu Sans,10', \
        for [i = 1:((p - 1) % columns == 0)] dat index names_at using (from(p)):1:3 with labels right \
          offset -0.8, 0 font 'DejaVu Sans,10'
    }
    unset label 1
    unset label 2
  }
  # The legend has a strip of its own below the panels.
  unset title; unset xlabel; unset xtics; unset grid; unset border; unset arrow
  unset logscale x
  set xrange [0:1]
  set lmargin at screen 0.02; set rmargin at screen 0.98
  set tmargin at screen (foot - 4.0) / height; set bmargin at screen 4.0 / height
  set key center center vertical Left reverse maxrows legend_rows samplen 1.6 width 0 font 'DejaVu Sans,10'
  if (stacked) {
    plot for [k = 1:parts] NaN with boxes lc rgb colour[k] title part[k]
  } else {
    plot for [k = 1:parts] NaN with points pt point[k] ps 1.1 lc rgb colour[k] title part[k], \
      NaN with lines ls 11 title line_name
  }
  if (logarithmic) { set logscale x }
  unset multiplot
}
set output
