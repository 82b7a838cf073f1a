//===- EntryPoints.cpp - The C ABI of compiled programs -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A public function @f becomes two: the implementation `__hetero_impl_f`, on
// memref descriptors, and the entry point `f` of type HeteroEntryPoint
// (HeteroRuntime.h), which checks what comes in and fills in what goes out.
//
//===----------------------------------------------------------------------===//

#include "EntryPoints.h"

#include "Conversion/RuntimeABI/Globals.h"
#include "Conversion/RuntimeABI/RuntimeFunctions.h"
#include "Conversion/RuntimeABI/ValueFields.h"
#include "DeviceConstants.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Runtime/HeteroRuntime.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Byte offsets of HeteroValue's fields.
struct Offsets {
  static constexpr int32_t data = offsetof(HeteroValue, data);
  static constexpr int32_t allocation = offsetof(HeteroValue, allocation);
  static constexpr int32_t scalar = offsetof(HeteroValue, scalar);
  static constexpr int32_t type = offsetof(HeteroValue, type);
  static constexpr int32_t rank = offsetof(HeteroValue, rank);
  static constexpr int32_t device = offsetof(HeteroValue, device);
  static constexpr int32_t sizes = offsetof(HeteroValue, sizes);
  static constexpr int32_t strides = offsetof(HeteroValue, strides);
};

/// Emits one entry point.
class EntryPointEmitter {
public:
  EntryPointEmitter(ModuleOp module, const EntrySignature &entry)
      : module(module), entry(entry), builder(module.getContext()),
        loc(entry.loc), i32(builder.getI32Type()), i64(builder.getI64Type()),
        ptr(LLVM::LLVMPointerType::get(builder.getContext())) {}

  LogicalResult emit() {
    builder.setInsertionPointToEnd(module.getBody());
    function = LLVM::LLVMFuncOp::create(
        builder, loc, entry.name,
        LLVM::LLVMFunctionType::get(i32, {ptr, i32, ptr, i32}));
    if (entry.isFallback)
      function.setLinkage(LLVM::Linkage::Internal);
    Block *block = function.addEntryBlock(builder);
    builder.setInsertionPointToStart(block);
    if (!entry.fallback.empty())
      emitFallback();
    emitInitialization();
    emitChecksBeforeFrame();
    end = builder.createBlock(&function.getBody(), function.getBody().end(),
                              {i32}, {loc});
    emitEnd();
    builder.setInsertionPointToEnd(inFrame);
    if (entry.usesState)
      emitHold();
    emitArgumentChecks();
    emitCall();
    LLVM::BrOp::create(builder, loc, ValueRange(number(i32, HETERO_OK)), end);
    return success();
  }

private:
  Value number(Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  }

  Value call(StringRef name, ValueRange arguments) {
    auto callee = declareRuntimeFunction(builder, module, name,
                                         llvm::to_vector(arguments.getTypes()));
    return LLVM::CallOp::create(builder, loc, callee, arguments).getResult();
  }

  /// Address of a field of the `index`-th value.
  Value field(Value values, unsigned index, int64_t offset) {
    return getFieldAddress(builder, loc, values, index, offset);
  }
  Value loadField(Value values, unsigned index, int64_t offset, Type type) {
    return LLVM::LoadOp::create(builder, loc, type,
                                field(values, index, offset));
  }
  void storeField(Value values, unsigned index, int64_t offset, Value value) {
    LLVM::StoreOp::create(builder, loc, value, field(values, index, offset));
  }

