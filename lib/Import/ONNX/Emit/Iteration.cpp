//===- Iteration.cpp - Loops over passes of a body ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Iteration.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Integer tensors of at most so many elements are passed on as scalars.
static constexpr int64_t kMaxScalars = 8;
/// Loops of at most so many passes are unrolled where they have to be.
static constexpr int64_t kMaxUnrolled = 512;

static void addLeaves(const Tensor &value, SmallVectorImpl<Tensor> &leaves) {
  if (!value.isSequence())
    return leaves.push_back(value);
  for (const Tensor &item : *value.items)
    addLeaves(item, leaves);
}

SmallVector<Tensor> onnx::getLeaves(ArrayRef<Tensor> values) {
  SmallVector<Tensor> leaves;
  for (const Tensor &value : values)
    addLeaves(value, leaves);
  return leaves;
}

static Tensor takeLeaves(const Tensor &value, ArrayRef<Tensor> &leaves) {
  if (!value.isSequence()) {
    Tensor leaf = leaves.front();
    leaves = leaves.drop_front();
    return leaf;
  }
  Tensor made = value;
  made.items = std::make_shared<std::vector<Tensor>>();
  for (const Tensor &item : *value.items)
    made.items->push_back(takeLeaves(item, leaves));
  return made;
}

SmallVector<Tensor> onnx::replaceLeaves(ArrayRef<Tensor> values,
                                        ArrayRef<Tensor> leaves) {
  return llvm::map_to_vector(
      values, [&](const Tensor &value) { return takeLeaves(value, leaves); });
}

static bool haveSameStructure(const Tensor &lhs, const Tensor &rhs) {
  if (lhs.isSequence() != rhs.isSequence() || lhs.isOptional != rhs.isOptional)
    return false;
  if (lhs.isSequence())
    return onnx::haveSameStructure(*lhs.items, *rhs.items);
  return lhs.type == rhs.type && lhs.rank() == rhs.rank();
}

bool onnx::haveSameStructure(ArrayRef<Tensor> lhs, ArrayRef<Tensor> rhs) {
  return lhs.size() == rhs.size() &&
         llvm::all_of(llvm::zip_equal(lhs, rhs), [](auto pair) {
           return ::haveSameStructure(std::get<0>(pair), std::get<1>(pair));
         });
}

/// True if tensors are one: the same value, constant or elements.
static bool areSame(const Tensor &lhs, const Tensor &rhs) {
  return lhs.type == rhs.type && lhs.sizes == rhs.sizes &&
         lhs.value == rhs.value && lhs.constant == rhs.constant &&
         lhs.packed == rhs.packed && lhs.elements == rhs.elements;
}

Draft::Draft(NodeBuilder &n) : n(n) {
  op = scf::ExecuteRegionOp::create(n.b, n.loc, TypeRange());
  n.b.setInsertionPointToEnd(&op.getRegion().emplaceBlock());
}

/// True of arithmetic on scalars that may run anywhere.
static bool isArithmetic(Operation &op) {
  return op.getNumRegions() == 0 && op.getNumResults() == 1 && isPure(&op) &&
         op.getResult(0).getType().isIntOrIndex();
}

void Draft::leave() {
  for (Operation &inside : llvm::make_early_inc_range(*block())) {
    bool isOuter = llvm::all_of(inside.getOperands(), [&](Value operand) {
      return !op.getRegion().isAncestor(operand.getParentRegion());
    });
    if (!isOuter || !isArithmetic(inside))
      continue;
    inside.moveBefore(op);
    // Tensors still refer to what is there twice.
    Value own = inside.getResult(0), known = n.ix.findEqual(own);
    moved[own] = known;
    if (known != own)
      own.replaceAllUsesWith(known);
  }
  n.b.setInsertionPointAfter(op);
}

OpFoldResult Draft::resolve(OpFoldResult size) const {
  auto value = dyn_cast_if_present<Value>(size);
  auto it = value ? moved.find(value) : moved.end();
  return it == moved.end() ? size : OpFoldResult(it->second);
}

