# Roofline of one ladder, a panel a shape.  Redraw: gnuplot {{name}}.gp in this folder reads {{name}}.dat and writes
# {{name}}.svg and {{name}}.png.
reset
if (!exists("svg")) svg = '{{name}}.svg'
if (!exists("png")) png = '{{name}}.png'
if (!exists("passes")) passes = 2
dat = '{{name}}.dat'

# --- filled in by nvfp4-prof ---
head_line = '{{title}}'
origin_line = '{{subtitle}}'
panels = {{panels}}
array panel_head[panels] = [{{#heads}}{{^first}}, {{/first}}'{{text}}'{{/heads}}]
# which parts a panel has
array rungs[panels] = [{{rungs}}]
array steps[panels] = [{{steps}}]
array sides[panels] = [{{sides}}]
array hangs[panels] = [{{hangs}}]
array reads[panels] = [{{reads}}]
# roofs of the level, by kind (datasheet, driver-derived, measured): y for one of x, by panel; 0: none
kinds = 3
array roof[kinds * panels] = [{{slopes}}]
array roof_name[kinds] = [{{#roof_names}}{{^first}}, {{/first}}'{{text}}'{{/roof_names}}]
array roof_style[kinds] = [11, 12, 13]
# a flat roof (0: none)
peak = {{peak}}
read_name = 'as fast as the read control'
rung_name = '{{rung_name}}'
# axis from, to, and the largest x drawn, by panel
array range[3 * panels] = [{{xranges}}]
set yrange [{{yrange}}]
width = {{width}}
plot_height = {{plot_height}}

# --- layout, in pixels of the SVG ---
columns = panels < 3 ? panels : 3
rows = ceil(panels / 3.0)
head = 62; foot = 74; above = 26; below = 52
row_height = above + plot_height + below
height = head + rows * row_height + foot
left(p) = ((p - 1) % columns * (width / columns) + 74.0) / width
right(p) = (((p - 1) % columns + 1) * (width / columns) - 10.0) / width
top(p) = 1 - (head + (p - 1) / columns * row_height + above) / real(height)
bottom(p) = top(p) - plot_height / real(height)

# --- styles: colours by Okabe and Ito, told apart by the colour-blind ---
set style line 1 lc rgb '#0072B2' lw 2 pt 7 ps 0.9
set style line 2 lc rgb '#E69F00' lw 1.5 pt 6 ps 1.0
set style line 3 lc rgb '#009E73' lw 1.5 pt 13 ps 1.4
set style line 4 lc rgb '#999999' lw 0.6
set style line 5 lc rgb '#E69F00' lw 0.8 dt 3
set style line 11 lc rgb '#000000' lw 1.4 dt 2
set style line 12 lc rgb '#D55E00' lw 1.4 dt 1
set style line 14 lc rgb '#56B4E9' lw 1.6 dt 1
set style line 13 lc rgb '#CC79A7' lw 1.8 dt 4
set style textbox opaque noborder fillcolor rgb '#ffffff' margins 0.3, 0.1
set datafile missing '?'
set logscale xy
# A roof may enter and leave a panel between two samples.
set samples 60
set clip two
decades = '0.001 0.01 0.1 1 10 100 1000 10000'
fifths = '0.01 0.02 0.05 0.1 0.2 0.5 1 2 5 10 20 50 100 200 500 1000'
roof_at(k, p) = roof[(p - 1) * kinds + k]
# the memory roof ends at the ridge
below(y) = peak > 0 && y > peak ? peak : y
has_roof(k) = sum [p = 1:panels] roof_at(k, p) > 0
any_step = sum [p = 1:panels] steps[p]
any_side = sum [p = 1:panels] sides[p]
any_read = sum [p = 1:panels] reads[p]

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
  set border 3 lc rgb '#555555'
  # Six digits would run into the axis' name.
  set ytics nomirror (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, '10k' 10000, '20k' 20000, '50k' 50000, \
    '100k' 100000, '200k' 200000, '500k' 500000, '1M' 1000000, '2M' 2000000) font 'DejaVu Sans,10'
  set grid xtics ytics lt 1 lc rgb '#dcdcdc' lw 0.7
  do for [p = 1:panels] {
    set lmargin at screen left(p)
    set rmargin at screen right(p)
    set tmargin at screen top(p)
    set bmargin at screen bottom(p)
    set xrange [range[3 * p - 2]:range[3 * p - 1]]
    set xtics nomirror () font 'DejaVu Sans,10'
    do for [t in (range[3 * p - 1] / range[3 * p - 2] > 300 ? decades : fifths)] {
      if (real(t) < 6 * range[3 * p]) { set xtics add (t real(t)) }
    }
    set title panel_head[p] offset 0, -0.4 font 'DejaVu Sans,12'
    set xlabel 'DRAM intensity (FLOP/byte)' offset 0, 0.3
    # A label, not an ylabel: the terminals disagree on where that goes under fixed margins.
    unset label 3
    if ((p - 1) % columns == 0) {
      set label 3 'performance (TFLOP/s)' at screen 12.0 / width, graph 0.5 center rotate by 90
    }
    unset arrow
    if ({{in_sight}}) { set arrow from graph 0, first peak to graph 1, first peak nohead back ls 14 }
    plot for [k = 1:kinds] roof_at(k, p) > 0 ? below(roof_at(k, p) * x) : NaN with lines ls roof_style[k], \
      dat index p - 1 using 1:2:($6 - $1):($7 - $2) with vectors nohead ls 4, \
      for [i = 1:steps[p]] dat index p - 1 using ($3 == 1 ? $4 : NaN):5:($1 - $4):($2 - $5) \
        with vectors head filled size screen 0.006, 20 ls 1, \
      for [i = 1:hangs[p]] dat index p - 1 using ($3 == 2 ? $4 : NaN):5:($1 - $4):($2 - $5) with vectors nohead ls 5, \
      for [i = 1:rungs[p]] dat index p - 1 using ($3 == 1 ? $1 : NaN):2 with points ls 1, \
      for [i = 1:sides[p]] dat index p - 1 using ($3 == 2 ? $1 : NaN):2 with points ls 2, \
      for [i = 1:reads[p]] dat index p - 1 using ($3 == 3 ? $1 : NaN):2 with points ls 3, \
      dat index p - 1 using 1:2:9 with labels hypertext point pt 7 ps 1.4 lc rgb '#ff000000', \
      dat index p - 1 using 6:7:8 with labels left boxed font 'DejaVu Sans,9'
    unset label 1
    unset label 2
  }
  unset label 3
  # The legend has a strip of its own below the panels.
  unset title; unset xlabel; unset xtics; unset ytics; unset grid; unset border; unset arrow
  set lmargin at screen 0.02; set rmargin at screen 0.98
  set tmargin at screen (foot - 6.0) / height; set bmargin at screen 4.0 / height
  set key center center vertical Left reverse maxrows 3 samplen 2.5 width 0 font 'DejaVu Sans,10'
  set xrange [1:2]
  plot for [k = 1:kinds] NaN with lines ls roof_style[k] title (has_roof(k) > 0 ? roof_name[k] : ''), \
    NaN with lines ls 14 title (peak > 0 ? '{{peak_name}}' : ''), \
    NaN with linespoints ls 1 title (any_step > 0 ? rung_name : ''), \
    NaN with points ls 1 title (any_step > 0 ? '' : rung_name), \
    NaN with points ls 2 title (any_side > 0 ? 'side step: tried and left' : ''), \
    NaN with points ls 3 title (any_read > 0 ? read_name : '')
  unset multiplot
}
set output
