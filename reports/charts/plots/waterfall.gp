# Time of every kernel of one ladder, a panel a shape; a bar reaches from the speed of light to the measured time, so its length is
# the factor that is left.  Redraw: gnuplot {{name}}.gp in this folder reads {{name}}.dat and writes {{name}}.svg and {{name}}.png.
reset
if (!exists("svg")) svg = '{{name}}.svg'
if (!exists("png")) png = '{{name}}.png'
dat = '{{name}}.dat'

# --- filled in by nvfp4-prof ---
{{>plots/rows.gp}}
sol_line = '{{sol_text}}'
# which parts a panel has
array rungs[panels] = [{{rungs}}]
array sides[panels] = [{{sides}}]
# µs, by panel: speed of light and read control (0: unknown)
array sol[panels] = [{{sols}}]
array read[panels] = [{{reads}}]
any_side = sum [p = 1:panels] sides[p]
any_sol = sum [p = 1:panels] sol[p] > 0
any_read = sum [p = 1:panels] read[p] > 0

# --- styles: colours by Okabe and Ito, told apart by the colour-blind ---
set style line 1 lc rgb '#0072B2' lw 1
set style line 2 lc rgb '#F5D08A' lw 1
set style line 11 lc rgb '#D55E00' lw 1.8 dt 1
set style line 12 lc rgb '#000000' lw 1.4 dt 2
set style fill solid 1.0 noborder
set datafile missing '?'
set logscale x
set yrange [0.35:bars + 0.65]

do for [pass = 1:strstrt(GPVAL_TERMINALS, 'pngcairo') ? 2 : 1] {
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
  do for [p = 1:panels] {
    set lmargin at screen left(p)
    set rmargin at screen right(p)
    set tmargin at screen top(p)
    set bmargin at screen bottom(p)
    set xrange [from(p):to(p)]
    set xtics nomirror () font 'DejaVu Sans,10'
    do for [t in log_tics(p)] { if (real(t) <= 1.3 * last(p)) { set xtics add (t real(t)) } }
    start = sol[p] > 0 ? sol[p] : from(p)
    set title shape[p] offset 0, -0.4 font 'DejaVu Sans,12'
    set xlabel 'time (µs, log scale)' offset 0, 0.3
    unset arrow
    if (sol[p] > 0) { set arrow from first sol[p], graph 0 to first sol[p], graph 1 nohead front ls 11 }
    if (read[p] > 0) { set arrow from first read[p], graph 0 to first read[p], graph 1 nohead front ls 12 }
    plot for [i = 1:rungs[p]] dat index p - 1 using ($2 == 1 ? $3 : NaN):1:(start):3:($1 - 0.36):($1 + 0.36) \
        with boxxyerror ls 1, \
      for [i = 1:sides[p]] dat index p - 1 using ($2 == 2 ? $3 : NaN):1:(start):3:($1 - 0.36):($1 + 0.36) \
        with boxxyerror ls 2, \
      dat index p - 1 using 4:1:7 with labels hypertext point pt 5 ps 1.6 lc rgb '#ff000000', \
      dat index p - 1 using 4:1:6 with labels left offset 0.6, 0 font 'DejaVu Sans,10', \
      for [i = 1:((p - 1) % columns == 0)] dat index p - 1 using (from(p)):1:5 with labels right offset -0.8, 0 \
        font 'DejaVu Sans,10'
    unset label 1
    unset label 2
  }
  # The legend has a strip of its own below the panels.
  unset title; unset xlabel; unset xtics; unset grid; unset border; unset arrow
  unset logscale x
  set xrange [0:1]
  set lmargin at screen 0.02; set rmargin at screen 0.98
  set tmargin at screen (foot - 6.0) / height; set bmargin at screen 4.0 / height
  set key center center vertical Left reverse maxrows 2 samplen 2.5 width -6 font 'DejaVu Sans,10'
  plot NaN with boxes ls 1 title '{{rung_name}}', NaN with boxes ls 2 title (any_side > 0 ? 'side step: tried and left' : ''), \
    NaN with lines ls 11 title (any_sol > 0 ? sol_line : ''), \
    NaN with lines ls 12 title (any_read > 0 ? 'control: reads the same bytes' : '')
  set logscale x
  unset multiplot
}
set output