Tensor Draft::resolve(const Tensor &tensor) const {
  Tensor made = tensor;
  if (made.value)
    made.value = cast<Value>(resolve(OpFoldResult(made.value)));
  for (OpFoldResult &size : made.sizes)
    size = resolve(size);
  if (made.elements)
    for (OpFoldResult &element : *made.elements)
      element = resolve(element);
  return made;
}

OpFoldResult Draft::getOuter(OpFoldResult size) const {
  OpFoldResult known = resolve(size);
  auto value = dyn_cast_if_present<Value>(known);
  Region &region = const_cast<Draft *>(this)->op.getRegion();
  bool isInner = value && region.isAncestor(value.getParentRegion());
  return isInner ? OpFoldResult() : known;
}

void Draft::moveTo(Block *target, ValueRange arguments) {
  for (auto [own, other] :
       llvm::zip_equal(block()->getArguments(), arguments)) {
    moved[own] = other;
    own.replaceAllUsesWith(other);
  }
  target->getOperations().splice(target->end(), block()->getOperations());
  op.erase();
}

void Draft::erase() {
  n.b.setInsertionPointAfter(op);
  n.erase(op);
}

Slot::Slot(const Tensor &given, ArrayRef<OpFoldResult> sizes)
    : tensor(given.type, Sizes(sizes)) {
  bool isWhole = isInteger(given.type) || given.type == ElementType::Bool;
  std::optional<int64_t> count = tensor.count();
  if (isWhole && given.rank() <= 1 && count && *count <= kMaxScalars &&
      (*count == 1 || given.elements))
    tensor.elements.emplace(*count);
}

void Slot::addTypes(NodeBuilder &n, SmallVectorImpl<Type> &types) const {
  if (isScalars())
    types.append(tensor.elements->size(), n.storage(tensor.type));
  else
    types.push_back(getTensorType(n.storage(tensor.type), tensor.sizes));
}

void Slot::addValues(NodeBuilder &n, const Tensor &given,
                     SmallVectorImpl<Value> &values) const {
  if (!isScalars())
    return values.push_back(
        n.make(tensor.type, tensor.sizes, n.value(given)).value);
  Tensor exact = given;
  exact.sizes = tensor.sizes;
  if (given.sizes != exact.sizes && !given.elements)
    exact = n.make(given.type, exact.sizes, n.value(given));
  for (OpFoldResult element : n.elements(exact))
    values.push_back(n.scalarValue(element));
}

Tensor Slot::takeValues(NodeBuilder &n, ValueRange &values) const {
  Tensor taken = tensor;
  if (isScalars()) {
    for (OpFoldResult &element : *taken.elements) {
      element = values.front();
      values = values.drop_front();
    }
    return taken;
  }
  taken.value = values.front();
  values = values.drop_front();
  for (auto [axis, size] : llvm::enumerate(taken.sizes))
    if (!size) {
      size = tensor::getMixedSize(n.b, n.loc, taken.value, axis);
      if (auto value = dyn_cast<Value>(size))
        size = n.ix.unique(value);
    }
  return taken;
}

Tensor onnx::insertSlice(NodeBuilder &n, const Tensor &tensor,
                         const Tensor &slice, OpFoldResult place) {
  // The verifier has none of nothing.
  if (slice.count() == 0 || tensor.count() == 0)
    return tensor;
  Sizes offsets(tensor.rank(), n.ix.constant(0)), sizes = tensor.sizes;
  Sizes ones(tensor.rank(), n.ix.constant(1));
  offsets[0] = place;
  sizes[0] = n.ix.constant(1);
  Tensor part =
      n.make(slice.type, ArrayRef(sizes).drop_front(), n.value(slice));
  Value made = tensor::InsertSliceOp::create(
      n.b, n.loc, part.value, n.value(tensor), offsets, sizes, ones);
  return n.make(tensor.type, tensor.sizes, made);
}

