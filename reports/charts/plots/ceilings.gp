# Read bandwidth and latency of a memory hierarchy over the size of the working set.
# Redraw: gnuplot {{name}}.gp in this folder reads {{name}}.dat and writes {{name}}.svg and {{name}}.png.
reset
if (!exists("svg")) svg = '{{name}}.svg'
if (!exists("png")) png = '{{name}}.png'
if (!exists("passes")) passes = 2
dat = '{{name}}.dat'

# --- filled in by nvfp4-prof ---
head_line = '{{title}}'
origin_line = '{{subtitle}}'
panels = {{panels}}
# which panel each curve has (0: none)
bandwidth = {{bandwidth}}
latency = {{latency}}
past_l1 = {{past_l1}}
# MB; TB/s (0: unknown)
l2_size = {{l2_size}}
dram_bw = {{dram_bw}}
l2_bw = {{l2_bw}}
width = {{width}}
plot_height = {{plot_height}}

# --- layout, in pixels of the SVG ---
head = 66; below = 56; side = 64; gap = 16
height = head + plot_height + below
left(p) = (p - 1) / real(panels) + side / real(width)
right(p) = p / real(panels) - gap / real(width)

# --- styles: colours by Okabe and Ito, told apart by the colour-blind ---
set style line 1 lc rgb '#0072B2' lw 1.8 pt 7 ps 0.5
set style line 2 lc rgb '#CC79A7' lw 1.8 pt 5 ps 0.4
set style line 11 lc rgb '#D55E00' lw 1.4 dt 2
set style line 12 lc rgb '#009E73' lw 1.4 dt 4
set style line 13 lc rgb '#555555' lw 1.0 dt 3
set datafile missing '?'
set logscale xy

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
  set grid xtics ytics lt 1 lc rgb '#dcdcdc' lw 0.7
  set xtics nomirror (0.01, 0.1, 1, 10, 100, 1000, 10000)
  set tmargin at screen 1 - head / real(height)
  set bmargin at screen below / real(height)
  set xlabel 'working set (MB)'
  set xrange [*:*] noextend
  set yrange [*:*]
  if (l2_size > 0) { set arrow 1 from first l2_size, graph 0 to first l2_size, graph 1 nohead back ls 13 }
  if (l2_size > 0) { set label 3 'L2 size' at first l2_size, graph 0.04 right offset -0.5, 0 textcolor rgb '#555555' font 'DejaVu Sans,10' }
  if (bandwidth > 0) {
    set lmargin at screen left(bandwidth)
    set rmargin at screen right(bandwidth)
    set ylabel 'read bandwidth (TB/s)' offset 1, 0
    set ytics nomirror (0.1, 0.2, 0.5, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50, 100)
    set key top right font 'DejaVu Sans,10'
    plot dat index 0 using 1:2 with linespoints ls 1 title 'through L1', \
      for [i = 1:past_l1] dat index 2 using 1:2 with linespoints ls 2 title 'past L1 (ld.cg)', \
      for [i = 1:(l2_bw > 0)] l2_bw with lines ls 12 title sprintf('L2: %.2f TB/s', l2_bw), \
      for [i = 1:(dram_bw > 0)] dram_bw with lines ls 11 title sprintf('DRAM by slope: %.2f TB/s', dram_bw)
    unset label 1
    unset label 2
  }
  if (latency > 0) {
    set lmargin at screen left(latency)
    set rmargin at screen right(latency)
    set ylabel 'latency of a dependent load (ns)' offset 1, 0
    set ytics nomirror (5, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 400, 500, 700, 1000, 1500, 2000)
    unset key
    plot dat index 1 using 1:2 with linespoints ls 1 notitle
    unset label 1
    unset label 2
  }
  unset multiplot
}
set output