  /// Goes on only if the status is zero, else to `target`, or returns it.
  void check(Value status, Block *target) {
    Block *from = builder.getInsertionBlock();
    Block *next = builder.createBlock(&function.getBody(),
                                      std::next(Region::iterator(from)));
    builder.setInsertionPointToEnd(from);
    Value failed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                        status, number(i32, 0));
    LLVM::CondBrOp::create(builder, loc, failed, target, ValueRange(status),
                           next, ValueRange());
    builder.setInsertionPointToEnd(next);
  }

  /// Puts the constants that calls may need on their devices; null if there
  /// are none.
  Value upload() {
    auto constants =
        module.lookupSymbol<LLVM::GlobalOp>(getConstantsSymbol(entry.name));
    if (!constants)
      return {};
    return call("heteroUpload",
                {LLVM::AddressOfOp::create(builder, loc, constants)});
  }

  /// Lets the other entry point have the call where a device is missing.
  void emitFallback() {
    SmallVector<int32_t> ids =
        llvm::map_to_vector(entry.fallbackDevices, getDeviceId);
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    auto devices = LLVM::GlobalOp::create(
        atStart, loc, LLVM::LLVMArrayType::get(i32, ids.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal,
        "__hetero_needs_" + entry.name, builder.getI32TensorAttr(ids));
    Value missing = call("heteroLacksDevice",
                         {getStringAddress(builder, module, loc, entry.name),
                          LLVM::AddressOfOp::create(builder, loc, devices),
                          number(i32, ids.size()), function.getArgument(1)});
    Value lacks = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                       missing, number(i32, 0));
    Block *from = builder.getInsertionBlock();
    Region &body = function.getBody();
    Block *instead = builder.createBlock(&body, body.end());
    auto status = LLVM::CallOp::create(builder, loc, TypeRange(i32),
                                       entry.fallback, function.getArguments());
    LLVM::ReturnOp::create(builder, loc, status.getResult());
    Block *next = builder.createBlock(&body, body.end());
    builder.setInsertionPointToEnd(from);
    LLVM::CondBrOp::create(builder, loc, lacks, instead, ValueRange(), next,
                           ValueRange());
    builder.setInsertionPointToEnd(next);
  }

  /// Returns at once where the caller wants no more than that.
  void emitInitialization() {
    Block *block = builder.getInsertionBlock();
    Block *initialize =
        builder.createBlock(&function.getBody(), function.getBody().end());
    Value status = upload();
    LLVM::ReturnOp::create(builder, loc,
                           status ? status : number(i32, HETERO_OK));
    Block *next =
        builder.createBlock(&function.getBody(), function.getBody().end());
    builder.setInsertionPointToEnd(block);
    Value only = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                      function.getArgument(1),
                                      number(i32, HETERO_INITIALIZE));
    LLVM::CondBrOp::create(builder, loc, only, initialize, ValueRange(), next,
                           ValueRange());
    builder.setInsertionPointToEnd(next);
  }

  void emitChecksBeforeFrame() {
    Block *block = builder.getInsertionBlock();
    Block *refuse = builder.createBlock(&function.getBody(),
                                        function.getBody().end(), {i32}, {loc});
    LLVM::ReturnOp::create(builder, loc, refuse->getArgument(0));
    builder.setInsertionPointToEnd(block);
    check(call("heteroCheckCounts",
               {function.getArgument(1), number(i32, entry.type.getNumInputs()),
                function.getArgument(3),
                number(i32, entry.type.getNumResults())}),
          refuse);
    // What a failure leaves must be safe to release.
    for (unsigned i = 0; i < entry.type.getNumResults(); ++i) {
      storeField(results(), i, Offsets::allocation,
                 LLVM::ZeroOp::create(builder, loc, ptr));
      storeField(results(), i, Offsets::data,
                 LLVM::ZeroOp::create(builder, loc, ptr));
    }
    if (Value status = upload())
      check(status, refuse);
    check(call("heteroFrameBegin",
               {getStringAddress(builder, module, loc, entry.name)}),
          refuse);
    inFrame = builder.getInsertionBlock();
  }

  /// Lets one call at a time use what the program keeps.
  void emitHold() {
    constexpr llvm::StringLiteral kName = "__hetero_state_lock";
    auto lock = module.lookupSymbol<LLVM::GlobalOp>(kName);
    if (!lock) {
      OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
      lock = LLVM::GlobalOp::create(atStart, loc, i64, /*isConstant=*/false,
                                    LLVM::Linkage::Internal, kName,
                                    builder.getI64IntegerAttr(0));
    }
    check(call("heteroHoldState",
               {LLVM::AddressOfOp::create(builder, loc, lock)}),
          end);
  }

  /// Closes the frame; a failure releases the results that were filled in.
  void emitEnd() {
    Value status = call("heteroFrameEnd", {end->getArgument(0)});
    Block *release =
        builder.createBlock(&function.getBody(), function.getBody().end());
    for (unsigned i = 0; i < entry.type.getNumResults(); ++i)
      if (isa<MemRefType>(entry.type.getResult(i)))
        call("heteroReleaseValue", {field(results(), i, 0)});
    LLVM::ReturnOp::create(builder, loc, status);
    Block *done =
        builder.createBlock(&function.getBody(), function.getBody().end());
    LLVM::ReturnOp::create(builder, loc, status);
    builder.setInsertionPointToEnd(end);
    Value failed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                        status, number(i32, 0));
    LLVM::CondBrOp::create(builder, loc, failed, release, ValueRange(), done,
                           ValueRange());
  }

  Value arguments() { return function.getArgument(0); }
  Value results() { return function.getArgument(2); }

  /// Address of a constant array with the expected sizes.
  Value sizesArray(MemRefType type, unsigned index) {
    if (type.getRank() == 0)
      return LLVM::ZeroOp::create(builder, loc, ptr);
    SmallVector<int64_t> sizes;
    for (int64_t size : type.getShape())
      sizes.push_back(ShapedType::isDynamic(size) ? HETERO_DYNAMIC : size);
    auto arrayType = LLVM::LLVMArrayType::get(i64, sizes.size());
    auto tensorType =
        RankedTensorType::get({static_cast<int64_t>(sizes.size())}, i64);
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    auto global = LLVM::GlobalOp::create(
        atStart, loc, arrayType, /*isConstant=*/true, LLVM::Linkage::Internal,
        "__hetero_sizes_" + entry.name + "_" + std::to_string(index),
        DenseElementsAttr::get(tensorType, ArrayRef<int64_t>(sizes)));
    return LLVM::AddressOfOp::create(builder, loc, global);
  }

  void emitArgumentChecks() {
    for (auto [index, type] : llvm::enumerate(entry.type.getInputs())) {
      auto memref = dyn_cast<MemRefType>(type);
      Value sizes = memref
                        ? sizesArray(memref, index)
                        : LLVM::ZeroOp::create(builder, loc, ptr).getResult();
      check(call("heteroCheckArgument",
                 {field(arguments(), index, 0), number(i32, index),
                  number(i32, entry.argumentElements[index]),
                  number(i32, memref ? memref.getRank() : HETERO_SCALAR), sizes,
                  number(i32, getDeviceId(entry.argumentDevices[index]))}),
            end);
    }
  }

  /// The address of an argument that a device shares.
  Value shareArgument(unsigned index) {
    Value slot = LLVM::AllocaOp::create(builder, loc, ptr, ptr, number(i64, 1));
    std::string name =
        "argument " + std::to_string(index) + " of @" + entry.name;
    check(call("heteroShareArgument",
               {field(arguments(), index, 0),
                number(i32, getDeviceId(entry.sharers[index])),
                getStringAddress(builder, module, loc, name), slot}),
          end);
    return LLVM::LoadOp::create(builder, loc, ptr, slot);
  }

  /// The LLVM values of an argument, in the order of a descriptor's expansion.
  void unpackArgument(unsigned index, Type type, SmallVector<Value> &values) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref) {
      values.push_back(unpackScalar(index, type));
      return;
    }
    Value data = entry.sharers[index]
                     ? shareArgument(index)
                     : loadField(arguments(), index, Offsets::data, ptr);
    values.append({data, data, number(i64, 0)});
    for (int64_t i = 0; i < memref.getRank(); ++i)
      values.push_back(
          loadField(arguments(), index, Offsets::sizes + 8 * i, i64));
    for (int64_t i = 0; i < memref.getRank(); ++i)
      values.push_back(
          loadField(arguments(), index, Offsets::strides + 8 * i, i64));
  }

  /// The bits of a float or integer, widened or narrowed.
  Value fromBits(Value bits, Type type) {
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    if (width < 64)
      bits = LLVM::TruncOp::create(builder, loc, builder.getIntegerType(width),
                                   bits);
    // Floats of 8 bits are integers to LLVM.
    if (isa<FloatType>(type) && width > 8)
      bits = LLVM::BitcastOp::create(builder, loc, type, bits);
    return bits;
  }

  Value toBits(Value value, Type type) {
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    if (isa<FloatType>(type) && width > 8)
      value = LLVM::BitcastOp::create(builder, loc,
                                      builder.getIntegerType(width), value);
    if (width < 64)
      value = LLVM::ZExtOp::create(builder, loc, i64, value);
    return value;
  }

  /// Where the parts of a complex scalar are in a value.
  static std::array<int64_t, 2> partOffsets(ComplexType type) {
    int64_t bytes = type.getElementType().getIntOrFloatBitWidth() / 8;
    int64_t real = Offsets::scalar;
    bool fits = 2 * bytes <= int64_t(sizeof(HeteroValue::scalar));
    return {real, fits ? real + bytes : int64_t(Offsets::sizes)};
  }

  Value unpackScalar(unsigned index, Type type) {
    auto complex = dyn_cast<ComplexType>(type);
    if (!complex)
      return fromBits(loadField(arguments(), index, Offsets::scalar, i64),
                      type);
    Type part = complex.getElementType();
    std::array<int64_t, 2> offsets = partOffsets(complex);
    Value value = LLVM::PoisonOp::create(
        builder, loc,
        LLVM::LLVMStructType::getLiteral(builder.getContext(), {part, part}));
    for (auto [position, offset] : llvm::enumerate(offsets))
      value = LLVM::InsertValueOp::create(
          builder, loc, value, loadField(arguments(), index, offset, part),
          position);
    return value;
  }

  void packScalar(unsigned index, Value value, Type type) {
    auto complex = dyn_cast<ComplexType>(type);
    if (!complex)
      return storeField(results(), index, Offsets::scalar, toBits(value, type));
    std::array<int64_t, 2> offsets = partOffsets(complex);
    storeField(results(), index, Offsets::scalar, number(i64, 0));
    for (auto [position, offset] : llvm::enumerate(offsets))
      storeField(results(), index, offset,
                 LLVM::ExtractValueOp::create(builder, loc, value, position));
  }

  Value emitCallOf(const EntrySignature::Implementation &implementation,
                   ValueRange values) {
    auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(implementation.symbol);
    return LLVM::CallOp::create(builder, loc, callee, values).getResult();
  }

  /// The level of the code that runs here.
  Value chooseLevel() {
    int32_t levels = 0;
    for (const auto &implementation : entry.implementations)
      levels |= 1 << implementation.level;
    Value slot = LLVM::AllocaOp::create(builder, loc, ptr, i32, number(i32, 1));
    check(call("heteroChooseProcessor", {number(i32, levels), slot}), end);
    return LLVM::LoadOp::create(builder, loc, i32, slot);
  }

  /// Calls the code for the best processor that this one can stand in for.
  Value emitCallOfBest(ValueRange values) {
    ArrayRef<EntrySignature::Implementation> all = entry.implementations;
    if (all.front().level < 0)
      return emitCallOf(all.front(), values);
    Value level = chooseLevel();
    if (all.size() == 1)
      return emitCallOf(all.front(), values);
    Block *from = builder.getInsertionBlock();
    Region &body = function.getBody();
    Block *done = nullptr;
    SmallVector<Block *> cases;
    for (const auto &implementation : all) {
      cases.push_back(builder.createBlock(&body, body.end()));
      Value returned = emitCallOf(implementation, values);
      if (!done) {
        done =
            builder.createBlock(&body, body.end(), {returned.getType()}, {loc});
        builder.setInsertionPointToEnd(cases.back());
      }
      LLVM::BrOp::create(builder, loc, ValueRange(returned), done);
    }
    for (size_t i = 0; i + 1 < all.size(); ++i) {
      bool last = i + 2 == all.size();
      Block *next =
          last ? cases.back() : builder.createBlock(&body, body.end());
      builder.setInsertionPointToEnd(from);
      Value fits = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                        level, number(i32, all[i].level));
      LLVM::CondBrOp::create(builder, loc, fits, cases[i], ValueRange(), next,
                             ValueRange());
      from = next;
    }
    builder.setInsertionPointToEnd(done);
    return done->getArgument(0);
  }

  void emitCall() {
    SmallVector<Value> values;
    for (auto [index, type] : llvm::enumerate(entry.type.getInputs()))
      unpackArgument(index, type, values);
    // The last thing that may refuse the call: what is refused stays the
    // caller's.
    for (unsigned index : entry.donated)
      check(call("heteroDonate",
                 {arguments(), function.getArgument(1), number(i32, index)}),
            end);
    Value returned = emitCallOfBest(values);
    if (entry.type.getNumResults() == 0)
      return check(returned, end);
    Value status = LLVM::ExtractValueOp::create(builder, loc, returned, 0);
    check(status, end);
    Value pack = LLVM::ExtractValueOp::create(builder, loc, returned, 1);
    for (auto [index, type] : llvm::enumerate(entry.type.getResults())) {
      Value value = pack;
      if (entry.type.getNumResults() > 1)
        value = LLVM::ExtractValueOp::create(builder, loc, pack, index);
      fillResult(index, type, value);
    }
  }

  void fillResult(unsigned index, Type type, Value value) {
    auto memref = dyn_cast<MemRefType>(type);
    Value device = number(i32, getDeviceId(entry.resultDevices[index]));
    storeField(results(), index, Offsets::type,
               number(i32, entry.resultElements[index]));
    storeField(results(), index, Offsets::rank,
               number(i32, memref ? memref.getRank() : HETERO_SCALAR));
    storeField(results(), index, Offsets::device, device);
    if (!memref) {
      packScalar(index, value, type);
      return;
    }
    fillShape(index, memref, value);
    Value allocated = LLVM::ExtractValueOp::create(builder, loc, value, 0);
    Value data = LLVM::ExtractValueOp::create(builder, loc, value, 1);
    storeField(results(), index, Offsets::data, data);
    // Only at run time is it known whether two results are one buffer.
    auto earlier = entry.type.getResults().take_front(index);
    if (llvm::any_of(earlier, llvm::IsaPred<MemRefType>)) {
      Value number = this->number(i32, index);
      check(call("heteroDetachResult", {results(), number, allocated}), end);
      return;
    }
    check(call("heteroDetach", {device, allocated}), end);
    storeField(results(), index, Offsets::allocation, allocated);
  }

  void fillShape(unsigned index, MemRefType type, Value descriptor) {
    for (int64_t i = 0; i < type.getRank(); ++i)
      for (int64_t part : {3, 4}) {
        Value number = LLVM::ExtractValueOp::create(builder, loc, descriptor,
                                                    ArrayRef<int64_t>{part, i});
        storeField(results(), index,
                   (part == 3 ? Offsets::sizes : Offsets::strides) + 8 * i,
                   number);
      }
  }

  ModuleOp module;
  const EntrySignature &entry;
  OpBuilder builder;
  Location loc;
  Type i32, i64, ptr;
  LLVM::LLVMFuncOp function;
  /// Where the frame is open, and where it is closed with a status.
  Block *inFrame = nullptr, *end = nullptr;
};
} // namespace

LogicalResult mlir::hetero::emitEntryPoints(ModuleOp module,
                                            ArrayRef<EntrySignature> entries) {
  for (const EntrySignature &entry : entries)
    if (failed(EntryPointEmitter(module, entry).emit()))
      return failure();
  return success();
}

void mlir::hetero::noteSharers(ModuleOp module,
                               ArrayRef<EntrySignature> entries) {
  for (const EntrySignature &entry : entries) {
    SmallVector<int32_t> sharers;
    for (auto [sharer, device] :
         llvm::zip_equal(entry.sharers, entry.argumentDevices))
      sharers.push_back(sharer && isHostAccessible(device) ? getDeviceId(sharer)
                                                           : HETERO_HOST);
    if (llvm::any_of(sharers, [](int32_t id) { return id != HETERO_HOST; }))
      module.lookupSymbol(entry.name)
          ->setAttr(kSharedAttrName,
                    DenseI32ArrayAttr::get(module.getContext(), sharers));
  }
}
