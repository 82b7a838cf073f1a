// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies | FileCheck %s --check-prefix=COPY -enable-var-scope
// RUN: hetero-opt %s --hetero-place="conflict=replicate" --hetero-materialize-copies | FileCheck %s --check-prefix=REPLICATE -enable-var-scope
// RUN: hetero-opt %s --hetero-place="conflict=replicate" --remarks-filter=hetero-place -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not hetero-opt %s --hetero-place="conflict=error" 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: hetero-opt %s --hetero-place="conflict=warn" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: not hetero-opt %s --hetero-place="conflict=maybe" 2>&1 | FileCheck %s --check-prefix=BAD

// REMARK: remark: [Passed] replicated | Category:hetero-place | Reason="needed there by linalg.exp at {{[0-9]+:[0-9]+}}, pinned", Remark="linalg.negf repeated on gpu:0"
// REMARK: remark: [Passed] replicated | Category:hetero-place | {{.*}}Remark="an argument of @callee repeated on gpu:1"

// WARN: warning: expected a value that one device needs, got one that is needed on cpu:0, gpu:0; pin what makes it, write a hetero.copy, or use conflict=copy to say nothing
// WARN: note: 'linalg.exp' op needs it on cpu:0
// WARN: note: 'linalg.exp' op needs it on gpu:0
// WARN: warning: expected a value that one device needs, got one that is needed on cpu:0, gpu:1

// BAD: for the --conflict option: Cannot find option named 'maybe'!

#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>

// What both devices need is made once and copied, or made twice, or an error
// that shows each use. An argument of a public function is copied in any case.

// COPY-LABEL: func.func @producer
// COPY-COUNT-1: = linalg.negf
// COPY-NOT: = linalg.negf
// COPY: return
// REPLICATE-LABEL: func.func @producer
// REPLICATE: hetero.copy %arg0
// REPLICATE-NOT: hetero.copy
// REPLICATE-DAG: linalg.negf {hetero.device = #hetero.device<cpu:0>, hetero.origin = "replicated for cpu:0"}
// REPLICATE-DAG: linalg.negf {hetero.device = #hetero.device<gpu:0>, hetero.origin = "replicated for gpu:0"}
// REPLICATE-NOT: = linalg.negf
// REPLICATE: return
// ERROR: place-conflicts.mlir:[[#@LINE+5]]:8: error: expected a value that one device needs, got one that is needed on cpu:0, gpu:0; pin what makes it, write a hetero.copy, or use conflict=copy
// ERROR: note: 'linalg.exp' op needs it on cpu:0
// ERROR: note: 'linalg.exp' op needs it on gpu:0
func.func @producer(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32> {hetero.device = #gpu0}) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.negf ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp {hetero.device = #cpu} ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.exp {hetero.device = #gpu0} ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// A private function takes the argument once per device.

// COPY-LABEL: func.func @caller
// REPLICATE-LABEL: func.func @caller
// REPLICATE: hetero.copy %arg0 {{.*}} -> tensor<4xf32, #hetero.device<gpu:1>>
// REPLICATE: call @callee(%{{.+}}, %{{.+}}) {{.*}} : (tensor<4xf32>, tensor<4xf32, #hetero.device<gpu:1>>)
// REPLICATE: func.func private @callee(%{{.+}}: tensor<4xf32> {{.*}}, %{{.+}}: tensor<4xf32, #hetero.device<gpu:1>> {{.*}})
// REPLICATE-NOT: hetero.copy
// REPLICATE: return
func.func @caller(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32> {hetero.device = #gpu1}) {
  %0:2 = func.call @callee(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
// ERROR: error: expected a value that one device needs, got one that is needed on cpu:0, gpu:1
func.func private @callee(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp {hetero.device = #cpu} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.abs {hetero.device = #gpu1} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// What is pinned is no conflict: the user said where it is made.

// REPLICATE-LABEL: func.func @pinned
// REPLICATE-COUNT-1: = linalg.negf
// REPLICATE-NOT: = linalg.negf
// ERROR-NOT: error:
func.func @pinned(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32> {hetero.device = #gpu0}) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.negf {hetero.device = #cpu} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp {hetero.device = #cpu} ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.exp {hetero.device = #gpu0} ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}
