#!/usr/bin/env python3
"""Times from code alone against the means that authors published for a B200 (`//! published:`), as docs/model.md has them: published.py NVFP4_PROF TREE."""
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys

program, tree = sys.argv[1:3]
published = {}
for rung in sorted(pathlib.Path(tree, "kernels").glob("*/*.cu")):
    for line in rung.read_text().splitlines():
        if found := re.match(r"//! published:\s+B200 ~?([\d.]+) us geomean", line):
            published[f"{rung.parent.name}-{rung.stem}"] = float(found[1]) * 1e-6
command = [program, "diagnose", "--static", "--variant", ",".join(published), "--target", "sm_100a", "--shape", "bench", "--json"]
diagnoses = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["diagnoses"]
ratios, held = [], 0
for variant, seconds in published.items():
    of = [x for x in diagnoses if x["variant"] == variant]
    if not of or any(x["time_s"] is None for x in of):
        print(f"{variant}: no time")
        continue
    mean, low, high = (math.exp(statistics.fmean(math.log(x[key]) for x in of)) for key in ("time_s", "time_low_s", "time_high_s"))
    ratios.append(seconds / mean)
    held += low <= seconds <= high
    print(f"{variant}: published {seconds * 1e6:.1f} us, {seconds / mean:.2f} times the modelled {mean * 1e6:.1f} us")
print(f"{held} of {len(ratios)} in the interval; {statistics.median(ratios):.2f} times in the median")
