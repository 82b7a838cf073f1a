// RUN: hetero-opt %s --split-input-file --verify-diagnostics

func.func @copy_c1_shape(%x: tensor<4xf32>) {
  // expected-error@+1 {{'hetero.copy' op expected source and result of the same shape and element type, got 'tensor<4xf32>' and 'tensor<5xf32, #hetero.device<gpu:0>>'; a copy changes the device only}}
  %0 = hetero.copy %x : tensor<4xf32> -> tensor<5xf32, #hetero.device<gpu:0>>
  return
}

// -----

func.func @copy_c1_element(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected source and result of the same shape and element type}}
  %0 = hetero.copy %x : tensor<4xf32> -> tensor<4xf64, #hetero.device<gpu:0>>
  return
}

// -----

func.func @copy_c2_ordinal(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected an ordinal on the result's device, got #hetero.device<gpu>; write #hetero.device<gpu:0>}}
  %0 = hetero.copy %x : tensor<4xf32> on #hetero.device<cpu:0> -> tensor<4xf32> on #hetero.device<gpu>
  return
}

// -----

func.func @copy_c2_contradiction(%x: tensor<4xf32, #hetero.device<gpu:0>>) {
  // expected-error@+1 {{the source's device gpu:1 contradicts its type 'tensor<4xf32, #hetero.device<gpu:0>>'; remove one of them}}
  %0 = hetero.copy %x : tensor<4xf32, #hetero.device<gpu:0>> on #hetero.device<gpu:1> -> tensor<4xf32> on #hetero.device<cpu:0>
  return
}

// -----

func.func @copy_c2_encoding(%x: tensor<4xf32, "other">) {
  // expected-error@+1 {{expected the source to have a device or no encoding, got "other"; remove the encoding}}
  %0 = hetero.copy %x : tensor<4xf32, "other"> -> tensor<4xf32>
  return
}

// -----

func.func @copy_c3(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected a device after 'on' at both ends or at none, got one; write the other}}
  %0 = hetero.copy %x : tensor<4xf32> -> tensor<4xf32> on #hetero.device<gpu:0>
  return
}

// -----

func.func @execute_c1() {
  // expected-error@+1 {{'hetero.execute' op expected a device with an ordinal, got #hetero.device<gpu>; write #hetero.device<gpu:0>}}
  hetero.execute "r" on #hetero.device<gpu> () {
    hetero.yield
  }
  return
}

// -----

func.func @execute_c2_device(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected operands on gpu:0, got 'tensor<4xf32>'; insert a hetero.copy before it}}
  hetero.execute "r" on #hetero.device<gpu:0> (%a = %x : tensor<4xf32>) {
    hetero.yield
  }
  return
}

// -----

func.func @execute_c2_argument(%x: tensor<4xf32, #hetero.device<gpu:0>>) {
  // expected-error@+1 {{expected a block argument of type 'tensor<4xf32>', got 'tensor<4xf32, #hetero.device<gpu:0>>'; bodies work on plain tensors}}
  "hetero.execute"(%x) <{name = "r", device = #hetero.device<gpu:0>}> ({
  ^bb0(%a: tensor<4xf32, #hetero.device<gpu:0>>):
    hetero.yield
  }) : (tensor<4xf32, #hetero.device<gpu:0>>) -> ()
  return
}

// -----

func.func @execute_c2_count(%x: tensor<4xf32, #hetero.device<gpu:0>>) {
  // expected-error@+1 {{expected a block argument per operand, got 0 and 1; bind each operand to an argument}}
  "hetero.execute"(%x) <{name = "r", device = #hetero.device<gpu:0>}> ({
    hetero.yield
  }) : (tensor<4xf32, #hetero.device<gpu:0>>) -> ()
  return
}

// -----

func.func @execute_c3_type(%x: tensor<4xf32, #hetero.device<gpu:0>>) {
  // expected-error@+1 {{expected a result of type 'tensor<4xf32, #hetero.device<gpu:0>>', got 'tensor<4xf32>'; results are on the region's device}}
  %0 = hetero.execute "r" on #hetero.device<gpu:0> (%a = %x : tensor<4xf32, #hetero.device<gpu:0>>) -> (tensor<4xf32>) {
    hetero.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @execute_c3_count() {
  // expected-error@+1 {{expected a hetero.yield of 1 values, got 0; yield one value per result}}
  %0 = hetero.execute "r" on #hetero.device<gpu:0> () -> (tensor<4xf32, #hetero.device<gpu:0>>) {
    hetero.yield
  }
  return
}

// -----

func.func @execute_isolated(%x: tensor<4xf32>) {
  // expected-note@+1 {{required by region isolation constraints}}
  hetero.execute "r" on #hetero.device<cpu:0> () {
    // expected-error@+1 {{using value defined outside the region}}
    %0 = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
    hetero.yield
  }
  return
}

