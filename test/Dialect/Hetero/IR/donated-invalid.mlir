// RUN: hetero-opt %s --split-input-file --verify-diagnostics

// (C1) a unit attribute
// expected-error @below {{'hetero.donated' expects a tensor argument of a public function, got a value for it; write the name alone}}
func.func @with_value(%x: tensor<4xf32> {hetero.donated = true}) {
  return
}

// -----

// (C2) on a tensor or a memref
// expected-error @below {{'hetero.donated' expects a tensor argument of a public function, got argument 1, which is no tensor; remove it, scalars are passed by value}}
func.func @scalar(%x: tensor<4xf32>, %n: i32 {hetero.donated}) {
  return
}

// -----

// (C3) of an entry point
// expected-error @below {{'hetero.donated' expects a tensor argument of a public function, got a private function; remove it, its callers are compiled with it}}
func.func private @callee(%x: tensor<4xf32> {hetero.donated}) {
  return
}
