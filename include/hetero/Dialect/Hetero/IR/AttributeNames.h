//===- AttributeNames.h - Names of the dialect's attributes -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every discardable attribute of the dialect, those that users write and those
// that passes leave for each other, by the phase that writes it. The dialect's
// verifier refuses other names.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_ATTRIBUTENAMES_H
#define HETERO_DIALECT_HETERO_IR_ATTRIBUTENAMES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::hetero {

//===----------------------------------------------------------------------===//
// The machine and the module
//===----------------------------------------------------------------------===//

/// The last phase that ran (`#hetero.phase`).
inline constexpr llvm::StringLiteral kPhaseAttrName = "hetero.phase";
inline constexpr llvm::StringLiteral kTopologyAttrName = "hetero.topology";
/// The devices of the machine that the program is compiled for, besides the
/// host, an array on the module: they stand in the default topology instead of
/// gpu:0.
inline constexpr llvm::StringLiteral kMachineAttrName = "hetero.machine";
/// A dictionary on the module from the names of devices to the bytes that the
/// program may use of each.
inline constexpr llvm::StringLiteral kMemoryBudgetAttrName =
    "hetero.memory_budget";

/// Keys of a `#dlti.target_device_spec`: what a device_spec says of a device,
/// and the links from it. They are no names of attributes.
inline constexpr llvm::StringLiteral kMemoryKey = "hetero.memory";
inline constexpr llvm::StringLiteral kComputeKey = "hetero.compute";
inline constexpr llvm::StringLiteral kBandwidthKey = "hetero.bandwidth";
inline constexpr llvm::StringLiteral kLaunchKey = "hetero.launch";
inline constexpr llvm::StringLiteral kTypesKey = "hetero.types";
inline constexpr llvm::StringLiteral kTargetKey = "hetero.target";
inline constexpr llvm::StringLiteral kOverlapKey = "hetero.overlap";
inline constexpr llvm::StringLiteral kLinksKey = "hetero.links";
inline constexpr llvm::StringLiteral kNetworkKey = "hetero.network";

//===----------------------------------------------------------------------===//
// What the program assumes and allows
//===----------------------------------------------------------------------===//

/// Attribute of the module: the iterations of a loop whose trip count is not
/// static, for costs. It wins over the options.
inline constexpr llvm::StringLiteral kTripCountAttrName = "hetero.trip_count";
/// Attribute of the module: the size of dynamic dimensions of which nothing
/// else is known.
inline constexpr llvm::StringLiteral kDynamicSizeAttrName =
    "hetero.dynamic_size";
/// Attribute of a function's argument: one size per dynamic dimension.
inline constexpr llvm::StringLiteral kDynamicSizesAttrName =
    "hetero.dynamic_sizes";
/// Attribute of a function's argument: the name of each dynamic dimension,
/// empty where it has none. Dimensions of one name have one size.
inline constexpr llvm::StringLiteral kDimensionNamesAttrName =
    "hetero.dimension_names";
/// Attribute of control flow with regions that is no loop: how often each of
/// them is taken, in proportion. Branches among blocks have `branch_weights`.
inline constexpr llvm::StringLiteral kBranchWeightsAttrName =
    "hetero.branch_weights";
/// A unit or a bool: whether the factors of sums of products of f32 may be
/// rounded to the 10 bits of mantissa of tf32. For an operation, and for all
/// inside of one, as of a function or a module; the innermost one decides.
inline constexpr llvm::StringLiteral kAllowTF32AttrName = "hetero.allow_tf32";
/// Unit attribute on an argument of an entry point: the caller gives its buffer
/// away, so that a result may be in it.
inline constexpr llvm::StringLiteral kDonatedAttrName = "hetero.donated";
/// On an argument or result of an entry point: the element type that callers
/// see, where the sign of integers has been erased.
inline constexpr llvm::StringLiteral kElementTypeAttrName =
    "hetero.element_type";
/// The name of the operation that the user wrote, on what replaces it and may
/// fail at run time.
inline constexpr llvm::StringLiteral kWrittenAsAttrName = "hetero.written_as";

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

/// The device of an operation, an argument or a result.
inline constexpr llvm::StringLiteral kDeviceAttrName = "hetero.device";
/// Why the operation stands there: kPinnedOrigin and others.
inline constexpr llvm::StringLiteral kOriginAttrName = "hetero.origin";
/// Why the operation stands there, and what elsewhere would cost; for readers.
inline constexpr llvm::StringLiteral kExplainAttrName = "hetero.explain";
/// Operations of one function with the same name stand on one device.
inline constexpr llvm::StringLiteral kColocateAttrName = "hetero.colocate";
/// What becomes of what annotations leave open (`#hetero.conflict`): of an
/// operation or an argument, and of all inside of an operation; the innermost
/// one decides.
inline constexpr llvm::StringLiteral kConflictAttrName = "hetero.conflict";
/// The memory that the results of an operation, or an argument, are in
/// (`#hetero.memory`).
inline constexpr llvm::StringLiteral kMemoryAttrName = "hetero.memory";
/// Those of one operation, which what replaces it has, too.
inline constexpr llvm::StringLiteral kAnnotationNames[] = {
    kDeviceAttrName, kOriginAttrName, kColocateAttrName, kConflictAttrName,
    kMemoryAttrName};
