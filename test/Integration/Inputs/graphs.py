"""Calls compiled programs ten times, with graphs and without, in this process on
the emulator's virtual clock: the results are the same, a call with graphs makes
fewer calls of the driver and never takes longer, and nothing races.

usage: graphs.py LIBRARIES PROGRAM.so...     (PROGRAM.h lies beside each)
"""

import ctypes
import json
import sys

from faults import Program, check_clean, load_libraries

CALLS = 10


def read_graphs(runtime):
    """The report's counts of graphs, which start anew."""
    text = runtime.heteroReport()
    graphs = json.loads(ctypes.string_at(text))["graphs"]
    runtime.heteroFreeString(text)
    runtime.heteroResetReport()
    return graphs


def measure(program, runtime, emulator):
    """What one call gives, how many calls of the driver it makes, its time."""
    emulator.heteroEmulatorRestartClock()
    before = emulator.heteroEmulatorCalls(b"device-lost")
    status, error, values = program.call(runtime)
    assert status == 0, error
    calls = emulator.heteroEmulatorCalls(b"device-lost") - before
    return values, calls, emulator.heteroEmulatorHostTime()


def compare(program, runtime, emulator):
    """Calls of the driver without graphs and with, and the counts of graphs."""
    assert runtime.heteroUseGraphs(0) == 0
    expected, calls, time = [measure(program, runtime, emulator) for _ in range(CALLS)][-1]
    assert read_graphs(runtime)["launched"] == 0
    check_clean(runtime, emulator)
    assert runtime.heteroUseGraphs(1) == 0
    results = [measure(program, runtime, emulator) for _ in range(CALLS)]
    graphs = read_graphs(runtime)
    assert all(values == expected for values, _, _ in results), "a wrong result"
    steady = {each[1:] for each in results[3:]}
    assert len(steady) == 1, f"the calls differ: {steady}"
    [(with_graphs, time_with_graphs)] = steady
    assert with_graphs < calls, (with_graphs, calls)
    assert time_with_graphs <= time, (time_with_graphs, time)
    assert emulator.heteroEmulatorRaces() == 0
    check_clean(runtime, emulator)
    return calls, with_graphs, graphs


def main():
    runtime, emulator = load_libraries(sys.argv[1])
    emulator.heteroEmulatorHostTime.restype = ctypes.c_uint64
    emulator.heteroEmulatorRaces.restype = ctypes.c_uint64
    for path in sys.argv[2:]:
        program = Program(path)
        without, with_graphs, graphs = compare(program, runtime, emulator)
        launched = graphs["launched"] / (CALLS - 2)
        print(f"{program.name}: {launched:g} graphs of {graphs['operations']} operations; {without} calls of the driver, {with_graphs} with them")


main()
