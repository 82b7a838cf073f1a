#!/usr/bin/env python3
"""Runs the compiler on test suites that others wrote for MLIR, and counts what
came of it. See scripts/peer-suites and docs/Coverage.md."""

import argparse
import collections
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile

import outcomes

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LLVM = os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22")
PACKAGE = "llvm-toolchain-22"

# In the order of the table.
FOLDERS = [f"Dialect/{name}" for name in "Linalg Tensor SCF Arith Math Func Affine Bufferization".split()]
FOLDERS += [f"Dialect/{name}" for name in "MemRef ControlFlow Tosa GPU".split()] + ["Transforms", "Conversion"]

# What each column of the table runs.
MODES = {
    "front end": "stop-after=copies-optimized",
    "front end, gpu:0": "stop-after=copies-optimized default=gpu:0",
    "pipeline": "",
    "pipeline, gpu:0": "default=gpu:0",
}

# Where Debian keeps the source package: of the release that the binaries are
# from, and of those that share its upstream tarball.
SUITES = (
    ("http://deb.debian.org/debian-security", "bookworm-security"),
    ("http://deb.debian.org/debian", "trixie"),
    ("http://deb.debian.org/debian", "sid"),
)

Chunk = collections.namedtuple("Chunk", "name folder text")


def fail(text):
    print(f"scripts/peer-suites: error: {text}", file=sys.stderr)
    sys.exit(2)


# Sources


def download(folder):
    """Fetches the source package with apt, in a configuration of its own, so that
    neither root nor the machine's lists are needed. Of the package's files only
    the upstream tarball counts; apt has compared its hash."""
    lists = os.path.join(folder, "apt")
    for suite in SUITES:
        os.makedirs(os.path.join(lists, "partial"), exist_ok=True)
        # Not among the lists: apt removes from there what it does not know.
        source = os.path.join(folder, "sources.list")
        with open(source, "w") as file:
            file.write("deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n" % suite)
        options = {"Dir::Etc::sourcelist": source, "Dir::Etc::sourceparts": "-", "Dir::State::lists": lists}
        options.update({"Dir::Cache": lists, "APT::Sandbox::User": ""})
        words = ["apt-get", "-q"] + [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
        print(f"downloading the sources of {PACKAGE} from {suite[1]}", flush=True)
        for command in (["update"], ["source", "--download-only", PACKAGE]):
            done = subprocess.run(words + command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        found = find_tarball(folder)
        if found:
            return found
    return fail(f"apt-get source {PACKAGE} failed; its output:\n{done.stdout.strip()[-1000:]}")


def find_tarball(folder):
    return next(iter(sorted(glob.glob(os.path.join(folder, PACKAGE + "_22.*.orig.tar.xz")))), None)


def find_tests(cache):
    """The folder mlir/test of the source package."""
    folder = os.path.join(cache, PACKAGE)
    tests = os.path.join(folder, "mlir-test")
    if os.path.isdir(tests):
        return tests
    os.makedirs(folder, exist_ok=True)
    archive = find_tarball(folder) or download(folder)
    print(f"unpacking mlir/test of {os.path.basename(archive)}", flush=True)
    partial = tests + ".partial"
    with tarfile.open(archive, "r|xz") as tar:
        for member in tar:
            found = re.match(r"[^/]+/mlir/test/(.+\.mlir)$", member.name)
            if found and member.isreg():
                path = os.path.join(partial, found.group(1))
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(tar.extractfile(member).read())
    os.rename(partial, tests)
    return tests


def read_chunks(tests, folders):
    """The chunks of all files of the folders, without repetitions."""
    chunks, seen = [], set()
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(tests, folder, "**", "*.mlir"), recursive=True)):
            with open(path, encoding="utf-8", errors="replace") as file:
                parts = re.split(r"^// -----.*\n?", file.read(), flags=re.M)
            for number, text in enumerate(parts):
                key = hashlib.sha256(text.encode()).hexdigest()
                # Without --verify-diagnostics, too, mlir-opt misses errors that are
                # expected and do not come.
                text = re.sub(r"//\s*expected-\w+", "//", text)
                is_empty = not re.sub(r"//.*", "", text).strip()
                if is_empty or key in seen:
                    continue
                seen.add(key)
                name = f"{os.path.relpath(path, tests)}:{number}"
                chunks.append(Chunk(name, folder, text))
    return chunks


# Runs


def run(command, text, limit, keeps_output=False):
    """Exit status (None: the time limit) and stderr of a tool that reads `text`,
    and its output."""
    try:
        done = subprocess.run(
            command,
            input=text.encode(),
            stdout=subprocess.PIPE if keeps_output else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=limit,
            env={**os.environ, "LLVM_DISABLE_CRASH_REPORT": "1"},
        )
        output = done.stdout if keeps_output else b""
        return done.returncode, done.stderr.decode(errors="replace"), output.decode(errors="replace")
    except subprocess.TimeoutExpired as error:
        return None, (error.stderr or b"").decode(errors="replace"), ""


