# What each type of matrix instruction reaches, and how long its kernel takes to compile, a row a type.  Redraw: gnuplot mma.gp in this folder
# reads mma.dat and writes mma.svg and mma.png.
reset
if (!exists("svg")) svg = 'mma.svg'
if (!exists("png")) png = 'mma.png'
if (!exists("passes")) passes = 2
dat = 'mma.dat'

# --- filled in by nvfp4-prof ---
head_line = '{{title}}'
origin_line = '{{subtitle}}'
types = {{types}}
# which panels there are, and which series
rates = {{rates}}
times = {{times}}
library = {{library}}
nvcc = {{nvcc}}
width = {{width}}
row_height = {{row_height}}

# --- layout, in pixels of the SVG ---
names = 150; gap = 34; head = 62; below = 54; foot = 30
plot_height = types * row_height + 10
height = head + plot_height + below + foot
panels = rates + times
# rates are given twice the room of times
share(p) = panels == 1 ? 1.0 : p == 1 ? 0.62 : 0.38
left(p) = (names + (p == 1 ? 0 : (width - names) * share(1))) / real(width)
right(p) = left(p) + ((width - names) * share(p) - gap) / real(width)

# --- styles: colours by Okabe and Ito, told apart by the colour-blind, and every series has its own mark ---
set style line 1 lc rgb '#0072B2' lw 1.6 pt 7 ps 0.8
set style line 2 lc rgb '#009E73' lw 1.6 pt 9 ps 0.9
set style line 3 lc rgb '#D55E00' lw 1.6 pt 5 ps 0.7
set style line 4 lc rgb '#555555' lw 1.6 pt 2 ps 0.8
set style line 5 lc rgb '#CC79A7' lw 1.6 pt 7 ps 0.8
set style line 6 lc rgb '#E69F00' lw 1.6 pt 5 ps 0.7
set datafile missing '?'
set yrange [0.35:types + 0.65]

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
  set tmargin at screen 1 - head / real(height)
  set bmargin at screen (below + foot) / real(height)
  set border 1 lc rgb '#555555'
  set grid xtics ytics lt 1 lc rgb '#dcdcdc' lw 0.7
  set xtics nomirror font 'DejaVu Sans,10'
  set xrange [0:*]
  set key at screen 0.5, screen 20.0 / height center center horizontal samplen 1 font 'DejaVu Sans,10'
  if (rates) {
    set lmargin at screen left(1)
    set rmargin at screen right(1)
    set ytics scale 0 nomirror ()
    set xlabel 'TFLOP/s (TOP/s of integers)' offset 0, 0.3
    set key at screen (left(1) + right(1)) / 2, screen 20.0 / height
    plot dat using (0):1:ytic(2) with dots lc rgb '#ff000000' notitle, \
      dat using 6:1 with points ls 4 title 'datasheet', \
      for [i = 1:library] dat using 5:1 with points ls 3 title 'cuBLAS', \
      dat using 4:1 with points ls 2 title 'mma.sync alone', \
      dat using 3:1 with points ls 1 title 'product'
    unset label 1
    unset label 2
  }
  if (times) {
    set lmargin at screen left(rates + 1)
    set rmargin at screen right(rates + 1)
    set ytics scale 0 nomirror ()
    set xlabel 'cold compile (s)' offset 0, 0.3
    set key at screen (left(rates + 1) + right(rates + 1)) / 2, screen 20.0 / height
    label_of(name) = rates ? '' : name
    plot dat using (0):1:ytic(label_of(stringcolumn(2))) with dots lc rgb '#ff000000' notitle, \
      dat using 7:1 with points ls 5 title 'NVRTC', \
      for [i = 1:nvcc] dat using 8:1 with points ls 6 title 'nvcc'
    unset label 1
    unset label 2
  }
  unset multiplot
}
set output