static FailureOr<LoopResults> unroll(NodeBuilder &n, int64_t count,
                                     ArrayRef<Tensor> initial, LoopBody body) {
  LoopResults results;
  results.carried.assign(initial.begin(), initial.end());
  SmallVector<SmallVector<Tensor>> slices;
  for (int64_t number = 0; number < count; ++number) {
    FailureOr<LoopPass> pass = body(n.ix.constant(number), results.carried);
    if (failed(pass))
      return failure();
    results.carried = std::move(pass->carried);
    slices.resize(pass->slices.size());
    for (auto [all, slice] : llvm::zip_equal(slices, pass->slices))
      all.push_back(unsqueeze(n, slice, 0));
    std::optional<int64_t> goesOn = getInt(pass->goesOn);
    if (!goesOn && number + 1 < count) {
      n.fail("ranks or types of values that its body passes on change, and "
             "whether another pass follows depends on data");
      return failure();
    }
    if (goesOn == 0)
      break;
  }
  for (ArrayRef<Tensor> all : slices)
    results.stacked.push_back(concat(n, all, 0));
  return results;
}

/// The results of no pass: a pass that is not kept has the types of slices, and
/// their sizes as far as they are known outside of it.
static LoopResults skip(NodeBuilder &n, ArrayRef<Tensor> initial,
                        LoopBody body) {
  Draft draft(n);
  FailureOr<LoopPass> pass = failure();
  SmallVector<Tensor> slices;
  if (attempt(n, [&] { pass = body(n.ix.constant(0), initial); })) {
    draft.leave();
    for (const Tensor &slice : pass->slices) {
      Sizes sizes{n.ix.constant(0)};
      for (OpFoldResult size : slice.sizes) {
        OpFoldResult known = draft.getOuter(size);
        sizes.push_back(known ? known : n.ix.constant(0));
      }
      slices.emplace_back(slice.type, sizes);
    }
  }
  draft.erase();
  LoopResults results{SmallVector<Tensor>(initial), {}};
  for (const Tensor &slice : slices)
    results.stacked.push_back(n.makeEmpty(slice.type, slice.sizes));
  return results;
}

namespace {
/// A value that loops carry.
struct Carried {
  Carried(const Tensor &initial)
      : initial(initial), slot(initial, initial.sizes) {}

  Tensor initial;
  Slot slot;
  /// True as long as no pass is known to change it.
  bool isSame = true;
};

/// A result with a slice of each pass.
struct Stack {
  ElementType type;
  /// Of a slice; null where passes may have other ones.
  Sizes sizes;
};

class LoopBuilder {
public:
  LoopBuilder(NodeBuilder &n, OpFoldResult count, OpFoldResult condition,
              ArrayRef<Tensor> initial, LoopBody body, bool canUnroll)
      : n(n), count(count), condition(condition),
        structure(initial.begin(), initial.end()), body(body),
        canUnroll(canUnroll) {
    for (const Tensor &leaf : getLeaves(initial))
      carried.emplace_back(leaf);
  }

  /// Nullopt if ranks or types change between passes, or if the body fails and
  /// the loop can be unrolled.
  FailureOr<std::optional<LoopResults>> build();

private:
  /// Imports the body; false if it has shown that something changes.
  FailureOr<bool> draftPass(Draft &draft);
  bool compare(Draft &draft, Carried &value, const Tensor &after);
  void makeStacks(Draft &draft);
  /// True if all stacks are made before the loop.
  bool hasKnownStacks() const;
  Tensor pushSlice(const Tensor &stack, const Tensor &slice);

  /// The types of what the loop carries, and the values at its start.
  SmallVector<Value> getInitialValues();
  SmallVector<Value> getPassValues(const Draft &draft);
  LoopResults takeResults(ValueRange values, OpFoldResult passes);
  LoopResults buildFor(Draft &draft);
  LoopResults buildWhile(Draft &draft);

