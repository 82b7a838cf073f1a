"""Writes report.md: for people, and lines 'hetero-gpu-check KEY ...' for programs."""

import json

from gpu_check_device import PINNED_BYTES


def escape(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(map(escape, row)) + " |" for row in rows] + [""]


def figure_row(figure):
    rate = f"{figure.rate(figure.seconds):.3g} {figure.unit}" if figure.seconds else ""
    reference = f"{figure.rate(figure.reference):.3g} {figure.unit}" if figure.reference else ""
    ratio = f"{figure.ratio():.2f}" if figure.ratio() else ""
    return figure.name, rate, reference, ratio, figure.of, figure.why


def describe(result):
    lines = ["# Check on a GPU", ""]
    lines += [f"- {name}: {value}" for name, value in result["machine"].items()]
    lines += ["", "## Tests", ""]
    counts = {status: sum(s == status for _, s, _ in result["tests"]) for status in ("passed", "failed", "skipped")}
    lines += [", ".join(f"{count} {status}" for status, count in counts.items()) + f", {len(result['left_out'])} left out of the bundle", ""]
    lines += table(["test", "status", "reason"], sorted(result["tests"], key=lambda row: (row[1] != "failed", row[1] != "skipped")))
    lines += ["## Rates", "", "The fastest of the calls; the ratio is the rate by that of the reference, more is better.", ""]
    lines += table(["copy of the driver", "GB/s"], [(name, f"{PINNED_BYTES / seconds / 1e9:.1f}") for name, seconds in result["copies"].items()])
    lines += table(["case", "rate", "reference", "ratio", "of", "note"], map(figure_row, result["figures"]))
    lines += [f"- {note}" for note in result["notes"]]
    lines += ["", "## Left out of the bundle", "", *table(["test", "reason"], result["left_out"])]
    return lines


def machine_lines(result):
    """One JSON object a line."""
    for name, value in result["machine"].items():
        yield {"machine": name, "value": value}
    for name, status, reason in result["tests"]:
        yield {"test": name, "status": status, "reason": reason}
    for name, seconds in result["copies"].items():
        yield {"copy": name, "seconds": seconds, "bytes": PINNED_BYTES}
    for figure in result["figures"]:
        yield {"figure": figure.name, "seconds": figure.seconds, "reference": figure.reference, "of": figure.of, "ratio": figure.ratio(), "why": figure.why}


def write(path, result):
    lines = [*describe(result), "## For programs", "", "```text"]
    lines += ["hetero-gpu-check " + json.dumps(line) for line in machine_lines(result)]
    with open(path, "w") as file:
        file.write("\n".join([*lines, "```", ""]))
