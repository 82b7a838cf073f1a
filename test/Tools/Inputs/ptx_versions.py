"""Instructions in the oldest version and target that have them, and in older ones.

    ptx_versions.py EMULATOR SAMPLES [PTXAS]

A line of SAMPLES is a version, a target and an instruction. The emulated driver takes the
instruction there, and names what it requires in the version or the target before. With
PTXAS the assembler is asked, too, for every eighth line or, with HETERO_FULL_TESTS, for all.
"""

import os
import subprocess
import sys
import tempfile

from emulated_driver import EmulatedDriver

VERSIONS = [63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90]
TARGETS = {"75": 63, "80": 70, "86": 71, "89": 78, "90": 78, "90a": 80, "100": 86, "100a": 86}
KERNEL = """.version {version}
.target sm_{target}
.address_size 64
.visible .entry k(.param .u64 pp) {{
.reg .pred p,r; .reg .b16 h,i; .reg .b32 x,y,z,w,x1,y1,z1,w1; .reg .f32 f,g; .reg .f64 d,e;
.reg .b64 a,q; {more} .shared .align 128 .b8 s[256];
ld.param.u64 a,[pp]; L: {instruction}
ret; }}
"""


def text_of(instruction, version, target):
    more = ".reg .b128 r128;" if "r128" in instruction else ""
    version = f"{version // 10}.{version % 10}"
    return KERNEL.format(version=version, target=target, more=more, instruction=instruction)


def older(version, target):
    """The version before, and the target before in the last version."""
    versions = [other for other in VERSIONS if TARGETS[target] <= other < version]
    targets = list(TARGETS)[: list(TARGETS).index(target)]
    result = [(versions[-1], target)] if versions else []
    return result + ([(VERSIONS[-1], targets[-1])] if targets else [])


class Assembler:
    def __init__(self, path):
        self.path = path

    def takes(self, text, target):
        with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
            file.write(text)
            file.flush()
            command = [self.path, f"-arch=sm_{target}", file.name, "-o", os.devnull]
            return subprocess.run(command, capture_output=True).returncode == 0


def main(emulator, samples, ptxas=None):
    drivers = {False: EmulatedDriver(emulator, 1, 1)}
    drivers[True] = EmulatedDriver(emulator, 1, 1, device=1)
    lines = [line.split(maxsplit=2) for line in open(samples) if not line.startswith("#")]
    wrong = 0
    for number, (version, target, instruction) in enumerate(lines):
        place = (int(version), target)
        for case in [place] + older(*place):
            text = text_of(instruction.strip(), *case)
            log = drivers[case[1].startswith("100")].refusal(text)
            is_right = "requires .version" in log if case != place else log == ""
            if ptxas and (number % 8 == 0 or os.environ.get("HETERO_FULL_TESTS")):
                is_right &= Assembler(ptxas).takes(text, case[1]) == (log == "")
            if not is_right:
                print(f"{instruction.strip()} in {case}: {log or 'taken'}")
            wrong += not is_right
    print(f"{len(lines)} instructions, {wrong} wrong")


if __name__ == "__main__":
    main(*sys.argv[1:])
