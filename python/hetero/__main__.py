"""Does what hetero-run does, with a LiteRT network, too, which it imports.

    python -m hetero MODEL [--dim=NAME=SIZE ...] [--time-phases] [options of hetero-run]
    python -m hetero model.onnx --dim=N=1 --input=1x3x224x224xf32=random:1 --rules=r.yaml --report
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from hetero import importers, library
from hetero.errors import Error
from hetero.progress import Phases, phase


def _find_tool() -> str:
    """hetero-run beside the library, else in the path."""
    beside = pathlib.Path(library.get().path).resolve().parent.parent / "bin" / "hetero-run"
    tool = str(beside) if beside.exists() else shutil.which("hetero-run")
    if not tool:
        raise Error(f"hetero-run is neither {beside} nor in the path; build it with scripts/run")
    return tool


def _take_dims(words: list[str]) -> dict[str, int]:
    """Takes --dim=NAME=SIZE out of the words."""
    dims = {}
    for word in [word for word in words if word.startswith("--dim=")]:
        name, _, size = word[len("--dim=") :].rpartition("=")
        if not name or not size.isdigit():
            raise Error(f"expected --dim=NAME=SIZE, got '{word}'")
        dims[name] = int(size)
        words.remove(word)
    return dims


def main() -> int:
    words = sys.argv[1:]
    if not words or words[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if words else 2
    try:
        model, tool = words[0], _find_tool()
        if pathlib.Path(model).suffix in ("", ".mlir", ".mlirbc", ".onnx"):
            os.execv(tool, [tool, *words])
        phases = Phases()
        with phase(f"importing {model}", phases, "import"):
            imported = importers.from_file(model, _take_dims(words))
    except Error as error:
        print(f"hetero: error: {error}", file=sys.stderr)
        return 1
    if "--time-phases" in words:
        print(phases, file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="hetero") as folder:
        path = pathlib.Path(folder) / (pathlib.Path(model).stem + ".mlirbc")
        path.write_bytes(imported.bytecode)
        return subprocess.run([tool, str(path), *words[1:]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
