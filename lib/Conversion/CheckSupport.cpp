//===- CheckSupport.cpp - Lists what cannot be compiled -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes name the first operation that they cannot take, in the middle of the
// way and in words of their own, or upstream's. Here all of them are found
// before anything has changed, and reported as one error:
//
//   model.mlir:2:3: error: not supported: 'shard.grid' op, type 'f80'; ...
//   model.mlir:2:3: note: 'shard.grid' op, 1 time: ...
//   model.mlir:5:8: note: type 'f80', 2 times, also at 9:3: ...
//
//===----------------------------------------------------------------------===//

#include "hetero/Conversion/Passes.h"
#include "hetero/Conversion/RuntimeABI/ABITypes.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Runtime/HeteroRuntime.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_CHECKSUPPORTPASS
#include "hetero/Conversion/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Dialects whose operations are compiled, except for those named below.
static bool isCompiledDialect(StringRef dialect) {
  return llvm::StringSwitch<bool>(dialect)
      .Cases({"affine", "arith", "bufferization", "builtin", "cf"}, true)
      .Cases({"complex", "dlti", "func", "hetero", "index"}, true)
      .Cases({"linalg", "llvm", "math", "memref", "ml_program"}, true)
      .Cases({"scf", "shape", "tensor", "tm_tensor", "tosa"}, true)
      .Cases({"ub", "vector"}, true)
      .Default(false);
}

/// Why an operation of such a dialect is not compiled; empty if it is.
static StringRef findException(StringRef name) {
  constexpr StringLiteral kFrees =
      "the compiler frees what a program allocates; remove it";
  constexpr StringLiteral kTransfers =
      "transfers are the compiler's; use memref.copy";
  constexpr StringLiteral kBuffers =
      "programs are compiled from tensors; keep values in tensors, or in "
      "memrefs, throughout";
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"memref.dealloc", "bufferization.dealloc",
              "bufferization.dealloc_tensor"},
             kFrees)
      .Cases({"memref.dma_start", "memref.dma_wait", "affine.dma_start",
              "affine.dma_wait"},
             kTransfers)
      .Cases({"bufferization.clone", "bufferization.to_buffer",
              "bufferization.materialize_in_destination"},
             kBuffers)
      .Cases({"affine.prefetch", "memref.prefetch"},
             "no device takes such a hint; remove it")
      .Case("vector.mask", "masks are operands; run --lower-vector-mask")
      .Case("memref.generic_atomic_rmw", "use memref.atomic_rmw")
      .Case("tosa.custom", "nobody says what it computes; write it in other "
                           "operations")
      .Case("memref.realloc", "sizes of memory are fixed; allocate anew and "
                              "copy with memref.copy")
      .Case("memref.memory_space_cast",
            "memory is where its device is; remove it and use hetero.device")
      .Case("builtin.unrealized_conversion_cast",
            "it stands for a lowering that is not complete; run the one that "
            "is missing, and --reconcile-unrealized-casts")
      .Default({});
}

/// Why a function is not compiled; empty if it is.
static StringRef findReasonOfForm(func::FuncOp function) {
  if (function->hasAttr("func.varargs") || function->hasAttr("llvm.linkage"))
    return "linkage and calling convention are the compiler's; remove "
           "func.varargs and llvm.linkage";
  bool returns = llvm::any_of(function.getBody(), [](Block &block) {
    return isa<func::ReturnOp>(block.getTerminator());
  });
  return returns || function.isExternal()
             ? ""
             : "it never returns; end it with func.return";
}

/// Why a region is not compiled; empty if it is.
static StringRef findReasonOfForm(scf::ExecuteRegionOp region) {
  bool ends = llvm::any_of(region.getRegion(), [](Block &block) {
    return isa<scf::YieldOp>(block.getTerminator());
  });
  return ends ? "" : "it never ends; end it with scf.yield";
}

/// Why memory of the type is not allocated; empty if it is.
static StringRef findReasonOfLayout(Type type) {
  return cast<MemRefType>(type).getLayout().isIdentity()
             ? ""
             : "memory is allocated without gaps; leave the layout out, and "
               "use memref.subview";
}

/// The type of the value that casts made this one of.
static ShapedType getShapeBeforeCasts(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  return dyn_cast<ShapedType>(value.getType());
}

