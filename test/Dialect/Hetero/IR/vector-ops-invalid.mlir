// RUN: hetero-opt %s --split-input-file --verify-diagnostics

func.func @dot_c1_group(%a: vector<16xbf16>, %b: vector<16xbf16>, %c: vector<16xf32>) -> vector<16xf32> {
  // expected-error @below {{expected groups of two bf16 for each lane of f32, or of four i8 for each of i32, got 'vector<16xbf16>' into 'vector<16xf32>'}}
  %0 = hetero.dot %a, %b into %c : vector<16xbf16> into vector<16xf32>
  return %0 : vector<16xf32>
}

// -----

func.func @dot_c1_type(%a: vector<32xi8>, %b: vector<32xi8>, %c: vector<8xf32>) -> vector<8xf32> {
  // expected-error @below {{got 'vector<32xi8>' into 'vector<8xf32>'}}
  %0 = hetero.dot %a, %b into %c : vector<32xi8> into vector<8xf32>
  return %0 : vector<8xf32>
}