  NodeBuilder &n;
  OpFoldResult count, condition;
  SmallVector<Tensor> structure;
  LoopBody body;
  bool canUnroll;
  std::vector<Carried> carried;
  std::vector<Stack> stacks;
  std::vector<Slot> stackSlots;
  SmallVector<Tensor> stackArguments;
  LoopPass pass;
  Value number;
  bool isFor = false, isUneven = false;
};
} // namespace

bool LoopBuilder::compare(Draft &draft, Carried &value, const Tensor &after) {
  if (value.isSame) {
    value.isSame = areSame(value.initial, after);
    return value.isSame;
  }
  bool isSettled = true;
  Sizes sizes = value.slot.tensor.sizes;
  for (auto [size, other] : llvm::zip_equal(sizes, after.sizes)) {
    OpFoldResult found = draft.getOuter(other);
    if (!size || size == found ||
        (getInt(size) && getInt(size) == getInt(found)))
      continue;
    size = OpFoldResult();
    isSettled = false;
  }
  if (!isSettled)
    value.slot = Slot(value.initial, sizes);
  return isSettled;
}

FailureOr<bool> LoopBuilder::draftPass(Draft &draft) {
  SmallVector<Type> types{n.b.getIndexType()};
  for (Carried &value : carried)
    if (!value.isSame)
      value.slot.addTypes(n, types);
  SmallVector<Location> places(types.size(), n.loc);
  draft.block()->addArguments(types, places);
  ValueRange arguments = draft.block()->getArguments();
  number = arguments.front();
  arguments = arguments.drop_front();
  SmallVector<Tensor> leaves;
  for (Carried &value : carried)
    leaves.push_back(value.isSame ? value.initial
                                  : value.slot.takeValues(n, arguments));
  FailureOr<LoopPass> made = failure();
  auto build = [&] { made = body(number, replaceLeaves(structure, leaves)); };
  // One that fails may need the number of its pass.
  if (!canUnroll)
    build();
  else if (!attempt(n, build)) {
    isUneven = true;
    return false;
  }
  if (failed(made) || n.failed())
    return failure();
  pass = std::move(*made);
  isUneven = !haveSameStructure(structure, pass.carried);
  if (isUneven)
    return false;
  draft.leave();
  bool isSettled = true;
  for (auto [value, after] : llvm::zip_equal(carried, getLeaves(pass.carried)))
    isSettled &= compare(draft, value, after);
  return isSettled;
}

void LoopBuilder::makeStacks(Draft &draft) {
  for (const Tensor &slice : pass.slices) {
    Sizes sizes;
    for (OpFoldResult size : slice.sizes)
      sizes.push_back(draft.getOuter(size));
    stacks.push_back({slice.type, sizes});
  }
  std::optional<int64_t> goesOn = getInt(pass.goesOn);
  if (goesOn == 0)
    count = count ? n.ix.min(count, n.ix.constant(1)) : n.ix.constant(1);
  if (goesOn && !count)
    n.fail("its loop never ends");
  isFor = count && goesOn;
}

bool LoopBuilder::hasKnownStacks() const {
  return isFor && llvm::all_of(stacks, [](const Stack &stack) {
           return llvm::all_of(stack.sizes,
                               [](OpFoldResult s) { return bool(s); });
         });
}

SmallVector<Value> LoopBuilder::getInitialValues() {
  SmallVector<Value> values;
  for (Carried &value : carried)
    if (!value.isSame)
      value.slot.addValues(n, value.initial, values);
  bool isKnown = hasKnownStacks();
  for (Stack &stack : stacks) {
    // A stack that grows is empty at first, also along sizes not known yet.
    Sizes sizes{isKnown ? count : n.ix.constant(0)}, types{sizes};
    if (!isKnown)
      types[0] = OpFoldResult();
    for (OpFoldResult size : stack.sizes) {
      sizes.push_back(size ? size : n.ix.constant(0));
      types.push_back(size);
    }
    Tensor empty{stack.type, sizes};
    empty.value = n.empty(stack.type, sizes);
    stackSlots.emplace_back(stack.type, types);
    stackSlots.back().addValues(n, empty, values);
  }
  return values;
}

