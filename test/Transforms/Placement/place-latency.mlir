// RUN: hetero-opt %s --hetero-place="objective=latency report=%t.json" --split-input-file | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json
// RUN: hetero-opt %s --hetero-place="objective=latency" --hetero-place="objective=latency" --split-input-file | FileCheck %s
// RUN: hetero-opt %s --hetero-place --split-input-file | FileCheck %s --check-prefix=SUM
// RUN: not hetero-opt %s --hetero-place="objective=latencies" --split-input-file 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: Cannot find option named 'latencies'

#cpu = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0>

// Two branches run at the same time on two devices; the sum only sees that
// copies cost.
// CHECK-LABEL: @branches
// CHECK: linalg.exp {hetero.device = #hetero.device<[[FIRST:...:0]]>, hetero.origin = "cost"}
// CHECK: linalg.exp {hetero.device = #hetero.device<[[FIRST]]>
// CHECK-NOT: linalg.abs {hetero.device = #hetero.device<[[FIRST]]>
// CHECK: linalg.abs {hetero.device = #hetero.device<[[SECOND:...:0]]>
// CHECK: linalg.abs {hetero.device = #hetero.device<[[SECOND]]>
// SUM-LABEL: @branches
// SUM-COUNT-2: linalg.exp {hetero.device = #hetero.device<cpu:0>
// SUM-COUNT-2: linalg.abs {hetero.device = #hetero.device<cpu:0>
module attributes {hetero.topology = #hetero.topology<
  devices = [#hetero.device_spec<device = #cpu, compute = 1000000000, bandwidth = 1000000000000>,
             #hetero.device_spec<device = #gpu, compute = 1000000000, bandwidth = 1000000000000>],
  links = [#hetero.link<from = #cpu, to = #gpu, bandwidth = 1000000000000, latency = 1000>,
           #hetero.link<from = #gpu, to = #cpu, bandwidth = 1000000000000, latency = 1000>]>} {
  func.func @branches(%a: tensor<1000xf32>, %e: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>) {
    %0 = linalg.exp ins(%a : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %1 = linalg.exp ins(%0 : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %2 = linalg.abs ins(%a : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %3 = linalg.abs ins(%2 : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    return %1, %3 : tensor<1000xf32>, tensor<1000xf32>
  }
}

// -----

#cpu = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0>

// Nothing can run at the same time in a chain, so that copies do not pay.
// CHECK-LABEL: @chain
// CHECK-COUNT-3: linalg.exp {hetero.device = #hetero.device<cpu:0>
module attributes {hetero.topology = #hetero.topology<
  devices = [#hetero.device_spec<device = #cpu, compute = 1000000000, bandwidth = 1000000000000>,
             #hetero.device_spec<device = #gpu, compute = 1000000000, bandwidth = 1000000000000>],
  links = [#hetero.link<from = #cpu, to = #gpu, bandwidth = 1000000000000, latency = 1000>,
           #hetero.link<from = #gpu, to = #cpu, bandwidth = 1000000000000, latency = 1000>]>} {
  func.func @chain(%a: tensor<1000xf32>, %e: tensor<1000xf32>) -> tensor<1000xf32> {
    %0 = linalg.exp ins(%a : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %1 = linalg.exp ins(%0 : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %2 = linalg.exp ins(%1 : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    return %2 : tensor<1000xf32>
  }
}

// -----

#cpu = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0>

// Within a loop as well: its body is a piece of work that is scheduled by
// itself, and what it carries is on one device.
// CHECK-LABEL: @loop
// CHECK: scf.for
// CHECK: linalg.exp {hetero.device = #hetero.device<[[FIRST:...:0]]>
// CHECK-NOT: linalg.abs {hetero.device = #hetero.device<[[FIRST]]>
// CHECK: linalg.abs
module attributes {hetero.topology = #hetero.topology<
  devices = [#hetero.device_spec<device = #cpu, compute = 1000000000, bandwidth = 1000000000000>,
             #hetero.device_spec<device = #gpu, compute = 1000000000, bandwidth = 1000000000000>],
  links = [#hetero.link<from = #cpu, to = #gpu, bandwidth = 1000000000000, latency = 1000>,
           #hetero.link<from = #gpu, to = #cpu, bandwidth = 1000000000000, latency = 1000>]>} {
  func.func @loop(%a: tensor<1000xf32>, %e: tensor<1000xf32>) -> tensor<1000xf32> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %many = arith.constant 5 : index
    %r = scf.for %i = %zero to %many step %one iter_args(%x = %a) -> tensor<1000xf32> {
      %0 = linalg.exp ins(%x : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
      %1 = linalg.abs ins(%x : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
      %2 = linalg.add ins(%0, %1 : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
      scf.yield %2 : tensor<1000xf32>
    }
    return %r : tensor<1000xf32>
  }
}

// -----

#cpu = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0>

// A private function, whose argument may be on any device.
// CHECK-LABEL: @calls
// CHECK: call @callee
// CHECK-LABEL: func.func private @callee
// CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.origin = "cost"}
module attributes {hetero.topology = #hetero.topology<
  devices = [#hetero.device_spec<device = #cpu, compute = 1000000000, bandwidth = 1000000000000>,
             #hetero.device_spec<device = #gpu, compute = 9000000000, bandwidth = 1000000000000>],
  links = [#hetero.link<from = #cpu, to = #gpu, bandwidth = 1000000000000, latency = 1000>,
           #hetero.link<from = #gpu, to = #cpu, bandwidth = 1000000000000, latency = 1000>]>} {
  func.func @calls(%a: tensor<1000xf32>, %e: tensor<1000xf32>) -> tensor<1000xf32> {
    %0 = func.call @callee(%a, %e) : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
    return %0 : tensor<1000xf32>
  }
  func.func private @callee(%a: tensor<1000xf32>, %e: tensor<1000xf32>) -> tensor<1000xf32> {
    %0 = linalg.exp ins(%a : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    return %0 : tensor<1000xf32>
  }
}

// -----

#cpu = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0>

// The weights of two products do not both fit on the faster device. An
// annotation and a group hold as ever, and a device that copies and computes in
// turns does not do both at once: nothing ends earlier than the report says.
// CHECK-LABEL: @limits
// CHECK: linalg.abs {{.*}}hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned"
// CHECK: linalg.floor {{.*}}hetero.device = #hetero.device<[[PLACE:...:0]]>
// CHECK: linalg.ceil {{.*}}hetero.device = #hetero.device<[[PLACE]]>
// REPORT: "cost_seconds":
// REPORT: "lower_bound_seconds":
// REPORT: "gap":
// REPORT: "objective": "latency"
// REPORT: "single_device": {
// REPORT-NEXT: "device":
// REPORT-NEXT: "cost_seconds":
// REPORT: "memory": "limited"
module attributes {hetero.topology = #hetero.topology<
  devices = [#hetero.device_spec<device = #cpu, compute = 1000000000, bandwidth = 1000000000000>,
             #hetero.device_spec<device = #gpu, memory = 13000, compute = 9000000000, bandwidth = 1000000000000, overlap = false>],
  links = [#hetero.link<from = #cpu, to = #gpu, bandwidth = 1000000000000, latency = 1000>,
           #hetero.link<from = #gpu, to = #cpu, bandwidth = 1000000000000, latency = 1000>]>} {
  func.func @limits(%a: tensor<1000xf32>, %e: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>) {
    %v = arith.constant dense<2.0> : tensor<1000xf32>
    %w = arith.constant dense<3.0> : tensor<1000xf32>
    %0 = linalg.mul ins(%a, %v : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %1 = linalg.mul ins(%0, %w : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %2 = linalg.abs {hetero.device = #gpu} ins(%a : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %3 = linalg.floor {hetero.colocate = "both"} ins(%2 : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %4 = linalg.ceil {hetero.colocate = "both"} ins(%1 : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    return %1, %3, %4 : tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>
  }
}
