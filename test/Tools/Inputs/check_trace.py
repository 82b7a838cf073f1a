"""Compares a trace of two-gpus.mlir with the report of the same run, and with the
emulator's timeline if there is one."""

import collections
import json
import sys

with open(sys.argv[1]) as file:
    events = json.load(file)["traceEvents"]
with open(sys.argv[2]) as file:
    report = json.load(file)

names = {
    (event["name"], event["pid"], event["tid"] if event["name"] == "thread_name" else 0):
        event["args"]["name"]
    for event in events
    if event["ph"] == "M"
}


def device(event):
    return names["process_name", event["pid"], 0]


def row(event):
    return names["thread_name", event["pid"], event["tid"]].split(" of ")[0]


spans = [event for event in events if event["ph"] == "X"]
by_kind = collections.defaultdict(list)
for span in spans:
    by_kind[span["cat"]].append(span)
    assert span["ts"] >= 0 and span["dur"] >= 0, span
assert set(by_kind) == {"kernel", "copy", "region", "wait", "staging", "load", "issue"}, set(by_kind)

# One span for each kernel and region of the report.
counts = collections.Counter((device(e), e["name"]) for e in by_kind["kernel"] + by_kind["region"])
assert counts == {
    (entry["device"], run["name"]): run["count"]
    for entry in report["devices"]
    for run in entry.get("kernels", []) + entry.get("regions", [])
}, counts

# One for each copy on every gpu that takes part, with its bytes.
copies = collections.Counter()
sizes = collections.Counter()
for span in by_kind["copy"]:
    arguments = span["args"]
    key = (row(span), span["name"], arguments["from"], arguments["to"])
    assert device(span) == arguments["to" if row(span) == "copy in" else "from"], span
    copies[key] += 1
    sizes[key] += arguments["bytes"]
for copy in report["copies"]:
    for end, kind in (("from", "copy out"), ("to", "copy in")):
        if copy[end] != "cpu:0":
            key = (kind, copy["value"], copy["from"], copy["to"])
            assert copies.pop(key) == copy["count"], key
            assert sizes[key] == copy["bytes"], key
assert not copies, copies

for span in by_kind["kernel"]:
    assert row(span).startswith("stream "), span
for span in by_kind["kernel"] + by_kind["copy"]:
    assert span["dur"] > 0, span

# Nothing on a row begins before the one above it has ended.
ends = {}
for span in spans:
    place = span["pid"], span["tid"]
    assert span["ts"] >= ends.get(place, 0) - 1e-6, span
    ends[place] = span["ts"] + span["dur"]


def overlaps(first, second):
    return first["ts"] < second["ts"] + second["dur"] and second["ts"] < first["ts"] + first["dur"]


# On a real clock it depends on how busy the machine is.
if len(sys.argv) > 3:
    work = [span for span in by_kind["kernel"] + by_kind["copy"] if row(span) != "copy out"]
    assert any(
        device(first) == "gpu:0" and device(second) == "gpu:1" and overlaps(first, second)
        for first in work
        for second in work
    ), "the gpus never work at the same time"

    # Every operation ends when the virtual clock says so.
    with open(sys.argv[3]) as file:
        operations = json.load(file)["operations"]
    kinds = {"copy in": "copy in", "copy peer": "copy in", "copy out": "copy out"}
    expected = sorted(
        (entry["device"], kinds.get(entry["kind"], "stream"), entry["end"] / 1e6)
        for entry in operations
    )
    got = sorted(
        (device(span), row(span).split()[0] if span["cat"] == "kernel" else row(span),
         span["ts"] + span["dur"])
        for span in by_kind["kernel"] + by_kind["copy"]
        if row(span) != "copy out" or span["args"]["to"] == "cpu:0"
    )
    assert len(got) == len(expected), (got, expected)
    for one, other in zip(got, expected):
        assert one[:2] == other[:2] and abs(one[2] - other[2]) < 0.002, (one, other)

# The counters of memory follow each other in time, and their largest is the peak.
levels = collections.defaultdict(list)
for event in events:
    if event["ph"] == "C":
        assert event["name"] == "memory" and event["args"]["bytes"] >= 0, event
        levels[device(event)].append((event["ts"], event["args"]["bytes"]))
for entry in report["devices"]:
    times = [time for time, _ in levels[entry["device"]]]
    assert times == sorted(times), times
    assert max((size for _, size in levels[entry["device"]]), default=0) == entry["peak_bytes"], entry["device"]
    assert sum(size > before for (_, before), (_, size) in zip([(0, 0)] + levels[entry["device"]], levels[entry["device"]])) <= entry["allocations"]
