"""Operators of the reader, executed and compared with onnx.reference."""

import numpy as np
from case import check, finish, refuse

f = np.float32
r = np.random.default_rng(0)


def i(*numbers):
    return np.array(numbers, np.int64)


a = np.array([[1, 2], [3, 4]], f)
x = np.arange(1, 5, dtype=f)
check("Add",[a,a])
check("Gemm",[a,a],alpha=0.5)
check("Slice",[x,i(3),i(0),i(0),i(-1)],constants=(1,2,3,4))
check("Slice",[x,i(3),i(0),i(0),i(-1)],constants=(3,4))
check("Slice",[x,i(1),i(100)])
check("Div",[np.array([4294967295,5],np.uint32),np.array([2,3],np.uint32)])
check("Add",[r.random((3,4),f),r.random((3,1),f)],dims={0:["N","M"],1:["A","B"]})
check("Add",[r.random((3,4),f),r.random((4),f)],dims={0:["N","M"],1:["M"]})
check("Add",[r.random((1,1),f),r.random((3,4),f)],dims={0:["N","M"],1:["A","B"]})
check("MatMul",[r.random((2,3,4),f),r.random((4,5),f)])
check("MatMul",[r.random((2,3,4),f),r.random((2,4,5),f)],dims={0:["N","S",4],1:["N",4,5]})
check("MatMul",[r.random((4),f),r.random((4),f)])
check("Conv",[r.random((1,4,8,8),f),r.random((6,2,3,3),f),r.random(6,f)],group=2,pads=[1,1,1,1],strides=[2,2])
check("Conv",[r.random((1,4,8,8),f),r.random((4,1,3,3),f)],group=4,dims={0:["N",4,"H","W"]},auto_pad="SAME_UPPER")
check("MaxPool",[r.random((1,4,8,8),f)],kernel_shape=[3,3],strides=[2,2],ceil_mode=1,dims={0:["N",4,"H","W"]})
check("AveragePool",[r.random((1,4,8,8),f)],kernel_shape=[3,3],strides=[2,2],ceil_mode=1,pads=[1,1,1,1],dims={0:["N",4,"H","W"]})
check("Softmax",[r.random((2,3),f)])
check("Reshape",[r.random((2,3,4),f),i(0,-1)],constants=(1,),dims={0:["N","M",4]})
check("Reshape",[r.random((2,3,4),f),i(6,-1)])
check("Gather",[r.random((5,3),f),i(0,-1,2)])
finish()
