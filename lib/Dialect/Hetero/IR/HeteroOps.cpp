//===- HeteroOps.cpp - Operations of the hetero dialect -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// CopyOp
//===----------------------------------------------------------------------===//

DeviceAttr CopyOp::getSourceDevice() {
  return getFrom() ? *getFrom() : getTypeDevice(getSource().getType());
}

DeviceAttr CopyOp::getResultDevice() {
  return getTo() ? *getTo() : getTypeDevice(getResult().getType());
}

/// C2 for one end of a copy.
static LogicalResult verifyCopyEnd(CopyOp op, std::optional<DeviceAttr> device,
                                   RankedTensorType type, StringRef end) {
  if (type.getEncoding() && !isa<DeviceAttr>(type.getEncoding()))
    return op.emitOpError("expected the ")
           << end << " to have a device or no encoding, got "
           << type.getEncoding() << "; remove the encoding";
  if (!device)
    return success();
  if (!device->hasOrdinal())
    return op.emitOpError("expected an ordinal on the ")
           << end << "'s device, got " << *device << "; write #hetero.device<"
           << device->getKind() << ":0>";
  if (type.getEncoding() && type.getEncoding() != device->getBare())
    return op.emitOpError("the ")
           << end << "'s device " << device->str() << " contradicts its type "
           << type << "; remove one of them";
  return success();
}

LogicalResult CopyOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  if (source.getShape() != result.getShape() ||
      source.getElementType() != result.getElementType()) // C1
    return emitOpError("expected source and result of the same shape and "
                       "element type, got ")
           << source << " and " << result << "; a copy changes the device only";
  if (failed(verifyCopyEnd(*this, getFrom(), source, "source")) ||
      failed(verifyCopyEnd(*this, getTo(), result, "result"))) // C2
    return failure();
  if (getFrom().has_value() != getTo().has_value()) // C3
    return emitOpError("expected a device after 'on' at both ends or at "
                       "none, got one; write the other");
  return success();
}

/// A copy to the device where the value already is, and a round trip.
OpFoldResult CopyOp::fold(FoldAdaptor) {
  if (getFrom() || getTo())
    return {};
  if (getSource().getType() == getResult().getType())
    return getSource();
  auto producer = getSource().getDefiningOp<CopyOp>();
  if (producer && !producer.getFrom() &&
      producer.getSource().getType() == getResult().getType())
    return producer.getSource();
  return {};
}

namespace {
/// copy(copy(x)) reads x.
struct CopyOfCopy : public OpRewritePattern<CopyOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CopyOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getSource().getDefiningOp<CopyOp>();
    if (!producer || producer.getFrom() || op.getFrom())
      return rewriter.notifyMatchFailure(op, "source is not a typed copy");
    rewriter.modifyOpInPlace(op, [&] {
      op.getSourceMutable().assign(producer.getSource());
      if (Attribute name = producer->getAttr(kValueAttrName))
        op->setAttr(kValueAttrName, name);
    });
    return success();
  }
};
} // namespace

void CopyOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<CopyOfCopy>(context);
}

//===----------------------------------------------------------------------===//
// ExecuteOp
//===----------------------------------------------------------------------===//

void ExecuteOp::build(OpBuilder &builder, OperationState &state,
                      TypeRange results, StringRef name, DeviceAttr device,
                      ValueRange inputs) {
  state.addOperands(inputs);
  state.addTypes(results);
  state.getOrAddProperties<Properties>().name = builder.getStringAttr(name);
  state.getOrAddProperties<Properties>().device = device;
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(state.addRegion());
  for (Value input : inputs)
    body->addArgument(withoutDevice(input.getType()), input.getLoc());
}

YieldOp ExecuteOp::getYield() {
  return cast<YieldOp>(getBodyBlock()->getTerminator());
}

void ExecuteOp::getAsmBlockArgumentNames(Region &, OpAsmSetValueNameFn) {}

/// Parses `(%arg = %operand : type, ...)`.
static ParseResult
parseBindings(OpAsmParser &parser,
              SmallVectorImpl<OpAsmParser::Argument> &arguments,
              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
              SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        Type type;
        if (parser.parseArgument(arguments.emplace_back()) ||
            parser.parseEqual() ||
            parser.parseOperand(operands.emplace_back()) ||
            parser.parseColonType(type))
          return failure();
        arguments.back().type = withoutDevice(type);
        types.push_back(type);
        return success();
      });
}

ParseResult ExecuteOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types, results;
  StringAttr name;
  DeviceAttr device;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAttribute(name) || parser.parseKeyword("on") ||
      parser.parseAttribute(device) ||
      parseBindings(parser, arguments, operands, types))
    return failure();
  if (succeeded(parser.parseOptionalArrow()) &&
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&] {
        return parser.parseType(results.emplace_back());
      }))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.name = name;
  properties.device = device;
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), arguments) ||
      parser.resolveOperands(operands, types, loc, result.operands))
    return failure();
  result.addTypes(results);
  return success();
}

void ExecuteOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getNameAttr() << " on " << getDevice() << " (";
  auto pairs = llvm::zip(getBodyBlock()->getArguments(), getInputs());
  llvm::interleaveComma(pairs, printer, [&](auto pair) {
    auto [argument, input] = pair;
    printer << argument << " = " << input << " : " << input.getType();
  });
  printer << ")";
  if (getNumResults() != 0)
    printer << " -> (" << getResultTypes() << ")";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"name", "device"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult ExecuteOp::verify() {
  DeviceAttr device = getDevice();
  if (!device.hasOrdinal()) // C1
    return emitOpError("expected a device with an ordinal, got ")
           << device << "; write #hetero.device<" << device.getKind() << ":0>";
  if (getBodyBlock()->getNumArguments() != getNumOperands()) // C2
    return emitOpError("expected a block argument per operand, got ")
           << getBodyBlock()->getNumArguments() << " and " << getNumOperands()
           << "; bind each operand to an argument";
  for (auto [argument, input] :
       llvm::zip(getBodyBlock()->getArguments(), getInputs())) { // C2
    Type type = input.getType();
    if (isa<TensorType>(type) && type != withDevice(type, device))
      return emitOpError("expected operands on ")
             << device.str() << ", got " << type
             << "; insert a hetero.copy before it";
    if (argument.getType() != withoutDevice(type))
      return emitOpError("expected a block argument of type ")
             << withoutDevice(type) << ", got " << argument.getType()
             << "; bodies work on plain tensors";
  }
  return success();
}

/// After the body, since that could lack a terminator.
LogicalResult ExecuteOp::verifyRegions() {
  DeviceAttr device = getDevice();
  auto yield = dyn_cast<YieldOp>(getBodyBlock()->getTerminator());
  if (!yield || yield.getNumOperands() != getNumResults())
    return emitOpError("expected a hetero.yield of ")
           << getNumResults() << " values, got "
           << getBodyBlock()->getTerminator()->getNumOperands()
           << "; yield one value per result"; // C3
  for (auto [value, type] : llvm::zip(yield.getValues(), getResultTypes()))
    if (type != withDevice(value.getType(), device)) // C3
      return emitOpError("expected a result of type ")
             << withDevice(value.getType(), device) << ", got " << type
             << "; results are on the region's device";
  return success();
}

/// Replaces `op` by one with fewer operands and results. The results that stay
/// are `outputs`, in order; the caller has replaced the uses of the others.
static void shrink(ExecuteOp op, ArrayRef<unsigned> inputs,
                   ArrayRef<unsigned> outputs, PatternRewriter &rewriter) {
  SmallVector<Value> operands, yielded;
  SmallVector<Type> types;
  llvm::BitVector dropped(op.getNumOperands(), true);
  for (unsigned index : inputs) {
    operands.push_back(op.getInputs()[index]);
    dropped.reset(index);
  }
  for (unsigned index : outputs) {
    types.push_back(op.getResult(index).getType());
    yielded.push_back(op.getYield().getOperand(index));
  }
  rewriter.modifyOpInPlace(op, [&] {
    op.getYield().getValuesMutable().assign(yielded);
    op.getBodyBlock()->eraseArguments(dropped);
  });
  rewriter.setInsertionPoint(op);
  OperationState state(op.getLoc(), ExecuteOp::getOperationName(), operands,
                       types, op->getAttrs());
  state.addRegion();
  auto smaller = cast<ExecuteOp>(rewriter.create(state));
  rewriter.inlineRegionBefore(op.getBody(), smaller.getBody(),
                              smaller.getBody().end());
  for (auto [index, result] : llvm::zip(outputs, smaller.getResults()))
    rewriter.replaceAllUsesWith(op.getResult(index), result);
  rewriter.eraseOp(op);
}

namespace {
/// A result that is a block argument is its operand; one that is
/// yielded twice is the first of the two.
struct ForwardResults : public OpRewritePattern<ExecuteOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ExecuteOp op,
                                PatternRewriter &rewriter) const override {
    bool isChanged = false;
    llvm::DenseMap<Value, Value> first;
    for (auto [value, result] :
         llvm::zip(op.getYield().getValues(), op.getResults())) {
      Value known = first.try_emplace(value, result).first->second;
      auto argument = dyn_cast<BlockArgument>(value);
      if (argument && argument.getOwner() == op.getBodyBlock())
        known = op.getInputs()[argument.getArgNumber()];
      if (known == result || result.use_empty())
        continue;
      rewriter.replaceAllUsesWith(result, known);
      isChanged = true;
    }
    return isChanged ? success()
                     : rewriter.notifyMatchFailure(op, "nothing to forward");
  }
};

