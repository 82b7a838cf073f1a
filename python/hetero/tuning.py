"""How the placement of a program was tuned."""

from __future__ import annotations

import json

from hetero.placement import format_seconds, format_table


class Tuning:
    """The placements that were measured; prints as a table.

    placements: dictionaries with name ("round 1", "all on gpu:0"), round (whether it was placed by cost),
        predicted_seconds and measured_seconds of the parts of a call, call_seconds (the shortest call as it
        runs), counts, and of each part, in operations, copies, links and devices: name, where, predicted_seconds,
        measured_seconds. What could not be measured has failure instead.
    kept: the name of the placement that the program has.
    settled: whether placing by what was measured changes nothing any more.
    profile: what was measured, the text of a file for the option profile.
    """

    def __init__(self, text: str):
        content = json.loads(text)
        self.kept: str = content["kept"]
        self.settled: bool = content["settled"]
        self.profile: str = content["profile"]
        self.placements: list[dict] = content["placements"]

    def _rows(self):
        yield "placement", "predicted", "measured", "error", "a call", "operations"
        for placement in self.placements:
            if "failure" in placement:
                yield placement["name"], "", "", "", "", placement["failure"]
                continue
            predicted, measured = placement["predicted_seconds"], placement["measured_seconds"]
            yield (
                placement["name"],
                format_seconds(predicted),
                format_seconds(measured),
                f"{(predicted / measured - 1) * 100:+.1f} %" if measured else "",
                format_seconds(placement["call_seconds"]),
                placement["counts"],
            )

    def __str__(self):
        state = "nothing changes any more" if self.settled else "not settled"
        return "\n".join([format_table(list(self._rows())), f"kept {self.kept}, {state}"])

    __repr__ = __str__
