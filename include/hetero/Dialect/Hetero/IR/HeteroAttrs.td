//===- HeteroAttrs.td - Attributes of the hetero dialect ---*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_HETEROATTRS_TD
#define HETERO_DIALECT_HETERO_IR_HETEROATTRS_TD

include "hetero/Dialect/Hetero/IR/HeteroDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/IR/EnumAttr.td"

class Hetero_Attr<string name, string mnemonic_, list<Trait> traits = []>
    : AttrDef<Hetero_Dialect, name, traits> {
  let mnemonic = mnemonic_;
}

def Hetero_DeviceAttr
    : Hetero_Attr<"Device", "device",
                  [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "Names a device";
  let description = [{
    A device is a kind and an ordinal: `#hetero.device<gpu:0>`. Left out, the
    ordinal stands for any device of the kind: `#hetero.device<gpu>`. The kind
    is an open, registered name; `cpu:0` is the host. Of a machine of several
    nodes, each with a host of its own, `node` says on which one the device is;
    left out, it is node 0, whose `cpu:0` is the host of the program. As text,
    in rules, options and reports, `gpu:0@1` is `gpu:0` of node 1. On operations
    two more fields may be given:

    - `unit`: a queue or partition within the device; ops of different units may
      overlap, those of one unit keep their order;
    - `codegen`: who generates the code (`mlir`, or the name of a library).

    As the encoding of a tensor type (C1) the ordinal is present, (C2) unit and
    codegen are absent, and (C3) the device is not the host, which is spelled as
    a tensor without an encoding.

    ```mlir
    #hetero.device<gpu:0>
    #hetero.device<cpu>
    #hetero.device<gpu:1, unit = "encoder", codegen = "cudnn">
    #hetero.device<gpu:0, node = 1>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"device kind">:$kind,
    "int64_t":$ordinal,
    StringRefParameter<"queue or partition, or empty">:$unit,
    StringRefParameter<"code generator, or empty">:$codegen,
    "int64_t":$node);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    AttrBuilder<(ins "::llvm::StringRef":$kind, CArg<"int64_t", "-1">:$ordinal,
                     CArg<"int64_t", "0">:$node), [{
      return $_get($_ctxt, kind, ordinal, "", "", node);
    }]>
  ];
  let extraClassDeclaration = [{
    /// Ordinal that stands for any device of the kind.
    static constexpr int64_t kAnyOrdinal = -1;

    /// The host, `cpu:0`.
    static DeviceAttr getHost(::mlir::MLIRContext *context);

    bool hasOrdinal() const { return getOrdinal() != kAnyOrdinal; }
    /// True for `cpu:0` of node 0 with any unit and codegen.
    bool isHost() const { return isHostOfNode() && getNode() == 0; }
    /// True for `cpu:0` of any node.
    bool isHostOfNode() const {
      return getKind() == kHostKind && getOrdinal() == 0;
    }
    /// The same device without unit and codegen, as tensor types carry it.
    DeviceAttr getBare() const { return with("", ""); }
    /// The same device with these.
    DeviceAttr with(::llvm::StringRef unit, ::llvm::StringRef codegen) const;
    /// The device of the same kind and ordinal on another node.
    DeviceAttr onNode(int64_t node) const;
    /// True if both name the same kind, ordinal and node.
    bool isSameDevice(DeviceAttr other) const {
      return getKind() == other.getKind() &&
             getOrdinal() == other.getOrdinal() && getNode() == other.getNode();
    }
    /// By node, kind, ordinal and unit.
    static bool comesBefore(DeviceAttr a, DeviceAttr b);
    /// The most general device that satisfies both specifications, or null if
    /// they contradict each other. Left-out fields satisfy everything, but a
    /// node that is left out is node 0.
    DeviceAttr meet(DeviceAttr other) const;
    /// "gpu:0", or "gpu:0@1" on node 1, as messages print it.
    std::string str() const;
  }];
}

def Hetero_DeviceSpecAttr : Hetero_Attr<"DeviceSpec", "device_spec"> {
  let summary = "Describes one device of a topology";
  let description = [{
    `memory` in bytes (left out: not limited), `compute` in operations per
    second (f32), `bandwidth` of its memory in bytes per second, `launch`
    overhead per operation in picoseconds, the element types that it supports
    (left out: all), and the code generator's target
    (`#nvvm.target<chip = "sm_90">`, left out: the default). `overlap` says
    whether copies to and from the device run while it computes (left out: yes);
    without, they count as its own work.

    ```mlir
    #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 17179869184,
      compute = 10000000000000, bandwidth = 500000000000, launch = 5000000>
    ```
  }];
  let parameters = (ins
    "DeviceAttr":$device,
    OptionalParameter<"std::optional<int64_t>">:$memory,
    "int64_t":$compute,
    "int64_t":$bandwidth,
    DefaultValuedParameter<"int64_t", "0">:$launch,
    OptionalParameter<"::mlir::ArrayAttr">:$types,
    OptionalParameter<"::mlir::Attribute">:$target,
    DefaultValuedParameter<"bool", "true">:$overlap);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Hetero_LinkAttr : Hetero_Attr<"Link", "link"> {
  let summary = "Describes a directed link between two devices";
  let description = [{
    `bandwidth` in bytes per second and `latency` in picoseconds. `unified` says
    that both sides address the same memory, so that a copy moves no bytes and
    is only an event wait.

    ```mlir
    #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>,
                 bandwidth = 12000000000, latency = 10000000>
    ```
  }];
  let parameters = (ins
    "DeviceAttr":$from,
    "DeviceAttr":$to,
    "int64_t":$bandwidth,
    "int64_t":$latency,
    DefaultValuedParameter<"bool", "false">:$unified);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Hetero_NetworkAttr : Hetero_Attr<"Network", "network"> {
  let summary = "Describes what joins the hosts of nodes";
  let description = [{
    Stands for a link from the host of each node to that of each other one, of
    this `bandwidth` in bytes per second and `latency` in picoseconds. A
    thousand nodes have a million such links, which no topology has to list.

    ```mlir
    #hetero.network<bandwidth = 10000000000, latency = 5000000>
    ```
  }];
  let parameters = (ins
    "int64_t":$bandwidth,
    "int64_t":$latency);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Hetero_TopologyAttr : Hetero_Attr<"Topology", "topology"> {
  let summary = "Describes the machine that a module is placed on";
  let description = [{
    Stands on the module as `hetero.topology`. A built-in default serves when it
    is absent (docs/Topology.md). (C1) Devices are unique and have an ordinal;
    (C2) the host `cpu:0` is among them, and that of each node that has devices;
    (C3) a link joins two different devices of the topology; (C4) links are
    unique; (C5) a link between two nodes joins their hosts and is not
    `unified`: nodes share no memory, and messages go from host to host.
    `network` joins the hosts of each two nodes that no link joins.

    ```mlir
    module attributes {hetero.topology = #hetero.topology<
      devices = [#hetero.device_spec<...>, #hetero.device_spec<...>],
      links = [#hetero.link<...>], network = #hetero.network<...>>} {}
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"DeviceSpecAttr">:$devices,
    OptionalArrayRefParameter<"LinkAttr">:$links,
    OptionalParameter<"NetworkAttr">:$network);
  let builders = [
    AttrBuilder<(ins "::llvm::ArrayRef<DeviceSpecAttr>":$devices,
                     "::llvm::ArrayRef<LinkAttr>":$links), [{
      return $_get($_ctxt, devices, links, NetworkAttr());
    }]>
  ];
  // A part that is refused says why; the generated parser of a list would add a
  // second error.
  let assemblyFormat = [{
    `<` `devices` `=` custom<Machine>($devices, $links, $network) `>`
  }];
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

def Hetero_Phase : I32Enum<"Phase", "phase of the pipeline", [
    I32EnumCase<"None", 0, "none">,
    I32EnumCase<"Annotated", 1, "annotated">,
    I32EnumCase<"Placed", 2, "placed">,
    I32EnumCase<"Materialized", 3, "materialized">,
    I32EnumCase<"CopiesOptimized", 4, "copies-optimized">,
    I32EnumCase<"Partitioned", 5, "partitioned">,
    I32EnumCase<"Codegen", 6, "codegen">,
    I32EnumCase<"Bufferized", 7, "bufferized">,
    I32EnumCase<"Scheduled", 8, "scheduled">,
    I32EnumCase<"Planned", 9, "planned">,
    I32EnumCase<"GPU", 10, "gpu">,
    I32EnumCase<"LLVM", 11, "llvm">]> {
  let cppNamespace = "::mlir::hetero";
}

def Hetero_PhaseAttr : EnumAttr<Hetero_Dialect, Hetero_Phase, "phase"> {
  let summary = "Names the last phase of the pipeline that ran";
  let description = [{
    Stands on the module as `hetero.phase`; a module without it is as it came
    in. What each phase promises is in `--hetero-verify`.

    ```mlir
    module attributes {hetero.phase = #hetero.phase<placed>} {}
    ```
  }];
  let assemblyFormat = "`<` custom<Phase>($value) `>`";
}

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

def Hetero_ConflictMode : I32Enum<"ConflictMode", "what becomes of a conflict", [
    I32EnumCase<"Copy", 0, "copy">,
    I32EnumCase<"Replicate", 1, "replicate">,
    I32EnumCase<"Warn", 2, "warn">,
    I32EnumCase<"Error", 3, "error">]> {
  let cppNamespace = "::mlir::hetero";
}

def Hetero_ConflictModeAttr
    : EnumAttr<Hetero_Dialect, Hetero_ConflictMode, "conflict"> {
  let summary = "Says what becomes of what annotations leave open";
  let description = [{
    On which device a value is made that placed operations need on several, and
    on which an operation runs that annotations further away pull to several.

    - `copy`: cost decides; a value is made once and copied.
    - `replicate`: cost decides; what makes a value is repeated: pure operations,
      one for each device, and private functions take the argument once per
      device. Other values are copied.
    - `warn`: as `copy`, and each is a warning.
    - `error`: each is an error.

    Stands as `hetero.conflict` on an operation, for its results and itself, on
    an argument of a function, and on a function, control flow or the module for
    all inside. The innermost one decides; without one, the option `conflict` of
    `--hetero-place`.

    ```mlir
    %0 = math.exp %x {hetero.conflict = #hetero.conflict<error>} : tensor<4xf32>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Hetero_MemoryScope : I32Enum<"MemoryScope", "memory of a device", [
    I32EnumCase<"Device", 0, "device">,
    I32EnumCase<"Unified", 1, "unified">]> {
  let cppNamespace = "::mlir::hetero";
}

def Hetero_MemoryScopeAttr
    : EnumAttr<Hetero_Dialect, Hetero_MemoryScope, "memory"> {
  let summary = "Names a memory of a device that has several";
  let description = [{
    - `device`: the memory that belongs to the device alone, as without the
      attribute.
    - `unified`: memory that the host and all devices address. A copy of what is
      there moves no byte and waits only, as over a `unified` link; each access
      from elsewhere is as slow as the link.

    Stands as `hetero.memory` on an operation, for its results, and on an
    argument of a function. (C1) These are tensors.

    ```mlir
    %0 = math.exp %x {hetero.memory = #hetero.memory<unified>} : tensor<4xf32>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

#endif // HETERO_DIALECT_HETERO_IR_HETEROATTRS_TD
