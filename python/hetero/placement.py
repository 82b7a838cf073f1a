"""Where the operations of a program are, and what that costs."""

from __future__ import annotations

import json


def format_seconds(seconds: float) -> str:
    """Three digits and a unit: "12.3 us"."""
    for factor, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= factor:
            return f"{seconds / factor:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns" if seconds else "0"


class Placement:
    """A placement as docs/Compiler.md describes it; prints as a table.

    summary: the cost of one run in the cost model, and the number of copies.
    devices: names of the devices that were considered.
    operations: dictionaries with function, op, name, location, device, origin,
        explanation, and seconds (but for control flow).
    copies: dictionaries with function, value, from, to, seconds, and bytes
        where the shape is static.
    """

    def __init__(self, text: str):
        content = json.loads(text)
        self.summary: str = content["summary"]
        self.devices: list[str] = content["devices"]
        self.operations: list[dict] = content["operations"]
        self.copies: list[dict] = content["copies"]

    def _rows(self):
        yield "op", "name", "device", "why", "bytes", "predicted"
        for op in self.operations:
            seconds = op.get("seconds")
            yield op["op"], op["name"], op["device"], op["origin"], "", "" if seconds is None else format_seconds(seconds)
        for copy in self.copies:
            yield (
                "copy",
                copy["value"],
                f"{copy['from']} to {copy['to']}",
                "",
                str(copy.get("bytes", "?")),
                format_seconds(copy["seconds"]),
            )

    def __str__(self):
        rows = list(self._rows())
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        return "\n".join(lines + [self.summary])

    __repr__ = __str__