class Results:
    """What is known already, one line of JSON for each run, so that an interrupted
    call goes on where it was. Those of another build of the compiler are not
    used."""

    def __init__(self, path, build):
        self.path, self.known = path, {}
        header = json.dumps({"build": build})
        if os.path.exists(path):
            with open(path) as file:
                lines = file.read().splitlines()
            if lines and lines[0] == header:
                for line in lines[1:]:
                    entry = json.loads(line)
                    self.known[tuple(entry["key"])] = entry["value"]
        if not self.known:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            with open(path, "w") as file:
                file.write(header + "\n")
        self.file = open(path, "a")

    def has(self, key):
        return key in self.known

    def get(self, key, compute):
        if key not in self.known:
            self.known[key] = compute()
            self.file.write(json.dumps({"key": key, "value": self.known[key]}) + "\n")
            self.file.flush()
        return self.known[key]


def parsed_chunks(chunks, cache, jobs):
    """Those that stock mlir-opt parses and verifies."""
    tool = os.path.join(LLVM, "bin", "mlir-opt")
    known = Results(os.path.join(cache, "parsed.jsonl"), os.path.getsize(os.path.realpath(tool)))

    def parses(chunk):
        key = (hashlib.sha256(chunk.text.encode()).hexdigest(),)
        return known.get(key, lambda: run([tool], chunk.text, 60)[0] == 0)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return [chunk for chunk, good in zip(chunks, pool.map(parses, chunks)) if good]


def command_of(options, mode):
    words = MODES[mode]
    return [options.tool, "--hetero-pipeline" + (f"={words}" if words else ""), *options.extra]


def outcome_of(options, chunk, mode):
    status, stderr, _ = run(command_of(options, mode), chunk.text, options.timeout)
    outcome, line = outcomes.classify(status, stderr)
    if outcome == "internal":
        # What reading the input and its schedule reports is for the user.
        _, stderr, _ = run([options.tool, "--hetero-apply-schedule"], chunk.text, options.timeout)
        if line in outcomes.errors_of(stderr):
            return ["clean", line]
    return [outcome, line]


def right_ones(options, chunks, mode):
    """Names of the chunks that are right for sure: one process runs many, since
    most of the time of one is its start. What it fails on it prints nothing of."""
    text = "// -----\n".join(chunk.text.rstrip("\n") + "\n" for chunk in chunks)
    command = [*command_of(options, mode), "--split-input-file"]
    status, stderr, output = run(command, text, options.timeout, keeps_output=True)
    parts = re.split(r"^// -----$", output, flags=re.M)
    bad = set()
    first = 1
    for chunk, part in zip(chunks, parts):
        last = first + chunk.text.rstrip("\n").count("\n") + 1
        lines = map(int, re.findall(r"^<stdin>:(\d+):\d+: error: ", stderr, re.M))
        if not part.strip() or any(first <= line <= last for line in lines):
            bad.add(chunk.name)
        first = last + 1
    known = status is not None and 0 <= status < 128 and len(parts) == len(chunks)
    if known and outcomes.classify(status, stderr)[0] != "crash" and (bad or status == 0 and not outcomes.errors_of(stderr)):
        return {chunk.name for chunk in chunks} - bad
    if len(chunks) < 4:
        return set()
    half = len(chunks) // 2
    return right_ones(options, chunks[:half], mode) | right_ones(options, chunks[half:], mode)


def run_batch(options, chunks, mode, results):
    """[(chunk, mode, outcome, line)]"""
    unknown = [chunk for chunk in chunks if not results.has((chunk.name, mode))]
    right = right_ones(options, unknown, mode) if len(unknown) > 1 else set()
    found = []
    for chunk in chunks:
        compute = (lambda: ["right", ""]) if chunk.name in right else (lambda: outcome_of(options, chunk, mode))
        found.append((chunk, mode, *results.get((chunk.name, mode), compute)))
    return found


def run_all(options, chunks, results):
    """[(chunk, mode, outcome, line)]"""
    batches = [chunks[i : i + options.batch] for i in range(0, len(chunks), options.batch)]
    work = [(batch, mode) for batch in batches for mode in options.modes]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = []
        for index, part in enumerate(pool.map(lambda pair: run_batch(options, *pair, results), work), 1):
            found += part
            if sys.stderr.isatty() or index % 100 == 0:
                print(f"{index} of {len(work)}", end="\r" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)
    return found


# Reports


