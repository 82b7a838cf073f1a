"""Where the operations of a program are, and what that costs."""

from __future__ import annotations

import json


def format_seconds(seconds: float) -> str:
    """Three digits and a unit: "12.3 us"."""
    for factor, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= factor:
            return f"{seconds / factor:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns" if seconds else "0"


def format_table(rows: list[tuple]) -> str:
    """Rows of texts in columns."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def _format_measured(op: dict) -> str:
    """An operation's share of what was measured; "~" before what is not its alone."""
    seconds = op.get("measured_seconds")
    if seconds is None:
        return ""
    return ("" if op["measured_alone"] else "~") + format_seconds(seconds)


class Placement:
    """A placement as docs/Compiler.md describes it; prints as a table.

    summary: the cost of one run in the cost model, and the number of copies.
    devices: names of the devices that were considered.
    operations: dictionaries with function, op, name, location, device, origin,
        explanation, and seconds (but for control flow). After a call of
        Program.measure also measured_seconds where there are any, and
        measured_alone: whether no other operation was measured together with it.
    copies: dictionaries with function, value, from, to, seconds, and bytes
        where the shape is static.
    measured: what a call took, longest first: dictionaries with device, nodes (the
        names of all operations that one loop or kernel works for), and seconds.
    """

    def __init__(self, text: str):
        content = json.loads(text)
        self.summary: str = content["summary"]
        self.devices: list[str] = content["devices"]
        self.operations: list[dict] = content["operations"]
        self.copies: list[dict] = content["copies"]
        self.measured: list[dict] = content.get("measured", [])

    def _rows(self):
        yield "op", "name", "device", "why", "bytes", "predicted", "measured"
        for op in self.operations:
            seconds = op.get("seconds")
            predicted = "" if seconds is None else format_seconds(seconds)
            yield op["op"], op["name"], op["device"], op["origin"], "", predicted, _format_measured(op)
        for copy in self.copies:
            yield (
                "copy",
                copy["value"],
                f"{copy['from']} to {copy['to']}",
                "",
                str(copy.get("bytes", "?")),
                format_seconds(copy["seconds"]),
                "",
            )

    def _notes(self):
        """What the column of measured times needs to be read."""
        if not self.measured:
            yield "measured: nothing yet; compile with mark_nodes=True, then program.measure(...) instead of program(...)"
        elif any(not op.get("measured_alone", True) for op in self.operations):
            yield "~ of a loop or kernel that works for several operations, divided as predicted"

    def __str__(self):
        return "\n".join([format_table(list(self._rows())), self.summary, *self._notes()])

    __repr__ = __str__
