"""Checks the page that hetero-run --view wrote of two-gpus.mlir, or of a program
with a rule that cannot be met, and prints what there is."""

import sys

import placement_page

with open(sys.argv[1]) as file:
    text = file.read()
data = placement_page.read(text)
placement_page.check_price(data)
placement_page.check_layout(data)
view = data["view"]
strings = view["strings"]
operations = [strings[op] for op in placement_page.column(view["nodes"]["op"])]
rules = placement_page.column(view["nodes"]["rulesOp"])
for operation, seen in zip(operations, rules):
    if seen:
        print(f"{operation} is {strings[seen]} to rules")
for message in view["diagnostics"]:
    name = operations[message["node"]] if message["node"] >= 0 else "the program"
    print(f"{message['severity']} at {name}: {message['text']}")
timeline = placement_page.decode(data["timeline"])
events = timeline["events"]
for lane, node, name, length, start in sorted(
    set(zip(events["lane"], events["node"], events["name"], events["length"], events["start"]))
):
    assert length >= 0 and start >= 0
    what = operations[node] if node >= 0 else "nothing"
    print(f"{timeline['lanes'][lane]}: {strings[name]} belongs to {what}")
for level in timeline["memory"]:
    print(f"{data['problem']['devices'][level['device']]} has at most {max(placement_page.column(level['bytes']))} bytes")
    assert placement_page.column(level["time"]) == sorted(placement_page.column(level["time"]))
measured = timeline["measured"]
assert all(time > 0 for time in measured["ps"])
print("measured:", *(operations[node] for node in measured["node"]))
# All of the regions' time is that of some operation, divided by the calls.
total = sum(
    length
    for length, node, size, name in zip(events["length"], events["node"], events["bytes"], events["name"])
    if node >= 0 and size < 0
)
calls = int(sys.argv[2])
assert abs(sum(measured["ps"]) - 1000 * total / calls) <= len(measured["ps"]), (sum(measured["ps"]), total)
if 'id="against"' in text:
    other = placement_page.read(text, "against")
    placement_page.check_price(other)
    devices = zip(placement_page.column(data["solution"]["device"]), placement_page.column(other["solution"]["device"]))
    print("elsewhere:", *(operations[node] for node, (here, there) in enumerate(devices) if here != there))
