"""Starts a command with mpirun and stops rank 1 while it runs.

usage: stop_rank.py SIGNAL FOLDER COMMAND...

Rank 1 gets the signal once it has launched kernels. Prints what the command
prints, its exit status, and whether any rank is left.
"""

import os
import signal
import subprocess
import sys
import time

LAUNCHES = 20
SECONDS = 60


def wait_for(condition, what):
    end = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"waited {SECONDS} s for {what}")
        time.sleep(0.02)


def count_launches(path):
    if not os.path.exists(path):
        return 0
    with open(path) as log:
        return sum('"launch"' in line for line in log)


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def main():
    number = signal.Signals[sys.argv[1]]
    folder = sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    # Each rank says who it is and has a log of its own.
    shell = (
        f'echo $$ > "{folder}/pid.$OMPI_COMM_WORLD_RANK"; '
        f'export HETERO_EMULATOR="log={folder}/log.$OMPI_COMM_WORLD_RANK"; '
        'exec "$0" "$@"'
    )
    mpirun = ["mpirun", "-n", "2"]
    command = mpirun + ["sh", "-c", shell] + sys.argv[3:]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wait_for(lambda: count_launches(f"{folder}/log.1") >= LAUNCHES, "rank 1 to launch kernels")
    pids = [int(open(f"{folder}/pid.{rank}").read()) for rank in range(2)]
    os.kill(pids[1], number)
    output, _ = run.communicate(timeout=SECONDS)
    print(output)
    print("exit status", run.returncode)
    wait_for(lambda: not any(map(is_alive, pids)), "the ranks to end")
    print("no rank is left")


main()
