// RUN: hetero-opt %s --hetero-place="objective=throughput report=%t.json certificate=%t.proof" --split-input-file | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json
// RUN: %hetero_src/scripts/check-certificate %t.proof
// RUN: hetero-opt %s --hetero-place="objective=throughput" --hetero-place="objective=throughput" --split-input-file | FileCheck %s
// RUN: hetero-opt %s --hetero-place="objective=sum certificate=%t.sum" --split-input-file | FileCheck %s --check-prefix=SUM
// RUN: %hetero_src/scripts/check-certificate %t.sum
// RUN: not hetero-opt %s --hetero-place="objective=most" --split-input-file 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: Cannot find option named 'most'

#cpu = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0>
#map = affine_map<(d0) -> (d0)>

// The same work on both devices halves what the busier one has to do; the sum
// only sees that copies cost.
// CHECK-LABEL: @halves
// CHECK: linalg.exp {hetero.device = #hetero.device<[[FIRST:...:0]]>, hetero.origin = "cost"}
// CHECK: linalg.exp {hetero.device = #hetero.device<[[FIRST]]>
// CHECK: linalg.exp {hetero.device = #hetero.device<[[SECOND:...:0]]>
// CHECK: linalg.exp {hetero.device = #hetero.device<[[SECOND]]>
// SUM-LABEL: @halves
// SUM-COUNT-4: linalg.exp {hetero.device = #hetero.device<cpu:0>
module attributes {hetero.topology = #hetero.topology<
  devices = [#hetero.device_spec<device = #cpu, compute = 1000000000, bandwidth = 1000000000000>,
             #hetero.device_spec<device = #gpu, compute = 1000000000, bandwidth = 1000000000000>],
  links = [#hetero.link<from = #cpu, to = #gpu, bandwidth = 1000000000000, latency = 1000>,
           #hetero.link<from = #gpu, to = #cpu, bandwidth = 1000000000000, latency = 1000>]>} {
  func.func @halves(%a: tensor<1000xf32>, %e: tensor<1000xf32>) -> tensor<1000xf32> {
    %0 = linalg.exp ins(%a : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %1 = linalg.exp ins(%0 : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %2 = linalg.exp ins(%1 : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %3 = linalg.exp ins(%2 : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    return %3 : tensor<1000xf32>
  }
}

// -----

#cpu = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0>

// A device that computes and copies in turns has both to do: what it gains by
// the half of the work it loses by copies that take as long. An annotation and a
// group hold as ever.
// CHECK-LABEL: @turns
// CHECK-COUNT-2: linalg.exp {hetero.device = #hetero.device<cpu:0>
// CHECK: linalg.abs {{.*}}hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned"
// CHECK: linalg.floor {{.*}}hetero.device = #hetero.device<[[PLACE:...:0]]>
// CHECK: linalg.ceil {{.*}}hetero.device = #hetero.device<[[PLACE]]>
// REPORT: "cost_seconds":
// REPORT: "lower_bound_seconds":
// REPORT: "gap": 0
// REPORT: "optimal": true
// REPORT: "objective": "throughput"
// REPORT: "single_device": {
// REPORT-NEXT: "device":
// REPORT-NEXT: "cost_seconds":
// REPORT: "loads": [
// REPORT: "device": "cpu:0"
// REPORT: "link": "cpu:0 -> gpu:0"
module attributes {hetero.topology = #hetero.topology<
  devices = [#hetero.device_spec<device = #cpu, compute = 1000000000, bandwidth = 1000000000000>,
             #hetero.device_spec<device = #gpu, compute = 1000000000, bandwidth = 1000000000000, overlap = false>],
  links = [#hetero.link<from = #cpu, to = #gpu, bandwidth = 1000000000000, latency = 3000000>,
           #hetero.link<from = #gpu, to = #cpu, bandwidth = 1000000000000, latency = 3000000>]>} {
  func.func @turns(%a: tensor<1000xf32>, %e: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>) {
    %0 = linalg.exp ins(%a : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %1 = linalg.exp ins(%0 : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %2 = linalg.abs {hetero.device = #gpu} ins(%a : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %3 = linalg.floor {hetero.colocate = "both"} ins(%2 : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %4 = linalg.ceil {hetero.colocate = "both"} ins(%a : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    return %1, %3, %4 : tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>
  }
}
