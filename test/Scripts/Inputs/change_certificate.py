"""Changes the numbers of a certificate one by one, and has each result checked.

  change_certificate.py CHECKER CERTIFICATE [MOST]

All changes must be refused; of more than MOST numbers some are changed. Then those
that the proof is about are changed with a digest that fits: cost and bound, to more
and to less, all times of operations, and the starts of a schedule."""

import hashlib
import importlib.machinery
import importlib.util
import json
import re
import sys

loader = importlib.machinery.SourceFileLoader("checker", sys.argv[1])
checker = importlib.util.module_from_spec(importlib.util.spec_from_loader("checker", loader))
sys.dont_write_bytecode = True
loader.exec_module(checker)
MARK = '"digest": '


def accepts(text):
    try:
        checker.check(text)
        return True
    except (ValueError, KeyError, IndexError, TypeError):
        return False


def sign(text):
    body = text.rsplit(MARK, 1)[0]
    return f'{body}{MARK}"{hashlib.sha256(body.encode()).hexdigest()}"}}\n'


def replace(text, start, end, value):
    return text[:start] + str(value) + text[end:]


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        text = file.read()
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 10**9
    if not accepts(text):
        sys.exit("the certificate does not check")
    assert sign(text) == text
    body = text.rsplit(MARK, 1)[0]
    numbers = [(m.start(), m.end()) for m in re.finditer(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", body)]
    step = len(numbers) // most + 1
    for start, end in numbers[::step]:
        if accepts(replace(text, start, end, int(float(text[start:end])) + 1)):
            sys.exit(f"accepted with another number at {start}: {text[start - 40:end]}")
    for key in ("cost", "bound"):
        found = re.search(rf'"{key}":"?(\d+)', body)
        for change in (-1, 1):
            # A bound that is lower is as true, but another flow would prove it.
            if key == "bound" and change < 0 and '"kind":"loads"' in body:
                continue
            if accepts(sign(replace(text, found.start(1), found.end(1), int(found.group(1)) + change))):
                sys.exit(f"accepted with a {key} of {int(found.group(1)) + change}")
    found = re.search(r'"times":(\{"runs":)?\[([^\]]*)\]', body)
    times = found.group(2).split(",")
    for i in range(0, len(times), 2 if found.group(1) else 1):
        times[i] = times[i] if times[i] == "null" else str(int(times[i]) + 1)
    if accepts(sign(replace(text, found.start(2), found.end(2), ",".join(times)))):
        sys.exit("accepted with other times")
    found = re.search(r'"starts":(\{"(?:runs|delta)":\[[^\]]*\]\}|\[[^\]]*\])', body)
    for starts in ([0], [10**15, -1]) if found else ():
        # All at once, and one before the beginning.
        count = len(checker.column(json.loads(found.group(1))))
        changed = (starts * count)[:count]
        if accepts(sign(replace(text, found.start(), found.end(), f'"starts":{changed}'))):
            sys.exit("accepted with other starts")
    print(f"refused {len(numbers[::step])} changes")


main()