/// An operand that is given twice has one block argument.
struct MergeOperands : public OpRewritePattern<ExecuteOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ExecuteOp op,
                                PatternRewriter &rewriter) const override {
    bool isChanged = false;
    llvm::DenseMap<Value, Value> first;
    for (auto [input, argument] :
         llvm::zip(op.getInputs(), op.getBodyBlock()->getArguments())) {
      Value known = first.try_emplace(input, argument).first->second;
      if (known == argument || argument.use_empty())
        continue;
      rewriter.replaceAllUsesWith(argument, known);
      isChanged = true;
    }
    return isChanged
               ? success()
               : rewriter.notifyMatchFailure(op, "no operand is repeated");
  }
};

/// Operands that the body does not read and results that nobody reads go away.
struct DropUnused : public OpRewritePattern<ExecuteOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ExecuteOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<unsigned> inputs, outputs;
    for (BlockArgument argument : op.getBodyBlock()->getArguments())
      if (!argument.use_empty())
        inputs.push_back(argument.getArgNumber());
    for (OpResult result : op.getResults())
      if (!result.use_empty())
        outputs.push_back(result.getResultNumber());
    if (inputs.size() == op.getNumOperands() &&
        outputs.size() == op.getNumResults())
      return rewriter.notifyMatchFailure(op, "everything is used");
    shrink(op, inputs, outputs, rewriter);
    return success();
  }
};
} // namespace

void ExecuteOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<ForwardResults, MergeOperands, DropUnused>(context);
}

//===----------------------------------------------------------------------===//
// WaitOp
//===----------------------------------------------------------------------===//

/// C1 of operations that name a device with a stream.
static LogicalResult verifyHasStream(Operation *op, DeviceAttr device) {
  if (device.hasOrdinal() && !device.isHost())
    return success();
  return op->emitOpError("expected a device other than the host, with an "
                         "ordinal, got ")
         << device << "; write #hetero.device<gpu:0>, for example";
}

LogicalResult WaitOp::verify() {
  return verifyHasStream(*this, getDevice()); // C1
}

/// C1.
LogicalResult NodeOp::verify() {
  if (getNames().empty())
    return emitOpError("expected a name, got none; add one, or remove the op");
  for (auto name : getNames().getAsRange<StringAttr>())
    if (name.getValue().contains('\n'))
      return emitOpError("expected names in one line each, got ")
             << name << "; take the line break out";
  return success();
}

/// C1.
LogicalResult TensorMapOp::verify() {
  size_t rank = getSizes().size();
  if (rank == 0 || getStrides().size() + 1 != rank || getBox().size() != rank)
    return emitOpError("expected as many numbers of the box as sizes, and one "
                       "stride less, got ")
           << rank << " sizes, " << getStrides().size() << " strides and "
           << getBox().size() << " numbers; add or remove some";
  return success();
}

LogicalResult OrderOp::verify() {
  if (failed(verifyHasStream(*this, getDevice())) ||
      failed(verifyHasStream(*this, getAfter()))) // C1
    return failure();
  if (getDevice().isSameDevice(getAfter()) &&
      getDevice().getUnit() == getAfter().getUnit()) // C2
    return emitOpError("expected two units, got ")
           << getDevice() << " twice; one unit's work is in order by itself";
  return success();
}

//===----------------------------------------------------------------------===//
// Transfers between nodes
//===----------------------------------------------------------------------===//

/// A number without its type, which is always i64.
static ParseResult parseCount(OpAsmParser &parser, IntegerAttr &attr) {
  int64_t number;
  if (parser.parseInteger(number))
    return failure();
  attr = parser.getBuilder().getI64IntegerAttr(number);
  return success();
}

static void printCount(OpAsmPrinter &printer, Operation *, IntegerAttr attr) {
  printer << attr.getInt();
}

static LogicalResult verifyTag(Operation *op, int64_t tag) {
  if (tag > 0)
    return success();
  return op->emitOpError("expected a positive tag, got ")
         << tag << "; tags are counted from 1";
}

template <typename TransferOp>
static LogicalResult verifyTransfer(TransferOp op) {
  auto type = dyn_cast<MemRefType>(op.getBuffer().getType());
  bool isDense = type && type.getLayout().isIdentity();
  if (!isDense || !isHostAccessible(getTypeDevice(type))) // C1
    return op.emitOpError("expected a buffer of the host without gaps, got ")
           << op.getBuffer().getType() << "; copy it into one";
  if (int64_t(op.getNode()) < 0) // C2
    return op.emitOpError("expected a node, got ")
           << int64_t(op.getNode()) << "; nodes are counted from 0";
  return verifyTag(op, op.getTag());
}

LogicalResult SendOp::verify() { return verifyTransfer(*this); }
LogicalResult ReceiveOp::verify() { return verifyTransfer(*this); }
LogicalResult AwaitTransferOp::verify() { return verifyTag(*this, getTag()); }

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroOps.cpp.inc"

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.cpp.inc"

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.cpp.inc"
