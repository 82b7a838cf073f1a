"""Operators of the reader, executed and compared with onnx.reference."""

import numpy as np
from case import check, finish, numpy_helper
f = np.float32
r = np.random.default_rng(0)

def i(*numbers):
    return np.array(numbers, np.int64)
a = np.array([[1, 2], [3, 4]], f)
x = np.arange(1, 5, dtype=f)
check('Add', [a, a])
check('Gemm', [a, a], alpha=0.5)
check('Slice', [x, i(3), i(0), i(0), i(-1)], constants=(1, 2, 3, 4))
check('Slice', [x, i(3), i(0), i(0), i(-1)], constants=(3, 4))
check('Slice', [x, i(1), i(100)])
check('Div', [np.array([4294967295, 5], np.uint32), np.array([2, 3], np.uint32)])
check('Add', [r.random((3, 4), f), r.random((3, 1), f)], dims={0: ['N', 'M'], 1: ['A', 'B']})
check('Add', [r.random((3, 4), f), r.random(4, f)], dims={0: ['N', 'M'], 1: ['M']})
check('Add', [r.random((1, 1), f), r.random((3, 4), f)], dims={0: ['N', 'M'], 1: ['A', 'B']})
check('MatMul', [r.random((2, 3, 4), f), r.random((4, 5), f)])
check('MatMul', [r.random((2, 3, 4), f), r.random((2, 4, 5), f)], dims={0: ['N', 'S', 4], 1: ['N', 4, 5]})
check('MatMul', [r.random(4, f), r.random(4, f)])
check('Conv', [r.random((1, 4, 8, 8), f), r.random((6, 2, 3, 3), f), r.random(6, f)], group=2, pads=[1, 1, 1, 1], strides=[2, 2])
check('Conv', [r.random((1, 4, 8, 8), f), r.random((4, 1, 3, 3), f)], group=4, dims={0: ['N', 4, 'H', 'W']}, auto_pad='SAME_UPPER')
check('MaxPool', [r.random((1, 4, 8, 8), f)], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1, dims={0: ['N', 4, 'H', 'W']})
check('AveragePool', [r.random((1, 4, 8, 8), f)], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1, pads=[1, 1, 1, 1], dims={0: ['N', 4, 'H', 'W']})
check('Softmax', [r.random((2, 3), f)])
check('Reshape', [r.random((2, 3, 4), f), i(0, -1)], constants=(1,), dims={0: ['N', 'M', 4]})
check('Reshape', [r.random((2, 3, 4), f), i(6, -1)])
check('Gather', [r.random((5, 3), f), i(0, -1, 2)])
x = np.array([-2.5, -1, -0.0, 0.0, 0.5, 1, 3, np.nan, np.inf, -np.inf], f)
for op in 'Abs Neg Sign Ceil Floor Round Reciprocal Sqrt Exp Log Erf Sin Cos Tan Sinh Cosh Asinh Acosh Atanh Asin Acos Atan Relu LeakyRelu Elu Celu Selu HardSigmoid HardSwish Sigmoid Tanh Softplus Softsign Mish Gelu ThresholdedRelu Shrink'.split():
    check(op, [x], dims={0: ['N']})
for op in 'IsNaN IsInf'.split():
    check(op, [x], dims={0: ['N']})
for t in (np.int8, np.uint16, np.uint64):
    a = np.array([np.iinfo(t).max, 5, 7, np.iinfo(t).min], t)
    b = np.array([2, 3, np.iinfo(t).max, 1], t)
    for op in 'Add Sub Mul Div Max Min BitwiseAnd BitwiseOr BitwiseXor Equal Less Greater LessOrEqual GreaterOrEqual Mod'.split():
        with np.errstate(all='ignore'):
            want = a // b if op == 'Div' else None
            check(op, [a, b], want=want)
    for to in (1, 2, 5, 7, 9, 11, 13):
        check('Cast', [a], to=to)
y = np.array([1, -1, 0.0, -0.0, 2, np.nan, 1, 1, np.inf, 2], f)
for op in 'Add Sub Mul Div Max Min Equal Less Greater LessOrEqual GreaterOrEqual Pow'.split():
    with np.errstate(all='ignore'):
        check(op, [x, y], dims={0: ['N'], 1: ['N']})
