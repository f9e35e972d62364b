#!/usr/bin/env bash
# Time and memory grow with the length of a kernel, not with its square: diagnose on made code of 5,000 and of 20,000 instructions, much of it behind branches, in one outer loop.
# With samples, and without any, where the launch's counters are shared out over the code.  Processor time of the process alone, the least of three, so that a busy machine
# does not fail it: four times the code may take seven times as long (the square would take sixteen), and what rules ask about lanes nine times as long as all the rest
# (five; twenty where each of them asks anew for what can be kept).
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

make_long() { # make_long N plain|sampled|bare: N-HOW.json.gz, the fixture's first result with made code and samples; asked about lanes; as attached, without samples
  "$python" - "$(fixture_run)" "$1" "$2" <<'END'
import gzip, json, sys
path, n, how = sys.argv[1], int(sys.argv[2]), sys.argv[3]
run = json.load(gzip.open(path))
result = run["results"][0]
kernel = run["modules"][result["module"]]["kernels"][0]
body = [("STS [R{b}+{at}], R{a}", 10), ("LDS R{a}, [R{b}]", 24), ("ISETP.NE.AND P{p}, PT, R{a}, RZ, PT", 4), ("FMUL R{a}, R{a}, R{b}", 52), ("IMAD.WIDE R{a}, R{b}, 0x4, R{a}", 66),
        ("LOP3.LUT R{a}, R{a}, R{b}, RZ, 0xc0, !PT", 80), ("LDG.E R{a}, desc[UR4][R2.64+{at}]", 4), ("FFMA R{a}, R{b}, R{a}, R{b}", 108), ("IADD3 R{a}, R{a}, R{b}, RZ", 122)]
sass = [[0, "S2R R0, SR_TID.X", []], [16, "LDC.64 R2, c[0x0][0x210]", []], [32, "IMAD.WIDE R2, R0, 0x4, R2", []]]
for i in range(3, n - 2):
    turn, (text, other) = (i - 3) // len(body), body[(i - 3) % len(body)]
    text = text.format(p=turn % 4, a=4 + 2 * (i - 3) % 120, b=4 + (other - 4 + 6 * turn) % 120, at=hex(4 * (i % 500)))
    if i % 45 == 33:
        text = f"@P{turn % 4} BRA {hex(16 * min(n - 2, i + 4))}"
    sass.append([16 * i, text, [[0, 1 + i % 500]]])
kernel["sass"] = sass + [[16 * (n - 2), "@P5 BRA 0x30", []], [16 * (n - 1), "EXIT", []]]
run["results"], run["variants"] = [result], [run["variants"][result["variant"]]]
result["variant"], result["counts"] = 0, []
reasons = ["long_scoreboard", "wait", "barrier", "not_selected"]
result["samples"] = [[0, 0, 16 * i, reasons[i % 4], 1 + i % 7, i % 3] for i in range(0, n, 3)]
if how != "plain":
    result["metrics"].append({"name": "blocks_launched", "unit": "block", "source": "made", "value": 56})
if how == "bare":
    result["samples"], result["bytes_minimal"], run["variants"][0]["ladder"] = [], 0, "attached"
    del result["counts"]
with gzip.open(f"{n}-{how}.json.gz", "wt") as f:
    json.dump(run, f)
END
}

least_s() { # least_s FILE: processor seconds of a diagnosis, the least of three
  local TIMEFORMAT=%U
  for _ in 1 2 3; do { time "$NVFP4_PROF" diagnose "$1" >said 2>&1; } 2>&1; done | sort -n | head -n 1
}

make_long 20000 plain
plain=$(least_s 20000-plain.json.gz)
for how in sampled bare; do
  make_long 5000 $how
  make_long 20000 $how
  try diagnose 20000-$how.json.gz
  code 0
  says "advice"
  few=$(least_s 5000-$how.json.gz) many=$(least_s 20000-$how.json.gz)
  awk -v few="$few" -v many="$many" -v plain="$plain" 'BEGIN { exit !(many > 0 && many <= 7 * few + 0.1 && many <= 10 * plain + 0.1) }' ||
    bad "$how: 5,000 instructions take $few s of processor time and 20,000 take $many s, where $plain s do without questions about lanes"
done

finish
