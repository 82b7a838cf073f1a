// RUN: hetero-opt %s --hetero-bufferize | FileCheck %s
// RUN: hetero-opt %s --hetero-bufferize --hetero-bufferize | FileCheck %s
// RUN: hetero-opt %s --hetero-bufferize --hetero-verify -o /dev/null
// RUN: hetero-opt %s --hetero-bufferize --remarks-filter=hetero-bufferize -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: summary | Category:hetero-bufferize | {{.*}}shared=6

#cpu = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0>
module attributes {hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #cpu, compute = 1000000, bandwidth = 1000000>,
    #hetero.device_spec<device = #gpu, compute = 1000000, bandwidth = 1000000>],
  links = [
    #hetero.link<from = #cpu, to = #gpu, bandwidth = 1000000, latency = 10, unified = true>,
    #hetero.link<from = #gpu, to = #cpu, bandwidth = 1000000, latency = 10, unified = true>]>} {

// Both directions: another name of the buffer, with nothing allocated for it.
// CHECK-LABEL: func.func @acts(
// CHECK-SAME: %[[X:.*]]: memref<4xf32>
// CHECK: %[[ON:.*]] = memref.memory_space_cast %[[X]] : memref<4xf32> to memref<4xf32, #[[GPU:.*]]>
// CHECK: %[[R:.*]] = memref.alloc() {{.*}} : memref<4xf32, #[[GPU]]>
// CHECK: linalg.exp {{.*}}ins(%[[ON]] {{.*}} outs(%[[R]]
// CHECK: %[[BACK:.*]] = memref.memory_space_cast %[[R]]
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: return %[[BACK]]
func.func @acts(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = hetero.copy %x : tensor<4xf32> -> tensor<4xf32, #gpu>
  %1 = hetero.execute "acts_gpu0_0" on #gpu (%a = %0 : tensor<4xf32, #gpu>) -> (tensor<4xf32, #gpu>) {
    %e = tensor.empty() : tensor<4xf32>
    %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %2 : tensor<4xf32>
  }
  %3 = hetero.copy %1 : tensor<4xf32, #gpu> -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// The host overwrites in place what gpu:0 reads after that: a copy stays.
// CHECK-LABEL: func.func @conflict(
// CHECK: %[[OLD:.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK: %[[OWN:.*]] = memref.alloc() {{.*}} : memref<4xf32, #[[GPU]]>
// CHECK: memref.copy %[[OLD]], %[[OWN]] {hetero.value = "%old"}
// CHECK-NOT: memory_space_cast
// CHECK: linalg.add ins(%{{.*}}, %[[OLD]] {{.*}} outs(%[[OLD]]
// CHECK: linalg.exp {{.*}}ins(%[[OWN]]
func.func @conflict(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32, #gpu>) {
  %0 = hetero.execute "conflict_cpu0_0" on #cpu (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %2 : tensor<4xf32>
  }
  %old = hetero.copy %0 {hetero.value = "%old"} : tensor<4xf32> -> tensor<4xf32, #gpu>
  %1 = hetero.execute "conflict_cpu0_1" on #cpu (%a = %0 : tensor<4xf32>, %b = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %2 = linalg.add ins(%b, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %2 : tensor<4xf32>
  }
  %3 = hetero.execute "conflict_gpu0_0" on #gpu (%a = %old : tensor<4xf32, #gpu>) -> (tensor<4xf32, #gpu>) {
    %e = tensor.empty() : tensor<4xf32>
    %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %2 : tensor<4xf32>
  }
  return %1, %3 : tensor<4xf32>, tensor<4xf32, #gpu>
}

// The same with the device's reading done before: no copy.
// CHECK-LABEL: func.func @in_turns(
// CHECK-NOT: memref.copy
// CHECK: memref.memory_space_cast
// CHECK-NOT: memref.copy
// CHECK: return
func.func @in_turns(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32, #gpu>) {
  %0 = hetero.execute "in_turns_cpu0_0" on #cpu (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %2 : tensor<4xf32>
  }
  %1 = hetero.copy %0 : tensor<4xf32> -> tensor<4xf32, #gpu>
  %3 = hetero.execute "in_turns_gpu0_0" on #gpu (%a = %1 : tensor<4xf32, #gpu>) -> (tensor<4xf32, #gpu>) {
    %e = tensor.empty() : tensor<4xf32>
    %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %2 : tensor<4xf32>
  }
  %4 = hetero.execute "in_turns_cpu0_1" on #cpu (%a = %0 : tensor<4xf32>, %b = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %2 = linalg.add ins(%b, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %2 : tensor<4xf32>
  }
  return %4, %3 : tensor<4xf32>, tensor<4xf32, #gpu>
}

