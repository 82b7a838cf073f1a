"""Compares the times of source nodes with those of the regions that they are parts of.

node-times.py REPORT.json OUTPUT NODE ...: the report of a run with --report-nodes, what it
printed, and the names of all nodes that take time.
"""

import json
import pathlib
import re
import sys

report = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
printed = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
wanted = set(sys.argv[3:])

total, seen = 0.0, set()
for device in report["devices"]:
    for work in device.get("regions", []) + device.get("kernels", []):
        parts = sum(part["seconds"] for part in work["parts"])
        # Parts are whole nanoseconds of the same execution.
        assert abs(parts - work["seconds"]) < 0.5e-9, (work["name"], parts, work["seconds"])
        assert work["measured"] == work["count"], work
        total += work["seconds"] * work["measured"]
        seen.update(node for part in work["parts"] for node in part["nodes"])
assert wanted <= seen, f"nothing is said of {wanted - seen}"

calls = int(re.search(r"time: (\d+) calls", printed).group(1)) + 1
sum_printed = float(re.search(r"operations of the source, ([0-9.]+) us in all", printed).group(1))
rows = [float(time) for time in re.findall(r"^ +([0-9.]+) us +[0-9.]+ %", printed, re.MULTILINE)]
assert abs(sum_printed - total / calls * 1e6) < 0.1, (sum_printed, total, calls)
assert abs(sum_printed - sum(rows)) < 0.06 * len(rows), (sum_printed, rows)
assert rows == sorted(rows, reverse=True), rows
print(f"{len(rows)} rows")