Tensor LoopBuilder::pushSlice(const Tensor &stack, const Tensor &slice) {
  if (hasKnownStacks())
    return insertSlice(n, stack, slice, number);
  Indices &ix = n.ix;
  // The first pass makes room; a full stack is copied to one of twice the size.
  OpFoldResult room = stack.sizes[0];
  Sizes wide{isFor ? count
                   : ix.max(ix.mul(room, ix.constant(2)), ix.constant(16))};
  llvm::append_range(wide, slice.sizes);
  for (auto [axis, size] : llvm::enumerate(slice.sizes)) {
    OpFoldResult isFirst = ix.equal(number, ix.constant(0));
    n.check(ix.select(isFirst, n.b.getBoolAttr(true),
                      ix.equal(stack.sizes[axis + 1], size)),
            "slices of a result have unlike sizes in its passes");
  }
  RankedTensorType type = cast<RankedTensorType>(n.value(stack).getType());
  auto grown = scf::IfOp::create(n.b, n.loc, TypeRange(type),
                                 ix.value(ix.equal(number, room)), true, true);
  OpBuilder::InsertionGuard guard(n.b);
  auto yield = [&](Block *block, function_ref<Value()> make) {
    n.b.setInsertionPointToEnd(block);
    Value value = make();
    if (value.getType() != type)
      value = tensor::CastOp::create(n.b, n.loc, type, value);
    scf::YieldOp::create(n.b, n.loc, value);
  };
  yield(grown.thenBlock(), [&]() -> Value {
    Sizes zeros(stack.rank(), ix.constant(0)),
        ones(stack.rank(), ix.constant(1));
    return tensor::InsertSliceOp::create(n.b, n.loc, n.value(stack),
                                         n.empty(stack.type, wide), zeros,
                                         stack.sizes, ones);
  });
  yield(grown.elseBlock(), [&]() { return n.value(stack); });
  n.b.setInsertionPointAfter(grown);
  Tensor large = stack;
  large.value = grown.getResult(0);
  large.sizes = tensor::getMixedSizes(n.b, n.loc, large.value);
  return insertSlice(n, large, slice, number);
}

SmallVector<Value> LoopBuilder::getPassValues(const Draft &draft) {
  SmallVector<Value> values;
  for (auto [value, after] : llvm::zip_equal(carried, getLeaves(pass.carried)))
    if (!value.isSame)
      value.slot.addValues(n, draft.resolve(after), values);
  for (auto [slot, stack, slice] :
       llvm::zip_equal(stackSlots, stackArguments, pass.slices))
    slot.addValues(n, pushSlice(stack, draft.resolve(slice)), values);
  return values;
}

LoopResults LoopBuilder::takeResults(ValueRange values, OpFoldResult passes) {
  SmallVector<Tensor> leaves;
  for (Carried &value : carried)
    leaves.push_back(value.isSame ? value.initial
                                  : value.slot.takeValues(n, values));
  LoopResults results;
  results.carried = replaceLeaves(structure, leaves);
  bool isKnown = hasKnownStacks();
  for (Slot &slot : stackSlots) {
    Tensor stack = slot.takeValues(n, values);
    results.stacked.push_back(
        isKnown ? stack : sliceAxis(n, stack, 0, n.ix.constant(0), passes));
  }
  return results;
}

LoopResults LoopBuilder::buildFor(Draft &draft) {
  OpFoldResult passes = n.ix.select(condition, count, n.ix.constant(0));
  count = passes;
  SmallVector<Value> initial = getInitialValues();
  auto op = scf::ForOp::create(n.b, n.loc, n.ix.value(n.ix.constant(0)),
                               n.ix.value(passes), n.ix.value(n.ix.constant(1)),
                               initial);
  Block *target = op.getBody();
  if (initial.empty())
    target->getTerminator()->erase();
  size_t own = draft.block()->getNumArguments();
  draft.moveTo(target, target->getArguments().take_front(own));
  OpBuilder::InsertionGuard guard(n.b);
  n.b.setInsertionPointToEnd(target);
  number = op.getInductionVar();
  ValueRange rest = target->getArguments().drop_front(own);
  for (Slot &slot : stackSlots)
    stackArguments.push_back(slot.takeValues(n, rest));
  scf::YieldOp::create(n.b, n.loc, getPassValues(draft));
  n.b.setInsertionPointAfter(op);
  return takeResults(op.getResults(), passes);
}