/// Upstream verifies slices of the sizes that the operand's type has, and fails
/// when it sees through casts.
static StringRef findReasonOfForm(OffsetSizeAndStrideOpInterface slice) {
  Value whole;
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(slice.getOperation()))
    whole = extract.getSource();
  else if (auto insert = dyn_cast<tensor::InsertSliceOp>(slice.getOperation()))
    whole = insert.getDest();
  ShapedType type = whole ? getShapeBeforeCasts(whole) : nullptr;
  if (!type || !type.hasRank() ||
      type.getRank() != cast<ShapedType>(whole.getType()).getRank())
    return {};
  return verifyInBoundsSlice(type.getShape(), slice.getStaticOffsets(),
                             slice.getStaticSizes(), slice.getStaticStrides())
                 .isValid
             ? ""
             : "the slice is not inside of what was cast; correct its offsets "
               "and sizes";
}

/// The vector that an operation reads from memory or writes there; null if it
/// does neither.
static VectorType getMovedVector(Operation *op) {
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
    return transfer.getVectorType();
  if (isa<vector::LoadOp, vector::MaskedLoadOp, vector::ExpandLoadOp,
          affine::AffineVectorLoadOp>(op))
    return cast<VectorType>(op->getResult(0).getType());
  if (isa<vector::StoreOp, affine::AffineVectorStoreOp>(op))
    return cast<VectorType>(op->getOperand(0).getType());
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    return store.getVectorType();
  if (auto store = dyn_cast<vector::CompressStoreOp>(op))
    return store.getVectorType();
  return nullptr;
}

/// In memory each element takes a power of two of bytes, in a vector as many
/// bits as it has.
static StringRef findReasonOfElements(VectorType moved) {
  Type element = moved.getElementType();
  if (!element.isIntOrFloat())
    return {};
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits >= 8 && llvm::isPowerOf2_32(bits)
             ? ""
             : "elements of this width lie closer in vectors than in memory; "
               "keep them as i8, i16, i32 or i64";
}

/// Upstream splits a transposed convolution by constants.
static StringRef findReasonOfForm(tosa::TransposeConv2DOp conv) {
  auto isKnown = [](Value zeroPoint) {
    return isa<FloatType>(getElementTypeOrSelf(zeroPoint.getType())) ||
           matchPattern(zeroPoint, m_Constant());
  };
  return isKnown(conv.getInputZp()) && isKnown(conv.getWeightZp())
             ? ""
             : "its zero points are not constants; make them with tosa.const";
}

/// Why an operation of this form is not compiled, which others are; empty if it
/// is.
static StringRef findReasonOfForm(Operation *op) {
  if (auto function = dyn_cast<func::FuncOp>(op))
    return findReasonOfForm(function);
  if (auto region = dyn_cast<scf::ExecuteRegionOp>(op))
    return findReasonOfForm(region);
  if (auto dim = dyn_cast<ShapedDimOpInterface>(op)) {
    auto shaped = dyn_cast<ShapedType>(dim.getShapedValue().getType());
    std::optional<int64_t> index = getConstantIntValue(dim.getDimension());
    bool isOutside = shaped && shaped.hasRank() && index &&
                     (*index < 0 || *index >= shaped.getRank());
    return isOutside ? "the value has no such dimension; correct the index"
                     : "";
  }
  if (isa<func::CallIndirectOp>(op))
    return hasTensors(op) ? "which function it calls with tensors is not known "
                            "when it is compiled; use func.call"
                          : "";
  if (auto conv = dyn_cast<tosa::TransposeConv2DOp>(op))
    return findReasonOfForm(conv);
  if (OpTrait::hasElementwiseMappableTraits(op))
    return llvm::any_of(op->getResultTypes(), llvm::IsaPred<UnrankedTensorType>)
               ? "its tensors have no rank; cast them with tensor.cast"
               : "";
  if (VectorType moved = getMovedVector(op))
    if (StringRef reason = findReasonOfElements(moved); !reason.empty())
      return reason;
  if (isa<memref::AllocOp, memref::AllocaOp>(op))
    return findReasonOfLayout(op->getResult(0).getType());
  if (auto global = dyn_cast<memref::GlobalOp>(op))
    return findReasonOfLayout(global.getType());
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    return alloc.getMemorySpace()
               ? "memory spaces are devices; leave it out, or use hetero.device"
               : "";
  if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(op))
    return toTensor.getRestrict() ? ""
                                  : "other tensors may be in its memory; say "
                                    "'restrict' if none is";
  if (isa<vector::LoadOp, affine::AffineVectorLoadOp>(op))
    return cast<VectorType>(op->getResult(0).getType()).getRank() > 1
               ? "vectors are loaded row by row; use vector.transfer_read"
               : "";
  if (isa<vector::StoreOp, affine::AffineVectorStoreOp>(op))
    return cast<VectorType>(op->getOperand(0).getType()).getRank() > 1
               ? "vectors are stored row by row; use vector.transfer_write"
               : "";
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return succeeded(verifyCompatibleShape(
               getShapeBeforeCasts(op->getOperand(0)), cast.getType()))
               ? ""
               : "its operand had other sizes before it was cast; correct the "
                 "type";
  if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
    return findReasonOfForm(slice);
  return {};
}

