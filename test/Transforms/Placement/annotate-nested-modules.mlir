// RUN: hetero-opt %s --hetero-annotate --split-input-file --verify-diagnostics | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-annotate --hetero-annotate --split-input-file --verify-diagnostics | FileCheck %s -enable-var-scope

// Acts: functions of nested modules become the module's, in their place.
// Call: a private one whose name is taken gets another, and so do its callers.

// CHECK-LABEL: module attributes {
// CHECK-NEXT: func.func private @twice(%{{.*}}: tensor<4xf32>)
// CHECK: func.func private @twice_0(%{{.*}}: tensor<8xf32>)
// CHECK: func.func @main
// CHECK: call @twice_0
// CHECK: func.func @last
// CHECK: call @twice(
// CHECK-NOT: module
module {
  func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
  module @inner {
    module {
      func.func private @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
        return %x : tensor<8xf32>
      }
      func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
        %0 = call @twice(%x) : (tensor<8xf32>) -> tensor<8xf32>
        return %0 : tensor<8xf32>
      }
    }
  }
  func.func @last(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// Of a private and a public symbol the private one gets another name, wherever
// it stands; references through the module's name are shortened.

// CHECK-LABEL: module attributes {
// CHECK-NEXT: func.func private @main_0()
// CHECK: func.func @main() attributes {refers = @state}
// CHECK: func.func @user() attributes {refers = @main}
// CHECK: call @main_0
module {
  func.func private @main() {
    return
  }
  module @main_module {
    func.func @main() attributes {refers = @state} {
      return
    }
  }
  func.func @user() attributes {refers = @main_module::@main} {
    call @main() : () -> ()
    return
  }
}

// -----

// Must not act: a module of kernels is no program.

// CHECK-LABEL: module attributes {gpu.container_module
// CHECK: gpu.module @kernels
module attributes {gpu.container_module} {
  gpu.module @kernels {
  }
}

// -----

// Conflict: two entry points of one name.

module {
  // expected-note@+1 {{the other one}}
  func.func @main() {
    return
  }
  module {
    // expected-error@+1 {{'func.func' op expected public symbols of different names, got @main in a nested module and outside of it; rename one or make it private}}
    func.func @main() {
      return
    }
  }
}
