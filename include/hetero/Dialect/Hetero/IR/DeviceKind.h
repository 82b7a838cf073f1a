//===- DeviceKind.h - What a kind of device is ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kind of device ("cpu", "gpu") is an object that answers what the phases
// ask: which operations it runs, what they cost, whether a region is right, and
// how code is generated. Kinds are registered with the dialect of a context;
// docs/Extending.md registers one.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_DEVICEKIND_H
#define HETERO_DIALECT_HETERO_IR_DEVICEKIND_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <memory>

namespace mlir {
class OpPassManager;

namespace hetero {

/// Who runs the regions of a kind.
enum class KindBackend {
  /// Host code, on buffers of the device's own that are in host memory.
  Host,
  /// Kernels that the CUDA driver launches on its device of the same ordinal.
  Cuda
};

/// A mid-range accelerator on PCIe, as docs/Topology.md has it.
DeviceSpecAttr getAcceleratorSpec(DeviceAttr device);

/// The device in the default topology: as its kind says, or an accelerator.
DeviceSpecAttr getDefaultSpec(DeviceAttr device);
/// The link between two devices in the default topology: PCIe, and between two
/// nodes a network of 100 Gbit/s.
LinkAttr getDefaultLink(DeviceAttr from, DeviceAttr to);
/// The same between the hosts of each two nodes.
NetworkAttr getDefaultNetwork(MLIRContext *context);

/// What the code of a kind can be made for; what is left out is no limit.
struct KernelCapabilities {
  /// Elements of tensors.
  std::function<bool(Type)> hasElementType;
  /// What is computed per element: an operation in the body of a structured
  /// operation, or an elementwise operation on tensors.
  std::function<bool(Operation &)> hasScalarOp;
  /// Operations on whole tensors that are neither: slices, softmax.
  std::function<bool(Operation *)> hasTensorOp;
  std::optional<int64_t> maxRank;
  /// Whether structured operations may have loops that are not parallel.
  bool hasReductions = true;
  /// Whether bodies of structured operations may read elements of tensors that
  /// are not their operands, by tensor.extract.
  bool readsElements = false;
};

/// One kind of device.
class DeviceKind {
public:
  explicit DeviceKind(StringRef name) : name(name.str()) {}
  virtual ~DeviceKind();

  StringRef getName() const { return name; }

  virtual KindBackend getBackend() const { return KindBackend::Host; }

  /// Capability: success if devices of this kind run the operation, of which
  /// its PlacementOpInterface says that it is not bound to the host. Else
  /// failure, and the missing capability in `reason`.
  virtual LogicalResult canRun(Operation *op, std::string &reason) const = 0;

  /// Cost: the device in the default topology.
  virtual DeviceSpecAttr getDefaultSpec(DeviceAttr device) const {
    return getAcceleratorSpec(device);
  }
  /// Cost: picoseconds of one execution on the device, or nothing for what the
  /// topology's roofline says.
  virtual std::optional<int64_t> getTime(Operation *op, PlacementCost cost,
                                         DeviceSpecAttr spec) const {
    return std::nullopt;
  }

  /// Verifier: emits an error if a region of this kind breaks its rules. Runs
  /// in `--hetero-verify`; `phase` is Partitioned or Codegen. The base class
  /// refuses what `canRun` refuses.
  virtual LogicalResult verifyRegion(ExecuteOp region, Phase phase) const;

  /// Pipeline: passes that `--hetero-codegen` runs first, on a module with one
  /// function per region. The base class adds none.
  virtual void buildPipeline(OpPassManager &manager) const;
  /// Pipeline: turns the region's body into code for the backend; emits a
  /// diagnostic on failure. The base class leaves it to the backend.
  virtual LogicalResult generateRegion(ExecuteOp region) const;
  /// Pipeline: what is left to do when all regions of the module, of whatever
  /// kind, have been generated. The base class does nothing.
  virtual LogicalResult generateModule(ModuleOp module) const;

private:
  std::string name;
};

/// The kinds of a context.
class DeviceKinds : public DialectInterface::Base<DeviceKinds> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeviceKinds)
  explicit DeviceKinds(Dialect *dialect) : Base(dialect) {}

  /// Registers a kind and loads what its pipeline needs; a kind of the same
  /// name is replaced.
  void add(std::unique_ptr<DeviceKind> kind);
  /// Null if no kind has this name.
  const DeviceKind *lookup(StringRef name) const;
  /// Sorted.
  SmallVector<StringRef> getNames() const;

  static DeviceKinds &get(HeteroDialect *dialect);

private:
  llvm::StringMap<std::unique_ptr<DeviceKind>> kinds;
};

/// Registers a kind with every context that is made from the registry.
template <typename KindT> void registerDeviceKind(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, HeteroDialect *dialect) {
    DeviceKinds::get(dialect).add(std::make_unique<KindT>());
  });
}

/// The kind of this name in the context, or null.
const DeviceKind *lookupDeviceKind(MLIRContext *context, StringRef name);

/// True if host code reads and writes the device's buffers: the host itself,
/// and devices whose kind the host stands in for. A kind that is not registered
/// has memory of its own.
bool isHostAccessible(DeviceAttr device);

/// Success if the capabilities include the operation; else the first that is
/// missing, in `reason` ("no dsp kernel for ...").
LogicalResult checkCapabilities(Operation *op, StringRef kind,
                                const KernelCapabilities &capabilities,
                                std::string &reason);

} // namespace hetero
} // namespace mlir

#endif // HETERO_DIALECT_HETERO_IR_DEVICEKIND_H