/// True if the operation writes a tensor to memory that the program keeps.
static bool storesState(Operation *op) {
  auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(op);
  return store && store.getDest().getDefiningOp<memref::GetGlobalOp>();
}

/// Why the operation cannot be compiled; empty if it can.
static StringRef findReason(Operation *op) {
  if (!op->isRegistered())
    return "nothing is known of it; load its dialect, or remove it";
  StringRef dialect = op->getName().getDialectNamespace();
  if (StringRef reason = findException(op->getName().getStringRef());
      !reason.empty() && !storesState(op))
    return reason;
  if (StringRef reason = findReasonOfForm(op); !reason.empty())
    return reason;
  if (isCompiledDialect(dialect) || isa<PlacementOpInterface>(op) ||
      isa<bufferization::BufferizableOpInterface>(op))
    return {};
  return "its dialect is not compiled; lower it to linalg, tensor, arith, "
         "math, scf, cf or func";
}

/// Why an operation cannot stand in a module; empty if it can.
static StringRef findReasonInModule(Operation *op) {
  if (isa<ModuleOp, func::FuncOp, memref::GlobalOp>(op) ||
      isa<HeteroDialect>(op->getDialect()))
    return findReasonOfForm(op);
  if (auto kernels = dyn_cast<gpu::GPUModuleOp>(op)) {
    ArrayAttr targets = kernels.getTargetsAttr();
    return targets && llvm::all_of(targets, llvm::IsaPred<NVVM::NVVMTargetAttr>)
               ? ""
               : "its kernels become PTX; give it the target #nvvm.target, "
                 "such "
                 "as #nvvm.target<chip = \"sm_80\">, and no other";
  }
  if (isa<gpu::BinaryOp>(op))
    return "kernels are the compiler's; write what they compute on tensors";
  if (isa<SymbolOpInterface>(op) &&
      isCompiledDialect(op->getName().getDialectNamespace()))
    return {};
  return "it stands outside of a function; move it into one";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Vectors live in registers: their operations are unrolled, and so many
/// instructions take more time and memory to compile than anybody has.
static constexpr int64_t kMaxVectorElements = 1 << 16;

static StringRef findReason(VectorType type) {
  if (llvm::is_contained(type.getScalableDims().drop_back(type.getRank() > 0),
                         true))
    return "only the last dimension of a vector can be scalable; unroll the "
           "others";
  return type.getNumElements() <= kMaxVectorElements
             ? ""
             : "vectors have up to 65536 elements; tile before you vectorize";
}

/// Why values of the type cannot be in a program; empty if they can.
static StringRef findReason(Type type) {
  if (auto memref = dyn_cast<BaseMemRefType>(type)) {
    Attribute space = memref.getMemorySpace();
    if (space && !isa<DeviceAttr>(space))
      return "memory spaces are devices; leave it out, or use hetero.device";
  }
  if (auto vector = dyn_cast<VectorType>(type))
    return findReason(vector);
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type))
    return record.isIdentified() && record.getName().starts_with("_Converted.")
               ? "such names are those of the lowering; rename it"
               : "";
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    Attribute encoding = tensor.getEncoding();
    if (encoding && !isa<DeviceAttr>(encoding))
      return "encodings are devices; leave it out";
  }
  return {};
}

