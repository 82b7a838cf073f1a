"""Checks pages that hetero-translate --placement-to-html wrote, each by itself
or, before a colon, with the report of hetero-place for the same module."""

import json
import sys

import placement_memory
import placement_page

for argument in sys.argv[1:]:
    page, _, report = argument.partition(":")
    with open(page) as file:
        data = placement_page.read(file.read())
    price = placement_page.check_price(data)
    placement_page.check_layout(data)
    peaks = placement_memory.Memory(data["memory"], price.problem, price).peaks
    expected = [int(load["memory"]) for load in data["solution"]["loads"]]
    assert peaks == expected, f"memory: expected {expected}, got {peaks}"
    bound = int(data["solution"]["lowerBound"])
    if report:
        with open(report) as file:
            expected = json.load(file)
        assert price.cost == round(expected["cost_seconds"] * 1e12), "the price is not that of the report"
        assert price.copies == expected["copies"], "the copies are not those of the report"
        assert bound == round(expected["lower_bound_seconds"] * 1e12), "the bound is not that of the report"
    print(f"{len(placement_page.column(data['problem']['nodes']['kind']))} nodes, price and memory as computed")