// A caller's argument is never written to: what the device overwrites is its own.
// CHECK-LABEL: func.func @argument(
// CHECK-SAME: %[[X:.*]]: memref<4xf32>
// CHECK: %[[OWN:.*]] = memref.alloc() {{.*}} : memref<4xf32, #[[GPU]]>
// CHECK: memref.copy %[[X]], %[[OWN]]
// CHECK: linalg.exp {{.*}}outs(%[[OWN]]
func.func @argument(%x: tensor<4xf32>) -> tensor<4xf32, #gpu> {
  %0 = hetero.copy %x : tensor<4xf32> -> tensor<4xf32, #gpu>
  %1 = hetero.execute "argument_gpu0_0" on #gpu (%a = %0 : tensor<4xf32, #gpu>) -> (tensor<4xf32, #gpu>) {
    %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %2 : tensor<4xf32>
  }
  return %1 : tensor<4xf32, #gpu>
}

// A view keeps its strides; sizes need not be known.
// CHECK-LABEL: func.func @view(
// CHECK: %[[V:.*]] = memref.subview
// CHECK: memref.memory_space_cast %[[V]] : memref<?x2xf32, strided<[4, 1], offset: 1>> to memref<?x2xf32, strided<[4, 1], offset: 1>, #[[GPU]]>
func.func @view(%x: tensor<?x4xf32>, %n: index) -> tensor<?x2xf32, #gpu> {
  %0 = hetero.execute "view_cpu0_0" on #cpu (%a = %x : tensor<?x4xf32>, %m = %n : index) -> (tensor<?x2xf32>) {
    %2 = tensor.extract_slice %a[0, 1] [%m, 2] [1, 1] : tensor<?x4xf32> to tensor<?x2xf32>
    hetero.yield %2 : tensor<?x2xf32>
  }
  %1 = hetero.copy %0 : tensor<?x2xf32> -> tensor<?x2xf32, #gpu>
  %3 = hetero.execute "view_gpu0_0" on #gpu (%a = %1 : tensor<?x2xf32, #gpu>, %m = %n : index) -> (tensor<?x2xf32, #gpu>) {
    %e = tensor.empty(%m) : tensor<?x2xf32>
    %2 = linalg.exp ins(%a : tensor<?x2xf32>) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
    hetero.yield %2 : tensor<?x2xf32>
  }
  return %3 : tensor<?x2xf32, #gpu>
}

// A loop passes the buffer from device to device and carries it as it is.
// CHECK-LABEL: func.func @loop(
// CHECK: %[[B:.*]] = memref.alloc() {{.*}} : memref<4xf32, #[[GPU]]>
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @loop(%n: index) -> tensor<4xf32, #gpu> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %x = hetero.execute "loop_gpu0_0" on #gpu (%g = %f : f32) -> (tensor<4xf32, #gpu>) {
    %e = tensor.empty() : tensor<4xf32>
    %2 = linalg.fill ins(%g : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %2 : tensor<4xf32>
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<4xf32, #gpu> {
    %0 = hetero.copy %v : tensor<4xf32, #gpu> -> tensor<4xf32>
    %1 = hetero.execute "loop_cpu0_0" on #cpu (%a = %0 : tensor<4xf32>) -> (tensor<4xf32>) {
      %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      hetero.yield %2 : tensor<4xf32>
    }
    %3 = hetero.copy %1 : tensor<4xf32> -> tensor<4xf32, #gpu>
    scf.yield %3 : tensor<4xf32, #gpu>
  }
  return %r : tensor<4xf32, #gpu>
}

// A constant is one of each device.
// CHECK-LABEL: func.func @constant(
// CHECK-NOT: memory_space_cast
// CHECK: memref.get_global {{.*}} : memref<4xf32, #[[GPU]]>
func.func @constant() -> tensor<4xf32, #gpu> {
  %c = arith.constant dense<2.0> : tensor<4xf32>
  %0 = hetero.copy %c : tensor<4xf32> -> tensor<4xf32, #gpu>
  %1 = hetero.execute "constant_gpu0_0" on #gpu (%a = %0 : tensor<4xf32, #gpu>) -> (tensor<4xf32, #gpu>) {
    %e = tensor.empty() : tensor<4xf32>
    %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %2 : tensor<4xf32>
  }
  return %1 : tensor<4xf32, #gpu>
}
}
