"""Compiles programs for the bundle: each once per content, tool and options."""

import hashlib
import os
import shutil
import subprocess
import threading
from collections import defaultdict

COMMON = ["--emit=exe", "--runtime-path=$ORIGIN/../lib"]


class Compiler:
    """hetero-compile with a cache; what it writes finds the runtime in ../lib."""

    def __init__(self, build, cache):
        self.tool = os.path.join(build, "bin", "hetero-compile")
        self.cache = cache
        # Threads that ask for one program wait for the first of them.
        self.locks = defaultdict(threading.Lock)
        os.makedirs(cache, exist_ok=True)
        with open(self.tool, "rb") as file:
            self.version = hashlib.sha256(file.read()).digest()

    def compile(self, model, options, folder):
        """Returns (name of the program in `folder`, None) or (None, reason)."""
        if not any(option.startswith(("--processors", "--mcpu")) for option in options):
            options = [*options, "--processors=avx2,baseline"]
        key = hashlib.sha256(self.version + read(model) + repr(options).encode()).hexdigest()[:16]
        cached, target = os.path.join(self.cache, key), os.path.join(folder, key)
        with self.locks[key]:
            reason = None if os.path.exists(cached) else self.make(model, options, cached)
            if not reason and not os.path.exists(target):
                shutil.copy(cached, target)
        return (None, reason) if reason else (key, None)

    def make(self, model, options, output):
        """The driver compiles the PTX of the bundle: no assembler is asked."""
        partial = f"{output}.{os.getpid()}"
        command = [self.tool, model, *options, *COMMON, "-o", partial]
        try:
            done = subprocess.run(command, env={**os.environ, "HETERO_CUDA_DISABLE": "1"}, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return "its compilation takes more than 120 s"
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if "error:" in line]
            return errors[0].partition("error: ")[2] if errors else f"hetero-compile fails with status {done.returncode}"
        subprocess.run(["strip", partial], check=True)
        os.rename(partial, output)
        return None


def read(path):
    with open(path, "rb") as file:
        return file.read()