// -----

func.func @wait_c1() {
  // expected-error@+1 {{'hetero.wait' op expected a device other than the host, with an ordinal, got #hetero.device<cpu:0>}}
  hetero.wait on #hetero.device<cpu:0>
  return
}

// -----

func.func @node_c1() {
  // expected-error@+1 {{'hetero.node' op expected a name, got none; add one, or remove the op}}
  hetero.node []
  return
}

// -----

func.func @node_c1() {
  // expected-error@+1 {{'hetero.node' op expected names in one line each, got "Conv\0Aa"; take the line break out}}
  hetero.node ["Conv\0Aa"]
  return
}

// -----

func.func @order_c1() {
  // expected-error@+1 {{'hetero.order' op expected a device other than the host, with an ordinal, got #hetero.device<gpu>}}
  hetero.order #hetero.device<gpu:0, unit = "b"> after #hetero.device<gpu>
  return
}

// -----

func.func @order_c2() {
  // expected-error@+1 {{'hetero.order' op expected two units, got #hetero.device<gpu:0, unit = "a"> twice; one unit's work is in order by itself}}
  hetero.order #hetero.device<gpu:0, unit = "a"> after #hetero.device<gpu:0, unit = "a">
  return
}

// -----

// device_c1
// expected-error@+1 {{expected a device with an ordinal as a tensor's encoding, got #hetero.device<gpu>; write #hetero.device<gpu:0>}}
func.func private @device_c1(tensor<4xf32, #hetero.device<gpu>>)

// -----

// device_c2
// expected-error@+1 {{expected a device without unit and codegen as a tensor's encoding}}
func.func private @device_c2(tensor<4xf32, #hetero.device<gpu:0, unit = "u">>)

// -----

// device_c3
// expected-error@+1 {{expected no encoding for a tensor on the host, got #hetero.device<cpu:0>; remove the encoding}}
func.func private @device_c3(tensor<4xf32, #hetero.device<cpu:0>>)

// -----

// expected-error@+1 {{unknown field 'units'; the fields are 'node', 'unit' and 'codegen'}}
func.func private @device_field() attributes {hetero.device = #hetero.device<gpu:0, units = "u">}

// -----

// expected-error@+1 {{expected a node of at most 65535, got 65536; nodes are counted from 0}}
func.func private @node_large() attributes {hetero.device = #hetero.device<gpu:0, node = 65536>}

// -----

// expected-error@+1 {{field 'node' given twice}}
func.func private @node_twice() attributes {hetero.device = #hetero.device<gpu:0, node = 0, node = 1>}

// -----

// expected-error@+1 {{expected the host cpu:0@1 of gpu:0@1's node among the topology's devices; add a device_spec for it}}
module attributes {hetero.topology = #hetero.topology<devices = [
  <device = <cpu:0>, compute = 1, bandwidth = 1>,
  <device = <gpu:0, node = 1>, compute = 1, bandwidth = 1>]>} {}

// -----

// expected-error@+1 {{'hetero.device' expects a #hetero.device attribute, got "gpu:0"}}
func.func private @device_string() attributes {hetero.device = "gpu:0"}

// -----

// expected-error@+1 {{'hetero.phase' expects a #hetero.phase attribute, got "placed"; remove it to start from the first phase}}
module attributes {hetero.phase = "placed"} {}

// -----

// expected-error@+1 {{expected a phase, got 'later'; the phases are none, annotated, placed, materialized, copies-optimized, partitioned, codegen, bufferized, scheduled, planned, gpu, llvm}}
module attributes {hetero.phase = #hetero.phase<later>} {}

// -----

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1, compute = 1, bandwidth = 1>
// topology_c1
// expected-error@+1 {{device cpu:0 is listed twice in the topology}}
#topology = #hetero.topology<devices = [#cpu, #cpu]>

// -----

#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 1, compute = 1, bandwidth = 1>
// topology_c2
// expected-error@+1 {{expected the host cpu:0 among the topology's devices; add a device_spec for it}}
#topology = #hetero.topology<devices = [#gpu]>

// -----

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1, compute = 1, bandwidth = 1>
#link = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1, latency = 1>
// topology_c3
// expected-error@+1 {{expected a link between two different devices of the topology, got cpu:0 to gpu:0}}
#topology = #hetero.topology<devices = [#cpu], links = [#link]>

// -----

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1, compute = 1, bandwidth = 1>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 1, compute = 1, bandwidth = 1>
#link = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1, latency = 1>
// topology_c4
// expected-error@+1 {{the link from cpu:0 to gpu:0 is listed twice}}
#topology = #hetero.topology<devices = [#cpu, #gpu], links = [#link, #link]>

// -----

func.func @weights_of_a_loop(%n: index) {
  // expected-error@+1 {{'scf.for' op 'hetero.branch_weights' expects control flow that is no loop; put it on scf.if or scf.index_switch}}
  scf.for %i = %n to %n step %n {
  } {hetero.branch_weights = array<i32: 1>}
  return
}

// -----

func.func @one_weight_of_two(%p: i1) {
  // expected-error@+1 {{'scf.if' op 'hetero.branch_weights' expects 2 weights that are not negative and not all 0, got array<i32: 1>; write array<i32: 9, 1>, for example}}
  scf.if %p {
  } {hetero.branch_weights = array<i32: 1>}
  return
}

// -----

func.func @no_weight(%p: i1) {
  // expected-error@+1 {{'scf.if' op 'hetero.branch_weights' expects 2 weights that are not negative and not all 0, got array<i32: 0, 0>}}
  scf.if %p {
  } {hetero.branch_weights = array<i32: 0, 0>}
  return
}

// -----

// expected-error@+1 {{'func.func' op 'hetero.dynamic_sizes' expects an array of a positive number for each of the 2 dynamic dimensions of 'tensor<?x3x?xf32>', got array<i64: 7>; write array<i64: 64, 64>, for example}}
func.func @sizes_count(%x: tensor<?x3x?xf32> {hetero.dynamic_sizes = array<i64: 7>}) {
  return
}

// -----

// expected-error@+1 {{expects an array of a positive number for each of the 1 dynamic dimensions}}
func.func @sizes_positive(%x: tensor<?xf32> {hetero.dynamic_sizes = array<i64: 0>}) {
  return
}

// -----

// expected-error@+1 {{expects an array of a positive number for each of the 1 dynamic dimensions}}
func.func @sizes_type(%x: tensor<?xf32> {hetero.dynamic_sizes = 4}) {
  return
}

// -----

// expected-error@+1 {{'hetero.dynamic_sizes' expects an argument with dynamic dimensions, got 'tensor<4xf32>'; remove it}}
func.func @sizes_static(%x: tensor<4xf32> {hetero.dynamic_sizes = array<i64: 4>}) {
  return
}

// -----

// expected-error@+1 {{'func.func' op 'hetero.dimension_names' expects a text for each dynamic dimension of a tensor, got ["batch"] for 'tensor<?x?xf32>'; write ["batch", ""], for example}}
func.func @names_count(%x: tensor<?x?xf32> {hetero.dimension_names = ["batch"]}) {
  return
}

// -----

// expected-error@+1 {{'hetero.dimension_names' expects a text for each dynamic dimension of a tensor}}
func.func @names_type(%x: tensor<?xf32> {hetero.dimension_names = [4]}) {
  return
}

// -----

func.func @tensor_map_c1(%base: i64, %size: index) {
  // expected-error@+1 {{'hetero.tensor_map' op expected as many numbers of the box as sizes, and one stride less, got 2 sizes, 1 strides and 3 numbers; add or remove some}}
  %0 = hetero.tensor_map %base : i64 [%size, %size] by [%size] of f16 box [64, 128, 1] swizzle 128 on #hetero.device<gpu:0>
  return
}
