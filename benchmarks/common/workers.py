"""Processes of their own for what may crash or hang."""

import signal
import subprocess
import threading

# How many times as long it may take on a machine that does other things.
PATIENCE = 10


def run(command, seconds, **options):
    """Runs a command that may use so many seconds of a processor; subprocess.TimeoutExpired says that it did not end."""
    limited = ["prlimit", f"--cpu={seconds}:{seconds + 5}", *command]
    done = subprocess.run(limited, timeout=PATIENCE * seconds, **options)
    if done.returncode == -signal.SIGXCPU:
        raise subprocess.TimeoutExpired(command, seconds, output=done.stdout)
    return done


def run_threads(count, work):
    """Calls `work()` in so many threads, and waits for all."""
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
