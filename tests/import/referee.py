"""Every value of reports as rep_values reads it against NVIDIA's own reader: referee.py REP_VALUES FILE.ncu-rep[.gz]...; 77 where that is not installed."""
import gzip
import subprocess
import sys
import tempfile

try:
    import ncu_report
except ImportError:
    print("SKIPPED: NVIDIA's reader of reports, the Python package ncu-report, is not here: scripts/setup --dev fetches it")
    sys.exit(77)


def same(ours, theirs):
    if isinstance(theirs, str):
        return ours == theirs
    ours = float(ours)
    return ours == theirs or (ours != ours and theirs != theirs)


def compare(program, path):
    values = {}
    for line in subprocess.run([program, path], check=True, capture_output=True, text=True).stdout.splitlines():
        launch, metric, value = line.split("\t", 2)
        values[int(launch), metric] = value
    with tempfile.NamedTemporaryFile(suffix=".ncu-rep") as plain:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
            plain.write(f.read())
        plain.flush()
        report = ncu_report.load_report(plain.name)
        compared = unequal = launch = 0
        for r in range(report.num_ranges()):
            part = report.range_by_idx(r)
            for a in range(part.num_actions()):
                action = part.action_by_idx(a)
                for name in action.metric_names():
                    if (launch, name) not in values:
                        continue  # a list alone: the reader gives it a value of 0
                    compared += 1
                    theirs = action.metric_by_name(name).value()
                    if not same(values.pop((launch, name)), theirs):
                        unequal += 1
                        print(f"{path}: launch {launch}: {name}: not {theirs}")
                launch += 1
    for launch, name in values:
        print(f"{path}: launch {launch}: {name} is not in NVIDIA's reading")
    print(f"{path}: {compared} values compared, {unequal} unequal, {len(values)} of ours alone")
    return compared > 0 and not unequal and not values


sys.exit(not all([compare(sys.argv[1], path) for path in sys.argv[2:]]))
