# Every kernel of one ladder, a row each: the bar is the mean over all shapes, a dot one shape, the line the control that reads the same bytes.
# Redraw: gnuplot {{name}}.gp in this folder reads {{name}}.dat and writes {{name}}.svg and {{name}}.png.
reset
if (!exists("svg")) svg = '{{name}}.svg'
if (!exists("png")) png = '{{name}}.png'
if (!exists("passes")) passes = 2
dat = '{{name}}.dat'

# --- filled in by nvfp4-prof ---
head_line = '{{title}}'
origin_line = '{{subtitle}}'
width = {{width}}
bars = {{bars}}
axis_title = '{{axis}}'
end = {{end}}
# of the control that reads the same bytes, on the axis (0: unknown), and what is said of it
read = {{read}}
read_line = '{{read_text}}'
any_rung = {{any_rung}}
any_side = {{any_side}}
any_dot = {{any_dot}}

# --- layout, in pixels of the SVG ---
row_height = 24; name_width = 170; bar_width = 470; head = 72; foot = 104
plot_height = bars * row_height + 6
height = head + plot_height + foot

# --- styles: colours by Okabe and Ito, told apart by the colour-blind ---
set style line 1 lc rgb '#0072B2' lw 1
set style line 2 lc rgb '#BFDDEE' lw 1
set style line 3 lc rgb '#0072B2' lw 1.2
set style line 4 lc rgb '#D55E00' pt 7 ps 0.42
set style line 12 lc rgb '#000000' lw 1.4 dt 2
set datafile missing '?'
set yrange [0.4:bars + 0.6]
set xrange [0:end]

do for [pass = 1:strstrt(GPVAL_TERMINALS, 'pngcairo') ? passes : 1] {
  if (pass == 1) {
    set terminal svg size width, height font 'DejaVu Sans,13' noenhanced background '#ffffff'
    set output svg
  } else {
    set terminal pngcairo size 2 * width, 2 * height font 'DejaVu Sans,13' fontscale 1.5 linewidth 2 pointscale 2 noenhanced
    set output png
  }
  set multiplot
  set label 1 head_line at screen 0.01, screen 1 - 20.0 / height left font 'DejaVu Sans,16'
  set label 2 origin_line at screen 0.01, screen 1 - 42.0 / height left font 'DejaVu Sans,13' textcolor rgb '#555555'
  unset key
  unset ytics
  set border 1 lc rgb '#555555'
  set grid xtics lt 1 lc rgb '#dcdcdc' lw 0.7
  set lmargin at screen name_width / real(width)
  set rmargin at screen (name_width + bar_width) / real(width)
  set tmargin at screen 1 - head / real(height)
  set bmargin at screen foot / real(height)
  set xtics nomirror font 'DejaVu Sans,13' {{tics}}
  set xlabel axis_title offset 0, 0.3 font 'DejaVu Sans,13'
  if (read > 0) { set arrow 1 from first read, graph 0 to first read, graph 1 nohead front ls 12 }
  plot for [i = 1:any_rung] dat index 0 using ($2 == 1 ? $3 : NaN):1:(0):3:($1 - 0.32):($1 + 0.32) \
      with boxxyerror fs solid 1.0 noborder ls 1, \
    for [i = 1:any_side] dat index 0 using ($2 == 2 ? $3 : NaN):1:(0):3:($1 - 0.32):($1 + 0.32) \
      with boxxyerror fs solid 1.0 noborder ls 2, \
    for [i = 1:any_side] dat index 0 using ($2 == 2 ? $3 : NaN):1:(0):3:($1 - 0.32):($1 + 0.32) \
      with boxxyerror fs empty border ls 3, \
    for [i = 1:any_dot] dat index 1 using 2:1:3 with labels hypertext point pt 7 ps 0.6 lc rgb '#ff000000', \
    for [i = 1:any_dot] dat index 1 using 2:1 with points ls 4, \
    dat index 0 using (0):1:4 with labels right offset -0.6, 0 font 'DejaVu Sans,13', \
    dat index 0 using (end):1:5 with labels left offset 1.2, 0 font 'DejaVu Sans,13', \
    dat index 0 using ($3 / 2):1:6 with labels hypertext point pt 5 ps 1.2 lc rgb '#ff000000'
  unset label 1
  unset label 2
  unset arrow 1
  # The legend has a strip of its own below the rows.
  unset xlabel; unset xtics; unset grid; unset border
  set xrange [0:1]
  set lmargin at screen 0.02; set rmargin at screen 0.98
  set tmargin at screen 52.0 / height; set bmargin at screen 2.0 / height
  set key center center vertical Left reverse maxrows 2 samplen 2.5 width -4 font 'DejaVu Sans,13'
  plot NaN with boxes fs solid 1.0 noborder ls 1 title (any_rung ? '{{bar_name}}' : ''), \
    NaN with boxes fs solid 1.0 border lc rgb '#0072B2' ls 2 title (any_side ? 'side step: tried and left' : ''), \
    NaN with points ls 4 title (any_dot ? 'one shape' : ''), \
    NaN with lines ls 12 title (read > 0 ? read_line : '')
  set xrange [0:end]
  unset multiplot
}
set output
