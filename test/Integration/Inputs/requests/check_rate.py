"""Compares the rate of requests with the predicted one: check_rate.py REPORT.json LEAST MOST [BUSIEST]

BUSIEST is the device or link that is predicted to limit the rate; it has to be
busy for nine tenths of the time."""

import json
import sys

least, most = map(float, sys.argv[2:4])
with open(sys.argv[1], encoding="utf-8") as file:
    requests = json.load(file)["requests"]
ratio = requests["per_second"] / requests["predicted_per_second"]
print(f"{requests['count']} requests, {requests['in_flight']} at once: {ratio:.3f} of the predicted rate")
for load in requests["loads"]:
    print(load)
if not least <= ratio <= most:
    sys.exit(f"expected {least} to {most} of the predicted rate, got {ratio:.4f}")
if len(sys.argv) > 4:
    busiest = max(requests["loads"], key=lambda load: load["predicted_seconds"])
    name = next(busiest[key] for key in ("device", "link", "engine") if key in busiest)
    if name != sys.argv[4] or busiest["busy"] < 0.9:
        sys.exit(f"expected {sys.argv[4]} to be the busiest, got {busiest}")
