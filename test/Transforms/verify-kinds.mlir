// RUN: hetero-opt-test-passes %s --hetero-verify --split-input-file --verify-diagnostics

// Once placed, no operation stands on a kind that cannot run it.

module attributes {hetero.phase = #hetero.phase<placed>} {
  func.func @placed(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = linalg.mul {hetero.device = #hetero.device<dsp:0>} ins(%a, %a : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    // expected-error @below {{breaks the contract of phase 'placed': cannot run on dsp:0: no dsp kernel for linalg.add whose body holds arith.addf; place it elsewhere}}
    %1 = linalg.add {hetero.device = #hetero.device<dsp:0>} ins(%a, %0 : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}

// -----

// A region holds only what its kind runs.

#dsp = #hetero.device<dsp:0>
module attributes {hetero.phase = #hetero.phase<partitioned>} {
  func.func @multiplies(%a: tensor<8xf32, #dsp>) -> tensor<8xf32, #dsp> {
    %r = hetero.execute "r" on #dsp (%x = %a : tensor<8xf32, #dsp>) -> (tensor<8xf32, #dsp>) {
      %e = tensor.empty() : tensor<8xf32>
      %0 = linalg.mul ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      hetero.yield %0 : tensor<8xf32>
    }
    return %r : tensor<8xf32, #dsp>
  }
  func.func @adds(%a: tensor<8xf32, #dsp>) -> tensor<8xf32, #dsp> {
    %r = hetero.execute "sum" on #dsp (%x = %a : tensor<8xf32, #dsp>) -> (tensor<8xf32, #dsp>) {
      // expected-error @below {{is in region "sum" of dsp:0, which cannot run it: no dsp kernel for linalg.add whose body holds arith.addf; place it elsewhere}}
      %0 = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
      hetero.yield %0 : tensor<8xf32>
    }
    return %r : tensor<8xf32, #dsp>
  }
}

// -----

// The same holds for a gpu.

#gpu = #hetero.device<gpu:0>
module attributes {hetero.phase = #hetero.phase<partitioned>} {
  func.func @type(%a: tensor<8xi4, #gpu>) -> tensor<8xi4, #gpu> {
    %r = hetero.execute "sum" on #gpu (%x = %a : tensor<8xi4, #gpu>) -> (tensor<8xi4, #gpu>) {
      // expected-error @below {{is in region "sum" of gpu:0, which cannot run it: no gpu kernel for linalg.add on elements of type i4; place it elsewhere}}
      %0 = linalg.add ins(%x, %x : tensor<8xi4>, tensor<8xi4>) outs(%x : tensor<8xi4>) -> tensor<8xi4>
      hetero.yield %0 : tensor<8xi4>
    }
    return %r : tensor<8xi4, #gpu>
  }
}

// -----

// A kind has rules of its own: this one runs eight operations at most.

#dsp = #hetero.device<dsp:0>
module attributes {hetero.phase = #hetero.phase<partitioned>} {
  func.func @long(%a: tensor<8xf32, #dsp>) -> tensor<8xf32, #dsp> {
    // expected-error @below {{expected at most 8 operations for a dsp, got 9; use several regions}}
    %r = hetero.execute "long" on #dsp (%x = %a : tensor<8xf32, #dsp>) -> (tensor<8xf32, #dsp>) {
      %0 = linalg.mul ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
      %1 = linalg.mul ins(%0, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
      %2 = linalg.mul ins(%1, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
      %3 = linalg.mul ins(%2, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
      %4 = linalg.mul ins(%3, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
      %5 = linalg.mul ins(%4, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
      %6 = linalg.mul ins(%5, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
      %7 = linalg.mul ins(%6, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
      %8 = linalg.mul ins(%7, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
      hetero.yield %8 : tensor<8xf32>
    }
    return %r : tensor<8xf32, #dsp>
  }
}
