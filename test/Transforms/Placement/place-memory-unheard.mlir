// RUN: hetero-opt %s --hetero-place -o %t.quiet
// RUN: hetero-opt %s --hetero-place=report=%t.json -o %t.asked
// RUN: diff %t.quiet %t.asked
// RUN: hetero-opt %s --hetero-place --remarks-filter=hetero-place -o %t.heard 2>%t.remarks
// RUN: diff %t.quiet %t.heard
// RUN: FileCheck %s < %t.remarks

// Whether somebody asks for a report or listens decides nothing, also where memory
// is short and some operations are annotated.
// CHECK: memory | Category:hetero-place

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 100000000, bandwidth = 100000000>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 50000, compute = 100000000000, bandwidth = 100000000000>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
!t = tensor<2500xf32>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
func.func @f(%x: !t) -> !t {
%e = tensor.empty() : !t
%0 = linalg.mul ins(%x, %x : !t, !t) outs(%e : !t) -> !t
%1 = linalg.mul ins(%0, %x : !t, !t) outs(%e : !t) -> !t
%2 = linalg.mul ins(%0, %0 : !t, !t) outs(%e : !t) -> !t
%3 = linalg.mul {hetero.device = #hetero.device<gpu:0>} ins(%x, %2 : !t, !t) outs(%e : !t) -> !t
%4 = linalg.add ins(%3, %1 : !t, !t) outs(%e : !t) -> !t
%5 = linalg.add ins(%4, %2 : !t, !t) outs(%e : !t) -> !t
%6 = linalg.mul {hetero.device = #hetero.device<gpu:0>} ins(%4, %0 : !t, !t) outs(%e : !t) -> !t
%7 = linalg.mul ins(%5, %0 : !t, !t) outs(%e : !t) -> !t
%8 = linalg.add ins(%6, %x : !t, !t) outs(%e : !t) -> !t
%9 = linalg.mul {hetero.device = #hetero.device<gpu:0>} ins(%7, %2 : !t, !t) outs(%e : !t) -> !t
%10 = linalg.mul {hetero.device = #hetero.device<cpu:0>} ins(%7, %3 : !t, !t) outs(%e : !t) -> !t
%11 = linalg.add {hetero.device = #hetero.device<cpu:0>} ins(%8, %6 : !t, !t) outs(%e : !t) -> !t
return %11 : !t
}}