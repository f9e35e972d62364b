# A metric over runs against each line's first run, a panel a shape and a line a variant; a circle marks a step that is larger than the noise.
# Redraw: gnuplot history.gp in this folder reads history.dat and writes history.svg and history.png.
reset
if (!exists("svg")) svg = 'history.svg'
if (!exists("png")) png = 'history.png'
if (!exists("passes")) passes = 2
dat = 'history.dat'

# --- filled in by nvfp4-prof ---
head_line = '{{title}}'
origin_line = '{{subtitle}}'
y_label = '{{ylabel}}'
panels = {{panels}}
runs = {{runs}}
array shape[panels] = [{{#shapes}}{{^first}}, {{/first}}'{{text}}'{{/shapes}}]
# lines of each panel; the blocks of the data and the names follow each other panel by panel
array lines[panels] = [{{lines}}]
array name[int(sum [p=1:panels] lines[p])] = [{{#names}}{{^first}}, {{/first}}'{{text}}'{{/names}}]

# --- layout, in pixels of the SVG ---
width = 960
head = 62; panel_height = 340
height = head + panels * panel_height
array first[panels]
first[1] = 0
do for [p = 2:panels] { first[p] = first[p - 1] + lines[p - 1] }

# --- styles: colours by Okabe and Ito, told apart by the colour-blind ---
array colour[7] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000']
set datafile missing '?'

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
  set border 3 lc rgb '#555555'
  set grid ytics lt 1 lc rgb '#dcdcdc' lw 0.7
  set lmargin at screen 0.09; set rmargin at screen 0.70
  set key at screen 0.72, graph 1 left top Left reverse samplen 2 font 'DejaVu Sans,10'
  set xrange [-0.3:runs - 0.7]
  set yrange [*<-2:2<*]
  set ylabel y_label offset 0.5, 0
  set ytics nomirror
  do for [p = 1:panels] {
    set tmargin at screen 1 - (head + (p - 1) * panel_height + 34.0) / height
    set bmargin at screen 1 - (head + p * panel_height - 84.0) / height
    set title shape[p] offset 0, -0.4 font 'DejaVu Sans,12'
    set xtics nomirror rotate by -30 left font 'DejaVu Sans,9'
    plot for [i = 1:lines[p]] dat index first[p] + i - 1 using 1:(100 * ($2 / $5 - 1)):xticlabels(4) with linespoints lw 1.6 pt 7 ps 0.5 \
        lc rgb colour[i] title name[first[p] + i], \
      for [i = 1:lines[p]] dat index first[p] + i - 1 using 1:($3 == 1 ? 100 * ($2 / $5 - 1) : NaN) with points pt 6 ps 1.6 \
        lc rgb colour[i] notitle
    unset label 1
    unset label 2
  }
  unset multiplot
}
set output