def table(found, options):
    """Rows of Markdown: a folder and mode each, then the sums."""
    counts = collections.defaultdict(collections.Counter)
    for chunk, mode, outcome, _ in found:
        for row in (chunk.folder, "all"):
            counts[row, mode][outcome] += 1
    lines = ["| folder | chunks | mode | " + " | ".join(outcomes.OUTCOMES) + " |", "|---|---|---|" + "---|" * len(outcomes.OUTCOMES)]
    for folder in [name for name in [*options.folders, "all"] if (name, options.modes[0]) in counts]:
        for mode in options.modes:
            row = counts[folder, mode]
            name, number = (folder, sum(row.values())) if mode == options.modes[0] else ("", "")
            lines.append(f"| {name} | {number} | {mode} | " + " | ".join(str(row[key]) for key in outcomes.OUTCOMES) + " |")
    return lines


def write_failures(path, found, options):
    """Each failure with its command, grouped by what the line says."""
    groups = collections.defaultdict(list)
    for chunk, mode, outcome, line in found:
        if outcome in options.show:
            groups[outcome, outcomes.normal_form(line)].append((chunk.name, mode, line))
    with open(path, "w") as file:
        for (outcome, _), members in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
            file.write(f"{outcome}: {len(members)} times: {members[0][2]}\n")
            modes = collections.defaultdict(list)
            for name, mode, _ in members:
                modes[name].append(mode)
            for name, where in modes.items():
                file.write(f"    {name}  ({'; '.join(where)})\n")
    return sum(len(members) for members in groups.values())


def update_page(path, lines):
    """Replaces the table between the page's markers."""
    with open(path) as file:
        text = file.read()
    begin, end = "<!-- begin: scripts/peer-suites mlir --page -->", "<!-- end -->"
    before, rest = text.split(begin)
    with open(path, "w") as file:
        file.write(before + begin + "\n" + "\n".join(lines) + "\n" + end + rest.split(end, 1)[1])


def parse_arguments():
    parser = argparse.ArgumentParser(prog="scripts/peer-suites", description=__doc__)
    parser.add_argument("suite", choices=["mlir"])
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "dev", "bin", "hetero-opt"), help="the hetero-opt to run")
    parser.add_argument("--cache", default=os.environ.get("HETERO_PEER_CACHE", os.path.expanduser("~/.cache/hetero")))
    parser.add_argument("--sources", help="a folder mlir/test, instead of Debian's package")
    parser.add_argument("--results", help="file that keeps what was run; default: in the cache")
    parser.add_argument("--failures", default="peer-failures.txt", help="file for the list of failures")
    parser.add_argument("--show", default=",".join(outcomes.BAD), help="outcomes that are listed, by commas")
    parser.add_argument("--only", help="regular expression on NAME:NUMBER of chunks, as in the list of failures")
    parser.add_argument("--folder", action="append", dest="folders", help="only this folder")
    parser.add_argument("--mode", action="append", dest="modes", choices=list(MODES), help="only this mode")
    parser.add_argument("--print", action="store_true", dest="print_chunks", help="print the selected chunks and stop")
    parser.add_argument("--page", action="store_true", help="write the table into docs/Coverage.md")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--batch", type=int, default=32, help="chunks that one process tries at first")
    parser.add_argument("--timeout", type=float, default=30)
    parser.add_argument("--extra", action="append", default=[], help="further option of hetero-opt")
    options = parser.parse_args()
    options.folders = options.folders or FOLDERS
    options.modes = options.modes or list(MODES)
    options.show = options.show.split(",")
    return options


def main():
    options = parse_arguments()
    os.makedirs(options.cache, exist_ok=True)
    chunks = read_chunks(options.sources or find_tests(options.cache), options.folders)
    if options.only:
        chunks = [chunk for chunk in chunks if re.search(options.only, chunk.name)]
    if options.print_chunks:
        for chunk in chunks:
            print(f"// {chunk.name}\n{chunk.text}")
        return 0
    if not os.access(options.tool, os.X_OK):
        fail(f"there is no {options.tool}; build the preset dev, or name another with --tool")
    parsed = parsed_chunks(chunks, options.cache, options.jobs)
    with open(options.tool, "rb") as file:
        build = hashlib.sha256(file.read()).hexdigest()
    results = Results(options.results or os.path.join(options.cache, "outcomes.jsonl"), [build, options.extra])
    found = run_all(options, parsed, results)
    lines = table(found, options)
    print("\n".join(lines))
    failures = write_failures(options.failures, found, options)
    print(f"{len(chunks)} chunks, {len(parsed)} that mlir-opt parses; {failures} listed in {options.failures}")
    if options.page:
        update_page(os.path.join(ROOT, "docs", "Coverage.md"), lines)
    return 1 if any(outcome in outcomes.BAD for _, _, outcome, _ in found) else 0


if __name__ == "__main__":
    sys.exit(main())