LoopResults LoopBuilder::buildWhile(Draft &draft) {
  SmallVector<Value> initial{n.ix.value(n.ix.constant(0)),
                             n.ix.value(condition)};
  llvm::append_range(initial, getInitialValues());
  auto op = scf::WhileOp::create(
      n.b, n.loc, ValueRange(initial).getTypes(), initial,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        Value goesOn = arguments[1];
        Scalars s(b, loc, ElementType::I64);
        if (count)
          goesOn = s.binary<arith::AndIOp>(
              goesOn, s.less(arguments[0], n.ix.value(count)));
        scf::ConditionOp::create(b, loc, goesOn, arguments);
      },
      [](OpBuilder &, Location, ValueRange) {});
  Block *target = op.getAfterBody();
  SmallVector<Value> own{target->getArgument(0)};
  size_t last = draft.block()->getNumArguments() + 1;
  llvm::append_range(own,
                     target->getArguments().take_front(last).drop_front(2));
  draft.moveTo(target, own);
  OpBuilder::InsertionGuard guard(n.b);
  n.b.setInsertionPointToEnd(target);
  number = target->getArgument(0);
  ValueRange rest = target->getArguments().drop_front(last);
  for (Slot &slot : stackSlots)
    stackArguments.push_back(slot.takeValues(n, rest));
  SmallVector<Value> values{n.ix.value(n.ix.add(number, n.ix.constant(1))),
                            n.ix.value(draft.resolve(pass.goesOn))};
  llvm::append_range(values, getPassValues(draft));
  scf::YieldOp::create(n.b, n.loc, values);
  n.b.setInsertionPointAfter(op);
  return takeResults(op.getResults().drop_front(2), op.getResult(0));
}

FailureOr<std::optional<LoopResults>> LoopBuilder::build() {
  while (true) {
    Draft draft(n);
    FailureOr<bool> isSettled = draftPass(draft);
    if (failed(isSettled))
      return failure();
    if (!*isSettled) {
      draft.erase();
      if (isUneven)
        return std::optional<LoopResults>();
      continue;
    }
    makeStacks(draft);
    if (n.failed())
      return failure();
    return std::optional(isFor ? buildFor(draft) : buildWhile(draft));
  }
}

FailureOr<LoopResults> onnx::loop(NodeBuilder &n, OpFoldResult count,
                                  OpFoldResult condition,
                                  ArrayRef<Tensor> initial, LoopBody body) {
  std::optional<int64_t> known = count ? getInt(count) : std::nullopt;
  bool starts = getInt(condition).value_or(0) != 0;
  if (known == 0 || getInt(condition) == 0)
    return skip(n, initial, body);
  bool canUnroll = known && starts && *known <= kMaxUnrolled;
  if (known == 1 && starts)
    return unroll(n, 1, initial, body);
  LoopBuilder builder(n, count, condition, initial, body, canUnroll);
  FailureOr<std::optional<LoopResults>> made = builder.build();
  if (failed(made))
    return failure();
  if (*made)
    return std::move(**made);
  if (canUnroll)
    return unroll(n, *known, initial, body);
  SmallVector<OpFoldResult> turns{condition};
  if (count)
    turns.push_back(count);
  n.noteNeeded(turns);
  n.fail("ranks, types or lengths of values that its body passes on change, "
         "and the number of its passes is not known, or more than " +
         Twine(kMaxUnrolled) + "; give what it depends on by --value or --dim");
  return failure();
}