/// How many annotations there were.
inline constexpr llvm::StringLiteral kPinsAttrName = "hetero.pins";
/// Devices that the rules file names (an array), and its `default`.
inline constexpr llvm::StringLiteral kDevicesAttrName = "hetero.devices";
inline constexpr llvm::StringLiteral kDefaultAttrName = "hetero.default";
/// Where control flow carries its values: per result, per init of a loop whose
/// arguments are not its results, per argument of each block but the first.
inline constexpr llvm::StringLiteral kCarriedAttrName = "hetero.carried";
inline constexpr llvm::StringLiteral kCarriedInitsAttrName =
    "hetero.carried_inits";
inline constexpr llvm::StringLiteral kBlockArgumentsAttrName =
    "hetero.block_arguments";
/// (C1) A unit attribute (C2) on an operation whose results are ranked tensors
/// (C3) and that has no side effects: it is made again on each device.
inline constexpr llvm::StringLiteral kRepeatedAttrName = "hetero.repeated";

//===----------------------------------------------------------------------===//
// Copies, regions and buffers
//===----------------------------------------------------------------------===//

/// On a module whose copies stand before their first use: partition, which
/// orders operations anew, puts them back there, and the schedule leaves them
/// there.
inline constexpr llvm::StringLiteral kLateCopiesAttrName = "hetero.late_copies";
/// The name of the copied value in reports.
inline constexpr llvm::StringLiteral kValueAttrName = "hetero.value";
/// The name of the hetero.execute that an operation on buffers comes from.
inline constexpr llvm::StringLiteral kRegionAttrName = "hetero.region";
/// On a hetero.copy: both devices address the same memory.
inline constexpr llvm::StringLiteral kUnifiedAttrName = "hetero.unified";
/// On an allocation, or an argument of an entry point, that several devices
/// have: a device through which the runtime makes it.
inline constexpr llvm::StringLiteral kSharedAttrName = "hetero.shared";
/// Unit attribute on the allocation of a slot that constants are streamed
/// through, and on the memref.get_global of such a constant on the host: no
/// other value is the same memory.
inline constexpr llvm::StringLiteral kStreamedAttrName = "hetero.streamed";
/// The module's units, whose number is that of their stream on each device;
/// stream 0 is for work without a unit.
inline constexpr llvm::StringLiteral kUnitsAttrName = "hetero.units";

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// On the module of a node's program (i64): which node it is, of how many, and
/// a hash of the program of all nodes.
inline constexpr llvm::StringLiteral kNodeAttrName = "hetero.node";
inline constexpr llvm::StringLiteral kNodesAttrName = "hetero.nodes";
inline constexpr llvm::StringLiteral kProgramHashAttrName =
    "hetero.program_hash";
/// On control flow and calls that several nodes run (i64): their place among
/// those and the tags of transfers, the same on all nodes.
inline constexpr llvm::StringLiteral kPositionAttrName = "hetero.position";

//===----------------------------------------------------------------------===//
// Code generation
//===----------------------------------------------------------------------===//

/// Attribute of a function (string): the processor that its host code is for.
/// Left out: the one that the compiler is told, or runs on.
inline constexpr llvm::StringLiteral kProcessorAttrName = "hetero.processor";
/// Attribute of a function (string): the function that this one is the same as,
/// for another processor.
inline constexpr llvm::StringLiteral kVariantOfAttrName = "hetero.variant_of";
/// Attribute of a function or of state (string): the entry point, or the state,
/// that this one stands in for where a device is missing; and the devices that
/// decide it.
inline constexpr llvm::StringLiteral kFallbackOfAttrName = "hetero.fallback_of";
inline constexpr llvm::StringLiteral kFallbackDevicesAttrName =
    "hetero.fallback_devices";
/// Module attribute (i64): width of the vectors to generate. Left out: the
/// widest of the machine that compiles.
inline constexpr llvm::StringLiteral kVectorBitsAttrName = "hetero.vector_bits";
/// In the location of an operation: what each code generator takes for it.
inline constexpr llvm::StringLiteral kTimesAttrName = "hetero.times";
/// Marks an access that is inside of its tensor by construction.
inline constexpr llvm::StringLiteral kInsideAttrName = "hetero.inside";
/// On an arith.constant of a region: regions of other devices read the same
/// elements, which the program holds once if nobody changes their order.
inline constexpr llvm::StringLiteral kSharedConstantAttrName =
    "hetero.shared_constant";