check('Pow', [np.array([2, 3], np.int32), np.array([3, 2], np.int32)])
check('Pow', [np.array([2, 3], np.int64), np.array([3, 0.5], f)])
check('Pow', [np.array([2, 3], f), i(3, -2)])
check('Mod', [np.array([-5.3, 5.3, 4, 0], f), np.array([2, -2, -2, 3], f)], fmod=1)
check('Mod', [np.array([-5, 5, 4, -7], np.int32), np.array([3, -3, 2, 7], np.int32)])
check('Mod', [np.array([-5, 5, 4, -7], np.int32), np.array([3, -3, 2, 7], np.int32)], fmod=1)
check('Where', [np.array([True, False]), np.array([[1], [2]], f), np.array([3, 4], f)], dims={0: ['N'], 1: ['M', 1], 2: ['N']})
check('Clip', [x, np.array(-1, f), np.array(1, f)])
check('Clip', [x, None, np.array(1, f)])
check('Clip', [np.array([1, 200], np.uint8), np.array(5, np.uint8)])
check('Clip', [x], opset=7, min=-1.0, max=0.5)
z = r.standard_normal((2, 3, 4)).astype(f)
for op in 'ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSumExp ReduceSumSquare'.split():
    for kd in (0, 1):
        check(op, [z, i(-1)], constants=(1,), keepdims=kd, dims={0: ['N', 'M', 'K']})
        check(op, [z, i(0, 2)], constants=(1,), keepdims=kd)
        check(op, [z], keepdims=kd)
        check(op, [z], opset=11, keepdims=kd, axes=[1])
    check(op, [np.array([[1, 2], [3, -4]], np.int32), i(1)], constants=(1,)) if op not in ('ReduceLogSumExp',) else None
check('ReduceLogSum', [np.abs(z), i(1)], constants=(1,))
check('ReduceSum', [z], noop_with_empty_axes=1)
check('ReduceMax', [np.zeros((2, 0), f), i(1)], constants=(1,))
check('ReduceSum', [np.zeros((2, 0), f), i(1)], constants=(1,))
for op in ('ArgMax', 'ArgMin'):
    for s in (0, 1):
        check(op, [np.array([[1, 3, 3], [2, 2, 0]], f)], axis=1, select_last_index=s, keepdims=s, dims={0: ['N', 'M']})
for op in ('Softmax', 'LogSoftmax'):
    check(op, [z], axis=1, dims={0: ['N', 'M', 'K']})
    check(op, [z.astype(np.float16)], rtol=0.002)
check('Transpose', [z], dims={0: ['N', 'M', 'K']})
check('Transpose', [z], perm=[1, 0, 2])
check('Flatten', [z], axis=2, dims={0: ['N', 'M', 'K']})
check('Flatten', [z], axis=0)
check('Flatten', [z], axis=-1)
check('Unsqueeze', [z, i(0, -1)], constants=(1,), dims={0: ['N', 'M', 'K']})
check('Squeeze', [z[:, :1], i(1)], constants=(1,), dims={0: ['N', 'M', 'K']})
check('Squeeze', [z[:1, :, :1]])
check('Expand', [z[:, :1], i(2, 5, 1)], dims={0: ['N', 'M', 'K']})
check('Expand', [z[:, :1], i(2, 5, 1)], constants=(1,), dims={0: ['N', 'M', 'K']})
check('Expand', [np.array(3, f), i(2, 2)], constants=(1,))
check('Concat', [z, z], axis=1, dims={0: ['N', 'M', 'K'], 1: ['N', 'L', 'K']})
check('Concat', [z, z], axis=-1)
check('Slice', [z, i(1, -3), i(9, 100), i(1, 2), i(1, 2)], dims={0: ['N', 'M', 'K']}, constants=(3, 4))
check('Slice', [z, i(-1), i(-100), i(1), i(-2)], dims={0: ['N', 'M', 'K']}, constants=(1, 2, 3, 4))
check('Slice', [z], opset=9, starts=[1], ends=[3], axes=[1])
check('Slice', [z, i(5), i(9), i(1)], constants=(1, 2, 3))
check('Slice', [z, i(5), i(9), i(1)], constants=(3,))
check('Gather', [z, np.array([[0, -1], [1, 0]], np.int32)], axis=2, dims={0: ['N', 'M', 'K'], 1: ['A', 'B']})
check('Gather', [z, np.array(-1)], axis=1, constants=(1,), dims={0: ['N', 'M', 'K']})
check('Split', [z, i(1, 2)], axis=1, outputs=2, dims={0: ['N', 'M', 'K']}, constants=(1,))
check('Split', [np.zeros(0, f), i(0, 0)], outputs=2)
check('Reshape', [np.zeros((0, 3), f), i(3, 0)], allowzero=1)
check('Reshape', [np.zeros((0, 3, 4), f), i(3, 4, -1)], allowzero=1)
check('Split', [z], axis=2, outputs=2, num_outputs=2, dims={0: ['N', 'M', 'K']})
check('Split', [z], axis=1, outputs=3, opset=11)
check('Shape', [z], dims={0: ['N', 'M', 'K']})
check('Shape', [z], start=1, end=-1, dims={0: ['N', 'M', 'K']})
check('Size', [z], dims={0: ['N', 'M', 'K']})
check('ConstantOfShape', [i(2, 3)], value=numpy_helper.from_array(np.array([7], np.int32)))
check('ConstantOfShape', [i(2, 3)], constants=(0,))
for m in ('constant', 'edge', 'reflect', 'wrap'):
    check('Pad', [z, i(0, 1, 2, 1, 1, 2)], mode=m, constants=(1,), dims={0: ['N', 'M', 'K']})
    check('Pad', [z, i(0, 1, 2, 1, 1, 2)], mode=m) if m == 'constant' else None
