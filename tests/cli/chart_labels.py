"""The labels of a roofline chart have room between its points and the ends of its axis: chart_labels.py FOLDER/NAME.gp...

Prints what is wrong and exits 1.  A character is at most 7.2 px wide in the mean of a label: 13 of them were measured at 92 px."""
import math
import re
import sys

CHARACTER_PX = 7.2
SIDES_PX = 84  # of a panel, beside its axes


def numbers(script, name):
    return [float(x) for x in re.search(rf"^array {name}\[.*?\] = \[(.*)\]", script, re.M).group(1).split(",")]


def faults(path):
    with open(path, encoding="utf-8") as f:
        script = f.read()
    with open(path[: -len("gp")] + "dat", encoding="utf-8") as f:
        blocks = [b for b in f.read().split("\n\n\n") if b.strip()]
    panels = int(re.search(r"^panels = (\d+)", script, re.M).group(1))
    width = float(re.search(r"^width = (\d+)", script, re.M).group(1)) / min(panels, 3) - SIDES_PX
    ranges = numbers(script, "range")
    if len(blocks) != panels:
        yield f"{len(blocks)} blocks for {panels} panels"
    for p, block in enumerate(blocks):
        low, high = ranges[3 * p], ranges[3 * p + 1]
        for line in block.splitlines():
            if not line or line.startswith("#"):
                continue
            at, label = re.match(r'\S+ \S+ \S+ \S+ \S+ (\S+) \S+ "(.*?)" ', line).groups()
            room = math.log(high / float(at)) / math.log(high / low) * width
            if room < CHARACTER_PX * len(label):
                yield f"panel {p + 1}: {label} has {room:.0f} px"


wrong = [f"{path}: {fault}" for path in sys.argv[1:] for fault in faults(path)]
print("\n".join(wrong))
sys.exit(bool(wrong))