/// Why a public function cannot have an argument or a result of the type.
static StringRef findReasonAtEntry(Type type, bool isResult) {
  auto memref = dyn_cast<MemRefType>(type);
  if (isResult && memref && !memref.getLayout().isIdentity())
    return "what an entry point returns has no strides; copy it with "
           "memref.copy";
  if (isa<UnrankedTensorType, UnrankedMemRefType>(type))
    return "entry points pass ranked values; cast it to a rank inside of a "
           "private function";
  auto shaped = dyn_cast<ShapedType>(type);
  bool isBuffer = isa<RankedTensorType, MemRefType>(type);
  if (isBuffer && shaped.getRank() > HETERO_MAX_RANK)
    return "entry points pass up to 8 dimensions; collapse some";
  Type element = isBuffer ? shaped.getElementType() : type;
  if (getABIType(element))
    return {};
  return "it cannot cross an entry point; use i1, i8, i16, i32, i64, index, "
         "f16, bf16, f32 or f64, or make the function private";
}

//===----------------------------------------------------------------------===//
// One error
//===----------------------------------------------------------------------===//

namespace {
/// What is not supported, in the order of its first places.
class Findings {
public:
  void add(const Twine &what, StringRef reason, Location loc) {
    if (reason.empty())
      return;
    Finding &finding = findings[what.str()];
    finding.reason = reason;
    finding.places.push_back(loc);
  }
  void check(Operation *op);
  /// Fails with an error if there are any.
  LogicalResult report() const;

private:
  struct Finding {
    StringRef reason;
    SmallVector<Location, 4> places;
  };

  void check(Type type, Location loc);
  void checkEntry(func::FuncOp function);

  llvm::MapVector<std::string, Finding, llvm::StringMap<unsigned>> findings;
};
} // namespace

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << "type '" << type << "'";
  return text;
}

void Findings::check(Type type, Location loc) {
  if (StringRef reason = findReason(type); !reason.empty())
    add(print(type), reason, loc);
}

void Findings::checkEntry(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  auto checkCrossing = [&](Type crossing, bool isResult) {
    if (findReason(crossing).empty())
      add(print(crossing) + " at an entry point",
          findReasonAtEntry(crossing, isResult), function.getLoc());
  };
  for (Type input : type.getInputs())
    checkCrossing(input, /*isResult=*/false);
  for (Type result : type.getResults())
    checkCrossing(result, /*isResult=*/true);
}

void Findings::check(Operation *op) {
  bool isInModule = isa_and_nonnull<ModuleOp>(op->getParentOp());
  StringRef reason = isInModule ? findReasonInModule(op) : findReason(op);
  if (!reason.empty()) {
    add("'" + op->getName().getStringRef() + "' op", reason, op->getLoc());
    return;
  }
  for (Type type : op->getResultTypes())
    check(type, op->getLoc());
  if (auto function = dyn_cast<func::FuncOp>(op);
      function && function.isExternal())
    for (Type type : function.getArgumentTypes())
      check(type, op->getLoc());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        check(argument.getType(), argument.getLoc());
  if (auto function = dyn_cast<func::FuncOp>(op);
      function && function.isPublic() && !function.isExternal())
    checkEntry(function);
}

/// "3:5" of the first place in a file, empty if there is none.
static std::string getPosition(Location loc) {
  std::string text;
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    text = (Twine(file.getLine()) + ":" + Twine(file.getColumn())).str();
  return text;
}

LogicalResult Findings::report() const {
  if (findings.empty())
    return success();
  InFlightDiagnostic error = emitError(findings.front().second.places.front())
                             << "not supported: ";
  llvm::interleaveComma(findings, error,
                        [&](const auto &entry) { error << entry.first; });
  error << "; the notes say where each is, and what to do";
  for (const auto &[what, finding] : findings) {
    unsigned count = finding.places.size();
    Diagnostic &note = error.attachNote(finding.places.front());
    note << what << ", " << count << (count == 1 ? " time" : " times");
    StringRef separator = ", also at ";
    for (Location place : ArrayRef(finding.places).drop_front().take_front(3))
      if (std::string position = getPosition(place); !position.empty()) {
        note << separator << position;
        separator = ", ";
      }
    note << ": " << finding.reason;
  }
  return failure();
}

namespace {
struct CheckSupportPass
    : public mlir::hetero::impl::CheckSupportPassBase<CheckSupportPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // What passes of ours made is theirs to check.
    if (getPhase(module) > Phase::Annotated)
      return;
    Findings findings;
    for (Operation &op : *module.getBody())
      op.walk<WalkOrder::PreOrder>([&](Operation *inner) {
        findings.check(inner);
        return isa<gpu::GPUModuleOp>(inner) ? WalkResult::skip()
                                            : WalkResult::advance();
      });
    if (failed(findings.report()))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
