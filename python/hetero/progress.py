"""What takes long says so: a bar on a terminal, lines otherwise."""

from __future__ import annotations

import contextlib
import sys
import threading
import time

# What takes less says nothing.
SECONDS = 2.0
_WIDTH = 20


class Phases(dict):
    """Seconds by phase, in the order in which they were."""

    def __str__(self):
        return "\n".join(f"{name:8} {seconds:.3f} s" for name, seconds in self.items())


def _draw_bar(text: str, seconds: float) -> None:
    """How much is left is not known: a mark that moves."""
    place = int(seconds * 4) % (2 * _WIDTH)
    place = min(place, 2 * _WIDTH - place - 1)
    bar = "".join("#" if abs(i - place) < 2 else "-" for i in range(_WIDTH))
    print(f"\r{text} [{bar}] {seconds:.0f} s", end="", file=sys.stderr, flush=True)


def _show(text: str, start: float, is_done: threading.Event) -> None:
    """Runs beside what takes long, from when it has taken long."""
    if is_done.wait(SECONDS):
        return
    if not sys.stderr.isatty():
        print(f"{text} ...", file=sys.stderr, flush=True)
        is_done.wait()
        print(f"{text}: {time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)
        return
    while not is_done.wait(0.25):
        _draw_bar(text, time.monotonic() - start)
    print("\r\033[K", end="", file=sys.stderr, flush=True)


@contextlib.contextmanager
def phase(text: str, phases: dict | None = None, name: str = ""):
    """Shows that something is going on, and adds its seconds to `phases` under `name`."""
    start, is_done = time.monotonic(), threading.Event()
    thread = threading.Thread(target=_show, args=(text, start, is_done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_done.set()
        thread.join()
        if phases is not None:
            phases[name] = phases.get(name, 0.0) + time.monotonic() - start
