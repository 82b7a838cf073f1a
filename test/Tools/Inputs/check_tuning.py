"""Checks what hetero-run --tune --report prints: the placement changes, no time rises, and predictions get better.

    check_tuning.py DEVICE [placement] < output

DEVICE is where the kept placement has more operations than the first round. With
`placement` only that is checked: microseconds of a real clock say no more."""

import re
import sys

SECONDS = r"(-?[0-9.]+) us"
ROW = re.compile(rf"^  (round \d+|all on \S+) +{SECONDS} +{SECONDS} +([-+][0-9.]+) % +{SECONDS} +(.*)$", re.M)


def counts_of(text):
    return {device: int(count) for device, count in (item.split() for item in text.split(", "))}


def factor_of(percent):
    """How often the larger one of prediction and measurement has the smaller one."""
    ratio = max(1 + float(percent) / 100, 1e-4)
    return max(ratio, 1 / ratio)


def main():
    device, text = sys.argv[1], sys.stdin.read()
    kept_name = re.search(r"^tuning: \d+ placements, .*, kept (.*)$", text, re.M).group(1)
    rows = [match.groups() for match in ROW.finditer(text)]
    names = [row[0] for row in rows]
    kept = rows[names.index(kept_name)]
    rounds = [row for row in rows if row[0].startswith("round")]
    first, last = rounds[0], rounds[-1]
    problems = []
    if counts_of(kept[5]).get(device, 0) <= counts_of(first[5]).get(device, 0):
        problems.append(f"the placement does not change: {first[5]} and {kept[5]}")
    if sys.argv[2:] == ["placement"]:
        print("\n".join(problems) or f"better: {first[3]} % to {last[3]} %, {first[4]} us to {kept[4]} us")
        return bool(problems)
    # Of a profile of all of it, the placement is what was kept.
    if counts_of(last[5]) != counts_of(kept[5]):
        problems.append(f"the last round is another placement: {last[5]} and {kept[5]}")
    slower = [row[0] for row in rows if float(row[4]) < float(kept[4])]
    if slower:
        problems.append(f"kept {kept_name}, and these are faster: {', '.join(slower)}")
    if factor_of(last[3]) >= factor_of(first[3]) / 2:
        problems.append(f"predictions do not get better: {first[3]} % and {last[3]} %")
    print("\n".join(problems) or f"better: {first[3]} % to {last[3]} %, {first[4]} us to {kept[4]} us")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