/// On an argument of a kernel that is a constant wherever the kernel is called,
/// of elements that differ and are known: true if it may be there twice, once
/// as it is and once as panels. Only while code is generated.
inline constexpr llvm::StringLiteral kConstantArgAttrName =
    "hetero.constant_argument";
/// On the argument of a kernel: what it is the panels of.
inline constexpr llvm::StringLiteral kPanelsAttrName = "hetero.panels";
/// On a tensor.pad that windows are to read without its being in memory: true
/// if what it adds makes no difference to their results, so that they may leave
/// it out. Only while code is generated.
inline constexpr llvm::StringLiteral kBorderAttrName = "hetero.border";
/// On an operation: it runs only if its rows are too few to share panels of
/// what is transposed.
inline constexpr llvm::StringLiteral kFewRowsAttrName = "hetero.few_rows";
/// On `scf.forall`: the least number of iterations worth a thread of their own.
inline constexpr llvm::StringLiteral kGrainAttrName = "hetero.grain";
/// On a region whose code generatePreparedRegions makes.
inline constexpr llvm::StringLiteral kPreparedAttrName = "hetero.prepared";
/// Unit attribute on the functions that hetero.invoke calls. Their last
/// arguments are the destinations of their results.
inline constexpr llvm::StringLiteral kKernelAttrName = "hetero.kernel";
/// On kernels and launches: the numbers of arguments that are tensor maps,
/// which are passed as their 128 bytes.
inline constexpr llvm::StringLiteral kTensorMapsAttrName = "hetero.tensor_maps";

//===----------------------------------------------------------------------===//
// Lowering to the runtime
//===----------------------------------------------------------------------===//

/// The two devices of a copy that is a gpu.memcpy.
inline constexpr llvm::StringLiteral kFromAttrName = "hetero.from";
inline constexpr llvm::StringLiteral kToAttrName = "hetero.to";
/// On a copy of rows with gaps between them: the last dimension that counts
/// rows.
inline constexpr llvm::StringLiteral kRowsAttrName = "hetero.rows";
/// On a launch: its name in reports, where the kernel has another one.
inline constexpr llvm::StringLiteral kLabelAttrName = "hetero.label";
/// Unit attribute on the outlined bodies of parallel loops: functions that
/// return a HeteroStatus and nothing else.
inline constexpr llvm::StringLiteral kLoopBodyAttrName = "hetero.loop_body";
/// Unit attribute on calls whose i32 result is a HeteroStatus that the calling
/// function must check.
inline constexpr llvm::StringLiteral kCheckedAttrName = "hetero.checked";
/// On a hetero.resident: the symbol of its HeteroConstant.
inline constexpr llvm::StringLiteral kConstantAttrName = "hetero.constant";

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

inline constexpr llvm::StringLiteral kAttributeNames[] = {
    kPhaseAttrName,          kTopologyAttrName,     kMachineAttrName,
    kTripCountAttrName,      kDynamicSizeAttrName,  kDynamicSizesAttrName,
    kBranchWeightsAttrName,  kAllowTF32AttrName,    kDonatedAttrName,
    kElementTypeAttrName,    kWrittenAsAttrName,    kDeviceAttrName,
    kOriginAttrName,         kExplainAttrName,      kColocateAttrName,
    kPinsAttrName,           kDevicesAttrName,      kDefaultAttrName,
    kCarriedAttrName,        kCarriedInitsAttrName, kBlockArgumentsAttrName,
    kRepeatedAttrName,       kLateCopiesAttrName,   kValueAttrName,
    kRegionAttrName,         kUnifiedAttrName,      kSharedAttrName,
    kUnitsAttrName,          kProcessorAttrName,    kVariantOfAttrName,
    kVectorBitsAttrName,     kTimesAttrName,        kInsideAttrName,
    kSharedConstantAttrName, kConstantArgAttrName,  kPanelsAttrName,
    kBorderAttrName,         kFewRowsAttrName,      kGrainAttrName,
    kPreparedAttrName,       kKernelAttrName,       kTensorMapsAttrName,
    kFromAttrName,           kToAttrName,           kRowsAttrName,
    kLabelAttrName,          kLoopBodyAttrName,     kCheckedAttrName,
    kConstantAttrName,       kFallbackOfAttrName,   kFallbackDevicesAttrName,
    kConflictAttrName,       kMemoryAttrName,       kMemoryBudgetAttrName,
    kStreamedAttrName,       kNodeAttrName,         kNodesAttrName,
    kProgramHashAttrName,    kPositionAttrName,     kDimensionNamesAttrName,
};

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_ATTRIBUTENAMES_H
