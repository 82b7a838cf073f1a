//===- ProjectNodes.cpp - The program of each node ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProjectNodes.h"

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Transforms/Placement/ValueNames.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

NodeProgram::NodeProgram(ModuleOp joined, int64_t node)
    : node(node), module(ModuleOp::create(joined.getLoc())),
      builder(module->getBodyRegion()) {
  (*module)->setDiscardableAttrs(joined->getDiscardableAttrDictionary());
}

Value NodeProgram::lookup(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Value &poison = missing[value.getType()];
  if (!poison) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    poison = ub::PoisonOp::create(builder, value.getLoc(), value.getType());
  }
  return poison;
}

NodeProjector::NodeProjector(ModuleOp joined, const NodeDemand &demand,
                             ArrayRef<int64_t> nodes)
    : joined(joined), demand(demand) {
  for (int64_t node : nodes)
    programs.try_emplace(node, joined, node);
}

void NodeProjector::forEach(const NodeSet &nodes,
                            llvm::function_ref<void(NodeProgram &)> visit) {
  for (unsigned node : nodes) {
    auto it = programs.find(node);
    if (it != programs.end())
      visit(it->second);
  }
}

void NodeProjector::run() {
  for (FunctionOpInterface function : demand.getFunctions())
    copyFunction(function);
  for (auto &[node, program] : programs)
    copySymbols(program);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Node 0 takes what a program is given, and returns what it makes.
bool NodeProjector::keepsArgument(FunctionOpInterface function, unsigned i,
                                  int64_t node) const {
  return function.isPublic()
             ? node == 0
             : demand.getNeeds(function.getArgument(i)).test(node);
}

bool NodeProjector::keepsResult(FunctionOpInterface function, unsigned i,
                                int64_t node) const {
  return function.isPublic() ? node == 0
                             : demand.getResultNeeds(function, i).test(node);
}

/// What a call passes to a function, or a function returns, on a node.
SmallVector<Value> NodeProjector::lookupKept(NodeProgram &program,
                                             FunctionOpInterface function,
                                             OperandRange operands,
                                             bool areResults) {
  SmallVector<Value> kept;
  for (auto [index, operand] : llvm::enumerate(operands))
    if (areResults ? keepsResult(function, index, program.node)
                   : keepsArgument(function, index, program.node))
      kept.push_back(program.lookup(operand));
  return kept;
}

/// The function with the arguments and results that it keeps on the node, and
/// its blocks, empty.
void NodeProjector::beginFunction(NodeProgram &program,
                                  FunctionOpInterface function) {
  OpBuilder &builder = program.builder;
  builder.setInsertionPointToEnd(program.module->getBody());
  SmallVector<Type> arguments, results;
  SmallVector<unsigned> argumentNumbers, resultNumbers;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (keepsArgument(function, index, program.node)) {
      arguments.push_back(type);
      argumentNumbers.push_back(index);
    }
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (keepsResult(function, index, program.node)) {
      results.push_back(type);
      resultNumbers.push_back(index);
    }
  auto copy =
      func::FuncOp::create(builder, function.getLoc(), function.getName(),
                           builder.getFunctionType(arguments, results));
  copy.setVisibility(function.getVisibility());
  copy->setDiscardableAttrs(function->getDiscardableAttrDictionary());
  program.missing.clear();
  for (Block &block : function.getFunctionBody()) {
    bool isEntry = block.isEntryBlock();
    Block *begun = builder.createBlock(&copy.getBody(), copy.getBody().end());
    program.mapping.map(&block, begun);
    for (auto [index, argument] : llvm::enumerate(block.getArguments()))
      if (!isEntry || llvm::is_contained(argumentNumbers, index))
        program.mapping.map(argument, begun->addArgument(argument.getType(),
                                                         argument.getLoc()));
  }
  program.entry = &copy.getBody().front();
  for (auto [index, number] : llvm::enumerate(argumentNumbers))
    copy.setArgAttrs(index, function.getArgAttrs(number));
  for (auto [index, number] : llvm::enumerate(resultNumbers))
    copy.setResultAttrs(index, function.getResultAttrs(number));
}

void NodeProjector::copyFunction(FunctionOpInterface function) {
  // Callers expect an entry point on each node.
  if (function.isPublic())
    for (auto &[node, program] : programs)
      beginFunction(program, function);
  else
    forEach(demand.getNodes(function),
            [&](NodeProgram &program) { beginFunction(program, function); });
  Block *entry = &function.getFunctionBody().front();
  if (function.isPublic())
    transferScalars(function.getArguments(), entry);
  for (Block *block : getBlocksSortedByDominance(function.getFunctionBody()))
    copyBlock(*block);
  // A node that has nothing to do in an entry point returns.
  if (function.isPublic())
    for (auto &[node, program] : programs)
      if (!demand.getNodes(function).test(node)) {
        Region &body = *program.entry->getParent();
        while (!llvm::hasSingleElement(body))
          body.back().erase();
        program.builder.setInsertionPointToEnd(program.entry);
        func::ReturnOp::create(program.builder, function.getLoc());
      }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void NodeProjector::copyBlock(Block &block) {
  // What a host region makes is sent after it: nothing else comes into it.
  SmallVector<Value> made;
  bool isInRegion = false;
  for (Operation &op : block) {
    copyOperation(op);
    if (isa<HostRegionOp, EndHostRegionOp>(op))
      isInRegion = isa<HostRegionOp>(op);
    llvm::append_range(made, op.getResults());
    if (isInRegion)
      continue;
    transferScalars(made, &block);
    made.clear();
  }
}

/// What several nodes run with work of each in it gets a number, by which a
/// verifier sees that all run it in one order.
void NodeProjector::markPosition(const NodeSet &nodes, Operation &op) {
  int64_t own = ++position;
  if (nodes.count() < 2)
    return;
  forEach(nodes, [&](NodeProgram &program) {
    program.mapping.lookup(&op)->setAttr(
        kPositionAttrName, program.builder.getI64IntegerAttr(own));
  });
}

void NodeProjector::copyOperation(Operation &op) {
  const NodeSet &nodes = demand.getNodes(&op);
  if (nodes.empty())
    return;
  auto copy = dyn_cast<memref::CopyOp>(op);
  if (copy && nodes.count() > 1)
    return transferBuffer(copy);
  FunctionOpInterface callee = demand.getSplitCallee(&op);
  bool isControlFlow = demand.isControlFlow(&op);
  forEach(nodes, [&](NodeProgram &program) {
    program.goTo(op.getBlock());
    if (op.hasTrait<OpTrait::IsTerminator>())
      copyTerminator(program, op);
    else if (callee)
      copyCall(program, op, callee);
    else if (isControlFlow)
      copyControlFlow(program, op);
    else
      copyLeaf(program, op);
  });
  if (callee || isControlFlow)
    markPosition(nodes, op);
  if (isControlFlow)
    for (Region &region : op.getRegions())
      for (Block &block : region)
        copyBlock(block);
}

void NodeProjector::copyLeaf(NodeProgram &program, Operation &op) {
  llvm::SetVector<Value> used;
  used.insert_range(op.getOperands());
  getUsedValuesDefinedAbove(op.getRegions(), used);
  for (Value value : used)
    program.mapping.map(value, program.lookup(value));
  program.builder.clone(op, program.mapping);
}

void NodeProjector::copyControlFlow(NodeProgram &program, Operation &op) {
  for (Value operand : op.getOperands())
    program.mapping.map(operand, program.lookup(operand));
  Operation *copy = op.cloneWithoutRegions(program.mapping);
  program.builder.insert(copy);
  program.mapping.map(&op, copy);
  for (auto [from, to] : llvm::zip(op.getRegions(), copy->getRegions()))
    for (Block &block : from) {
      Block *begun = program.builder.createBlock(&to, to.end());
      program.mapping.map(&block, begun);
      for (BlockArgument argument : block.getArguments())
        program.mapping.map(argument, begun->addArgument(argument.getType(),
                                                         argument.getLoc()));
    }
}

void NodeProjector::copyCall(NodeProgram &program, Operation &op,
                             FunctionOpInterface callee) {
  SmallVector<Type> types;
  SmallVector<Value> results;
  for (OpResult result : op.getResults())
    if (keepsResult(callee, result.getResultNumber(), program.node)) {
      types.push_back(result.getType());
      results.push_back(result);
    }
  auto call = func::CallOp::create(
      program.builder, op.getLoc(), callee.getName(), types,
      lookupKept(program, callee, op.getOperands(), /*areResults=*/false));
  call->setDiscardableAttrs(op.getDiscardableAttrDictionary());
  program.mapping.map(&op, call.getOperation());
  for (auto [result, kept] : llvm::zip(results, call.getResults()))
    program.mapping.map(result, kept);
}

void NodeProjector::copyTerminator(NodeProgram &program, Operation &op) {
  auto function = dyn_cast<FunctionOpInterface>(op.getParentOp());
  if (!function || op.getNumSuccessors() != 0)
    return copyLeaf(program, op);
  func::ReturnOp::create(
      program.builder, op.getLoc(),
      lookupKept(program, function, op.getOperands(), /*areResults=*/true));
}

/// The globals, kernels and declarations that the program uses.
void NodeProjector::copySymbols(NodeProgram &program) {
  SymbolTable known(*program.module);
  SymbolTable all(joined);
  // Of a module as a whole no uses are found: it is a symbol table.
  SmallVector<Operation *> unseen;
  for (Operation &op : *program.module->getBody())
    unseen.push_back(&op);
  while (!unseen.empty()) {
    Operation *from = unseen.pop_back_val();
    auto uses = SymbolTable::getSymbolUses(from);
    if (!uses)
      continue;
    for (SymbolTable::SymbolUse use : *uses) {
      StringAttr name = use.getSymbolRef().getRootReference();
      Operation *symbol = known.lookup(name) ? nullptr : all.lookup(name);
      if (!symbol)
        continue;
      Operation *copy = symbol->clone();
      known.insert(copy, program.module->getBody()->begin());
      unseen.push_back(copy);
    }
  }
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// The type of a buffer of the host of a node, without gaps.
static MemRefType getHostType(MemRefType type, int64_t node) {
  Attribute space;
  if (node != 0)
    space = DeviceAttr::getHost(type.getContext()).onNode(node);
  return MemRefType::get(type.getShape(), type.getElementType(),
                         MemRefLayoutAttrInterface(), space);
}

/// True for what a node can send and receive as it is.
static bool isDenseOnHost(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.getLayout().isIdentity() && isHostAccessible(getTypeDevice(type));
}

/// A buffer of the host, without gaps, of the size of another one.
static Value allocateOnHost(NodeProgram &program, Value like) {
  Location loc = like.getLoc();
  auto type = cast<MemRefType>(like.getType());
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(memref::DimOp::create(program.builder, loc, like, i));
  return memref::AllocOp::create(program.builder, loc,
                                 getHostType(type, program.node), sizes);
}

static void send(NodeProgram &program, memref::CopyOp copy, int64_t to,
                 int64_t tag) {
  OpBuilder &builder = program.builder;
  Location loc = copy.getLoc();
  Value source = program.lookup(copy.getSource());
  if (!isDenseOnHost(source)) {
    Value dense = allocateOnHost(program, source);
    memref::CopyOp::create(builder, loc, source, dense);
    DeviceAttr device = getTypeDevice(source.getType());
    if (!isHostAccessible(device))
      WaitOp::create(builder, loc, device.getBare());
    source = dense;
  }
  auto start = SendOp::create(builder, loc, source, to, tag);
  start->setDiscardableAttrs(copy->getDiscardableAttrDictionary());
}

static void receive(NodeProgram &program, memref::CopyOp copy, int64_t from,
                    int64_t tag) {
  OpBuilder &builder = program.builder;
  Location loc = copy.getLoc();
  Value target = program.lookup(copy.getTarget());
  bool isDirect = isDenseOnHost(target);
  Value buffer = isDirect ? target : allocateOnHost(program, target);
  auto start = ReceiveOp::create(builder, loc, buffer, from, tag);
  start->setDiscardableAttrs(copy->getDiscardableAttrDictionary());
  if (isDirect)
    return;
  AwaitTransferOp::create(builder, loc, buffer, tag);
  memref::CopyOp::create(builder, loc, buffer, target);
}

void NodeProjector::transferBuffer(memref::CopyOp copy) {
  int64_t from = getBufferNode(copy.getSource());
  int64_t to = getBufferNode(copy.getTarget());
  int64_t tag = ++position;
  ++numTransfers;
  ++numCopies;
  auto visit = [&](int64_t node, llvm::function_ref<void(NodeProgram &)> go) {
    auto it = programs.find(node);
    if (it == programs.end())
      return;
    it->second.goTo(copy->getBlock());
    go(it->second);
  };
  visit(from, [&](NodeProgram &program) { send(program, copy, to, tag); });
  visit(to, [&](NodeProgram &program) { receive(program, copy, from, tag); });
}

void NodeProjector::transferScalars(ValueRange values, Block *block) {
  for (Value value : values)
    for (unsigned node : demand.getReceivers(value))
      transferScalar(value, node, block);
}

/// A number crosses in a buffer of one element.
void NodeProjector::transferScalar(Value value, int64_t to, Block *block) {
  int64_t from = demand.getSender(value), tag = ++position;
  ++numTransfers;
  auto name = StringAttr::get(joined.getContext(), getValueName(value));
  auto type = MemRefType::get({1}, value.getType());
  for (int64_t node : {from, to}) {
    auto it = programs.find(node);
    if (it == programs.end())
      continue;
    NodeProgram &program = it->second;
    OpBuilder &builder = program.builder;
    Location loc = value.getLoc();
    program.goTo(block);
    Value buffer =
        memref::AllocOp::create(builder, loc, getHostType(type, node));
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    if (node == from) {
      memref::StoreOp::create(builder, loc, program.lookup(value), buffer,
                              zero);
      SendOp::create(builder, loc, buffer, to, tag)
          ->setAttr(kValueAttrName, name);
    } else {
      ReceiveOp::create(builder, loc, buffer, from, tag)
          ->setAttr(kValueAttrName, name);
      AwaitTransferOp::create(builder, loc, buffer, tag);
      program.mapping.map(value,
                          memref::LoadOp::create(builder, loc, buffer, zero));
    }
  }
}