check('Pad', [z, i(1, -1), np.array(5, f), i(2)], constants=(1, 3), want=np.concatenate([np.full((2, 3, 1), 5, f), z[:, :, :3]], 2))
check('Pad', [z], opset=2 + 5, pads=[0, 0, 1, 0, 0, 1], value=2.0)
for d in (None, {0: ['N', 'S', 4], 1: ['N', 4, 5]}):
    check('MatMul', [z, r.random((2, 4, 5), f)], dims=d)
check('MatMul', [r.random((2, 1, 3, 4), f), r.random((5, 4, 2), f)], dims={0: ['A', 'B', 'C', 'D'], 1: ['E', 'D', 'F']})
check('MatMul', [r.random((3, 4), f).astype(np.float16), r.random((4, 2), f).astype(np.float16)], rtol=0.002)
check('MatMul', [np.array([[1, 2], [3, 4]], np.int32)] * 2)
check('MatMul', [np.array([[1, 2], [3, 4]], np.uint64)] * 2)
check('MatMul', [z, r.random(4, f)])
check('MatMul', [r.random(3, f), z])
for d in (None, {0: ['M', 'K'], 1: ['L', 'K'], 2: ['L']}):
    check('Gemm', [r.random((2, 3), f), r.random((4, 3), f), r.random(4, f)], transB=1, alpha=0.5, beta=2.0, dims=d)
check('Gemm', [np.array([[1, 2], [3, 4]], np.int32)] * 2, alpha=0.5)
check('Gemm', [np.ones((2, 2), f), np.ones((2, 2), f), np.full(2, np.nan, f)], beta=0.0)
check('Log', [np.array([1e-40, 0, -1e-40, 1], np.float32)])
for sh, k in (((1, 4, 9), (6, 4, 3)), ((1, 4, 9, 8), (6, 4, 3, 2)), ((1, 4, 5, 6, 7), (2, 4, 3, 2, 2))):
    n = len(sh) - 2
    dd = {0: ['N', 4] + [f'D{j}' for j in range(n)]}
    check('Conv', [r.random(sh, f), r.random(k, f), r.random(k[0], f)], dims=dd, pads=[1] * (2 * n), strides=[2] * n, dilations=[2] + [1] * (n - 1))
    check('Conv', [r.random(sh, f), r.random((k[0], 2) + k[2:], f)], group=2, auto_pad='SAME_LOWER')
    for op in ('MaxPool', 'AveragePool'):
        for d in (None, dd):
            check(op, [r.standard_normal(sh).astype(f)], kernel_shape=[3] * n, strides=[2] * n, pads=[1] * (2 * n), ceil_mode=1, dims=d)
            check(op, [r.standard_normal(sh).astype(f)], kernel_shape=[2] * n, dilations=[2] * n, auto_pad='SAME_UPPER', dims=d) if op == 'MaxPool' else check(op, [r.standard_normal(sh).astype(f)], kernel_shape=[3] * n, pads=[1] * (2 * n), count_include_pad=1, ceil_mode=1, strides=[2] * n, dims=d)
    check('GlobalAveragePool', [r.random(sh, f)], dims=dd)
c = [r.random(3, f) for _ in range(4)]
check('BatchNormalization', [z, *c], dims={0: ['N', 3, 'K']})
check('BatchNormalization', [z.astype(np.float16), *[t.astype(np.float16) for t in c]], rtol=0.01, atol=0.01)
check('BitShift', [np.array([16, 4, 1], np.uint8), np.array([1, 9, 3], np.uint8)], direction='RIGHT', want=np.array([8, 0, 0], np.uint8))
check('Sum', [z, z, z])
check('Mean', [z, z])
check('Max', [z, z[0], z])
check('Not', [np.array([True, False])])
check('Xor', [np.array([True, False]), np.array([True, True])])
finish()
