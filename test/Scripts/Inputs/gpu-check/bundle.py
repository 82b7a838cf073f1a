"""Makes a bundle of scripts that pass, fail and hang: bundle.py FOLDER."""

import json
import os
import sys

PROGRAMS = {"fails": "echo 'error: result[0] differs' >&2; exit 1", "hangs": "sleep 600", "passes": "exit 0"}
folder = sys.argv[1]
for name, text in PROGRAMS.items():
    path = os.path.join(folder, "bin", name)
    with open(path, "w") as file:
        file.write(f"#!/bin/sh\n{text}\n")
    os.chmod(path, 0o755)
tests = [{"name": name, "program": name, "arguments": []} for name in ["fails", "hangs", "missing", "passes"]]
with open(os.path.join(folder, "manifest.json"), "w") as file:
    json.dump({"tests": tests, "measured": [], "left_out": [["other", "it has a reason"]], "revision": "none"}, file)
