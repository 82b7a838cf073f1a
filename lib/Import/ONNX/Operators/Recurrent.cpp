//===- Recurrent.cpp - RNN, GRU and LSTM ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Activation.h"
#include "../Compose/Quantization.h"
#include "../Emit/Iteration.h"
#include "../Emit/Layout.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

namespace {
struct Activation {
  const ActivationKind *kind;
  double alpha, beta;
};
} // namespace

/// The activations of all directions, `count` for each.
static SmallVector<Activation> readActivations(NodeBuilder &n, int64_t count,
                                               ArrayRef<StringRef> otherwise) {
  SmallVector<StringRef> names = n.getStrings("activations");
  SmallVector<float> alphas = n.getFloats("activation_alpha");
  SmallVector<float> betas = n.getFloats("activation_beta");
  if (names.empty())
    while (int64_t(names.size()) < count)
      llvm::append_range(names, otherwise);
  if (int64_t(names.size()) != count)
    n.fail("it has " + Twine(names.size()) + " activations, and " +
           Twine(count) + " are needed");
  SmallVector<Activation> made;
  // Those that take a number take the next one that is given.
  size_t alpha = 0, beta = 0;
  for (StringRef name : names) {
    const ActivationKind *kind = findActivation(name);
    if (!kind) {
      n.fail("there is no activation " + name);
      return made;
    }
    Activation next{kind, kind->alpha.value_or(0), kind->beta.value_or(0)};
    if (kind->alpha && alpha < alphas.size())
      next.alpha = alphas[alpha++];
    if (kind->beta && beta < betas.size())
      next.beta = betas[beta++];
    made.push_back(next);
  }
  return made;
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

namespace {
/// A recurrent node: what all its directions share.
struct Network {
  Network(NodeBuilder &n, int64_t gates, ArrayRef<StringRef> activations);

  NodeBuilder &n;
  int64_t gates;
  int64_t directions = 1;
  /// Activations of one direction.
  int64_t kinds;
  SmallVector<Activation> activations;
  double clip = std::numeric_limits<double>::infinity();
  /// True if weights are bytes, [input, gates], and what they are multiplied
  /// with is rounded to bytes by its own range.
  bool isQuantized;
  /// The type of the results, and that of the arithmetic.
  ElementType type, wide;
  /// Time, batch and channels.
  Tensor x;
  OpFoldResult time, batch, hidden;
};

/// Weights that are scaled bytes.
struct Bytes {
  Tensor matrix, scale, zero;
};

/// One direction of a network.
class Cell {
public:
  Cell(Network &network, int64_t direction);
  virtual ~Cell() = default;

  /// The states after a step, from the input's part of the gates.
  virtual SmallVector<Tensor> step(const Tensor &gates,
                                   ArrayRef<Tensor> states) = 0;
  /// The biases to add to the input's part, for all steps.
  virtual Tensor getInputBias() { return add(n, bias(0, 2), bias(1, 2)); }
  /// All hidden states of time, batch and hidden size, then the last states.
  FailureOr<SmallVector<Tensor>> run(ArrayRef<Tensor> states, bool isReverse);

protected:
  /// The part of an input for this direction, null if it is left out.
  std::optional<Tensor> take(unsigned input, OpFoldResult size);
  /// Gate `number` of a tensor whose last dimension has all.
  Tensor gate(const Tensor &tensor, int64_t number, int64_t count = 1);
  /// A part of the bias vector, of which there are `parts`.
  Tensor bias(int64_t number, int64_t parts);
  Tensor multiply(const Tensor &tensor, const Tensor &weights) {
    return matmul(n, castTo(n, tensor, network.type),
                  transpose(n, weights, {1, 0}));
  }
  Tensor multiplyBytes(const Tensor &tensor, const Bytes &bytes) {
    return multiplyMeasured(n, castTo(n, tensor, network.type), bytes.matrix,
                            bytes.scale, &bytes.zero);
  }
  Tensor multiplyInput(const Tensor &tensor) {
    return network.isQuantized ? multiplyBytes(tensor, weightBytes)
                               : multiply(tensor, weights);
  }
  Tensor multiplyState(const Tensor &tensor) {
    return network.isQuantized ? multiplyBytes(tensor, recurrentBytes)
                               : multiply(tensor, recurrent);
  }
  /// Weights of this direction, with their scales, which are an input, and
  /// their zero points, the next one.
  Bytes takeBytes(unsigned matrix, unsigned scale);
  void checkDirections(const Tensor &given) {
    n.checkEqual(given.sizes[0], n.ix.constant(network.directions),
                 "its weights are of another number of directions");
  }
  Value apply(Scalars &s, int64_t number, Value x) const;

  Network &network;
  NodeBuilder &n;
  int64_t direction;
  Tensor weights, recurrent;
  /// Instead of these where the network is quantized.
  Bytes weightBytes, recurrentBytes;
  std::optional<Tensor> biases;
};
} // namespace

Network::Network(NodeBuilder &n, int64_t gates, ArrayRef<StringRef> names)
    : n(n), gates(gates), kinds(names.size()) {
  StringRef direction = n.getString("direction", "forward");
  if (direction == "bidirectional")
    directions = 2;
  else if (direction != "forward" && direction != "reverse")
    n.fail("there is no direction " + direction);
  activations = readActivations(n, directions * kinds, names);
  // No number is between bounds of a negative clip: it is none.
  if (float given = n.getFloat("clip", -1); given >= 0)
    clip = given;
  isQuantized = n.op() == "DynamicQuantizeLSTM";
  type = n.in(0).type;
  wide = getAccumulator(type);
  for (unsigned input : {0, 1, 2})
    (void)n.in(input, 3);
  if (n.failed())
    return;
  x = n.getBool("layout") ? transpose(n, n.in(0), {1, 0, 2}) : n.in(0);
  time = x.sizes[0];
  batch = x.sizes[1];
  hidden = n.in(2).sizes[isQuantized ? 1 : 2];
}

/// The part of a direction, which the first dimension counts.
static Tensor takeDirection(NodeBuilder &n, const Tensor &given,
                            int64_t direction) {
  return squeeze(
      n, sliceAxis(n, given, 0, n.ix.constant(direction), n.ix.constant(1)), 0);
}

Cell::Cell(Network &network, int64_t direction)
    : network(network), n(network.n), direction(direction) {
  OpFoldResult rows = n.ix.mul(network.hidden, n.ix.constant(network.gates));
  if (network.isQuantized) {
    weightBytes = takeBytes(1, 8);
    recurrentBytes = takeBytes(2, 10);
  } else {
    weights = take(1, rows).value_or(Tensor());
    recurrent = take(2, rows).value_or(Tensor());
  }
  biases = take(3, n.ix.mul(rows, n.ix.constant(2)));
}

std::optional<Tensor> Cell::take(unsigned input, OpFoldResult size) {
  if (!n.has(input) || n.failed())
    return std::nullopt;
  Tensor given = n.in(input);
  if (given.type != network.type || given.rank() < 2)
    n.fail("input " + Twine(input) + " has another type or rank");
  if (n.failed())
    return std::nullopt;
  checkDirections(given);
  given.sizes[1] = n.checkEqual(given.sizes[1], size,
                                "sizes of input " + Twine(input) +
                                    " do not fit the hidden size");
  if (n.failed())
    return std::nullopt;
  return takeDirection(n, given, direction);
}

Bytes Cell::takeBytes(unsigned matrix, unsigned scale) {
  auto takeOwn = [&](unsigned input) {
    const Tensor &given = n.in(input);
    if (given.rank() < 1)
      n.fail("input " + Twine(input) + " has no directions");
    else
      checkDirections(given);
    return n.failed() ? given : takeDirection(n, given, direction);
  };
  return {takeOwn(matrix), takeOwn(scale), takeOwn(scale + 1)};
}

Tensor Cell::gate(const Tensor &tensor, int64_t number, int64_t count) {
  return sliceAxis(n, tensor, tensor.rank() - 1,
                   n.ix.mul(network.hidden, n.ix.constant(number)),
                   n.ix.mul(network.hidden, n.ix.constant(count)));
}

Tensor Cell::bias(int64_t number, int64_t parts) {
  int64_t count = 2 * network.gates / parts;
  return castTo(n, gate(*biases, number * count, count), network.wide);
}

Value Cell::apply(Scalars &s, int64_t number, Value x) const {
  if (std::isfinite(network.clip))
    x = s.max(s.min(x, s.constant(network.clip)), s.constant(-network.clip));
  const Activation &a = network.activations[direction * network.kinds + number];
  return a.kind->apply(Number(s.b, s.loc, x), a.alpha, a.beta)
      .get(s.b, s.loc, x.getType());
}

FailureOr<SmallVector<Tensor>> Cell::run(ArrayRef<Tensor> states,
                                         bool isReverse) {
  Indices &ix = n.ix;
  ElementType wide = network.wide;
  OpFoldResult time = network.time, batch = network.batch;
  // The input's part of all steps is one product.
  OpFoldResult rows = ix.mul(time, batch);
  Tensor gates =
      multiplyInput(reshape(n, network.x, {rows, network.x.sizes[2]}));
  if (biases)
    gates = add(n, gates, getInputBias());
  gates = reshape(n, gates, {time, batch, gates.sizes[1]});
  Sizes sizes{time, batch, network.hidden};
  Tensor all{wide, sizes};
  all.value = n.empty(wide, sizes);
  SmallVector<Tensor> initial(states);
  if (n.wants(0))
    initial.push_back(all);
  auto body = [&](OpFoldResult number,
                  ArrayRef<Tensor> carried) -> FailureOr<LoopPass> {
    OpFoldResult at =
        isReverse ? ix.sub(ix.sub(time, ix.constant(1)), number) : number;
    Tensor own = squeeze(n, sliceAxis(n, gates, 0, at, ix.constant(1)), 0);
    ArrayRef<Tensor> before = carried.take_front(states.size());
    SmallVector<Tensor> after = step(own, before);
    Tensor output = after.front();
    if (n.has(4)) {
      // Past the end of a sequence states stay, and results are 0.
      Tensor place = n.makeKnown(ElementType::I64, {},
                                 {ix.toElement(at, ElementType::I64)});
      Tensor lengths = unsqueeze(n, castTo(n, n.in(4, 1), ElementType::I64), 1);
      Tensor isInside = elementwise(
          n, {lengths, place}, ElementType::Bool,
          [](Scalars &s, ValueRange e) { return s.less(e[1], e[0]); });
      auto choose = [&](const Tensor &yes, const Tensor &no) {
        return elementwise(n, {isInside, yes, no}, yes.type,
                           [](Scalars &s, ValueRange e) {
                             return s.select(e[0], e[1], e[2]);
                           });
      };
      output = choose(output, n.constant(wide, 0));
      for (auto [now, old] : llvm::zip_equal(after, before))
        now = choose(now, old);
    }
    if (n.wants(0))
      after.push_back(insertSlice(n, carried.back(), output, at));
    return LoopPass{n.b.getBoolAttr(true), after, {}};
  };
  FailureOr<LoopResults> results =
      loop(n, time, n.b.getBoolAttr(true), initial, body);
  if (failed(results))
    return failure();
  SmallVector<Tensor> made{n.wants(0) ? results->carried.back() : all};
  llvm::append_range(made,
                     ArrayRef(results->carried).take_front(states.size()));
  return made;
}

namespace {
class RNNCell : public Cell {
public:
  using Cell::Cell;
  SmallVector<Tensor> step(const Tensor &gates,
                           ArrayRef<Tensor> states) override {
    Tensor product = multiply(states[0], recurrent);
    return {elementwise(n, {gates, product}, [&](Scalars &s, ValueRange e) {
      return apply(s, 0, s.add(e[0], e[1]));
    })};
  }
};

/// Gates: update, reset, hidden.
class GRUCell : public Cell {
public:
  GRUCell(Network &network, int64_t direction)
      : Cell(network, direction), isLinear(n.getBool("linear_before_reset")) {}

  Tensor getInputBias() override {
    if (!isLinear)
      return Cell::getInputBias();
    // The recurrent bias of the hidden gate is reset with its product.
    Tensor both = add(n, gate(bias(0, 2), 0, 2), gate(bias(1, 2), 0, 2));
    return concat(n, {both, gate(bias(0, 2), 2)}, 0);
  }

  SmallVector<Tensor> step(const Tensor &gates,
                           ArrayRef<Tensor> states) override {
    const Tensor &h = states[0];
    Tensor products = multiply(h, isLinear ? recurrent : rows(recurrent, 0, 2));
    Tensor reset = elementwise(n, {gate(gates, 1), gate(products, 1)},
                               [&](Scalars &s, ValueRange e) {
                                 return apply(s, 0, s.add(e[0], e[1]));
                               });
    Tensor state;
    if (isLinear) {
      state = gate(products, 2);
      if (biases)
        state = add(n, state, gate(bias(1, 2), 2));
      state = mul(n, reset, state);
    } else {
      state = multiply(mul(n, reset, h), rows(recurrent, 2, 1));
    }
    return {elementwise(
        n, {gate(gates, 0), gate(products, 0), gate(gates, 2), state, h},
        [&](Scalars &s, ValueRange e) {
          Value update = apply(s, 0, s.add(e[0], e[1]));
          Value fresh = apply(s, 1, s.add(e[2], e[3]));
          Value rest = s.sub(s.constant(1), update);
          return s.add(s.mul(rest, fresh), s.mul(update, e[4]));
        })};
  }

private:
  /// The rows of gates.
  Tensor rows(const Tensor &matrix, int64_t first, int64_t count) {
    return sliceAxis(n, matrix, 0,
                     n.ix.mul(network.hidden, n.ix.constant(first)),
                     n.ix.mul(network.hidden, n.ix.constant(count)));
  }

  bool isLinear;
};

/// Gates: input, output, forget, cell.
class LSTMCell : public Cell {
public:
  LSTMCell(Network &network, int64_t direction)
      : Cell(network, direction), isCoupled(n.getBool("input_forget")) {
    peepholes = take(7, n.ix.mul(network.hidden, n.ix.constant(3)));
  }

  SmallVector<Tensor> step(const Tensor &gates,
                           ArrayRef<Tensor> states) override {
    Tensor products = multiplyState(states[0]);
    const Tensor &before = states[1];
    SmallVector<Tensor> operands{
        gate(gates, 0), gate(products, 0), gate(gates, 2), gate(products, 2),
        gate(gates, 3), gate(products, 3), before};
    bool hasPeepholes = peepholes.has_value();
    if (hasPeepholes)
      llvm::append_range(operands, ArrayRef{peephole(0), peephole(2)});
    Tensor cell = elementwise(n, operands, [&](Scalars &s, ValueRange e) {
      Value input = s.add(e[0], e[1]), forget = s.add(e[2], e[3]);
      if (hasPeepholes) {
        input = s.add(input, s.mul(e[7], e[6]));
        forget = s.add(forget, s.mul(e[8], e[6]));
      }
      input = apply(s, 0, input);
      forget = isCoupled ? s.sub(s.constant(1), input) : apply(s, 0, forget);
      Value fresh = apply(s, 1, s.add(e[4], e[5]));
      return s.add(s.mul(forget, e[6]), s.mul(input, fresh));
    });
    operands = {gate(gates, 1), gate(products, 1), cell};
    if (hasPeepholes)
      operands.push_back(peephole(1));
    Tensor h = elementwise(n, operands, [&](Scalars &s, ValueRange e) {
      Value output = s.add(e[0], e[1]);
      if (hasPeepholes)
        output = s.add(output, s.mul(e[3], e[2]));
      return s.mul(apply(s, 0, output), apply(s, 2, e[2]));
    });
    return {h, cell};
  }

private:
  Tensor peephole(int64_t number) {
    return castTo(n, gate(*peepholes, number), network.wide);
  }

  bool isCoupled;
  std::optional<Tensor> peepholes;
};
} // namespace

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

/// The initial state of a direction: batch and hidden size.
static Tensor readState(Network &network, unsigned input, int64_t direction) {
  NodeBuilder &n = network.n;
  Sizes sizes{network.batch, network.hidden};
  if (!n.has(input))
    return n.make(network.wide, sizes, n.fillZero(network.wide, sizes));
  Tensor given = n.in(input);
  if (given.rank() != 3 || given.type != network.type) {
    n.fail("input " + Twine(input) + " has another type or rank");
    return given;
  }
  if (n.getBool("layout"))
    given = transpose(n, given, {1, 0, 2});
  n.checkEqual(given.sizes[0], n.ix.constant(network.directions),
               "its states are of another number of directions");
  for (int i = 0; i < 2; ++i)
    n.checkEqual(given.sizes[i + 1], sizes[i],
                 "sizes of its states do not fit its input and weights");
  if (n.failed())
    return given;
  Tensor part = takeDirection(n, given, direction);
  return castTo(n, n.make(part.type, sizes, n.value(part)), network.wide);
}

template <typename CellTy, int64_t gates, int64_t states>
static void buildNetwork(NodeBuilder &n) {
  static constexpr StringRef kDefaults[] = {"Sigmoid", "Tanh", "Tanh"};
  ArrayRef<StringRef> names(kDefaults);
  names = gates == 1 ? names.slice(1, 1) : names.take_front(states + 1);
  Network network(n, gates, names);
  if (n.failed())
    return;
  // Results of each direction, along the axis that they are joined by.
  SmallVector<SmallVector<Tensor>> results(states + 1);
  for (int64_t direction = 0; direction < network.directions; ++direction) {
    CellTy cell(network, direction);
    SmallVector<Tensor> initial;
    for (int64_t state = 0; state < states; ++state)
      initial.push_back(readState(network, 5 + state, direction));
    if (n.failed())
      return;
    bool isReverse = direction == 1 || n.getString("direction") == "reverse";
    FailureOr<SmallVector<Tensor>> made = cell.run(initial, isReverse);
    if (failed(made))
      return;
    for (auto [number, result] : llvm::enumerate(*made))
      results[number].push_back(unsqueeze(n, result, number == 0 ? 1 : 0));
  }
  bool isBatchFirst = n.getBool("layout");
  for (auto [number, parts] : llvm::enumerate(results)) {
    if (!n.wants(number))
      continue;
    Tensor joined = concat(n, parts, number == 0 ? 1 : 0);
    if (isBatchFirst)
      joined = number == 0 ? transpose(n, joined, {2, 0, 1, 3})
                           : transpose(n, joined, {1, 0, 2});
    n.set(number, castTo(n, joined, network.type));
  }
}

void mlir::hetero::onnx::addRecurrent(OperatorTable &table) {
  table.add("RNN", {1, 7, 14, 22}, buildNetwork<RNNCell, 1, 1>);
  table.add("GRU", {1, 3, 7, 14, 22}, buildNetwork<GRUCell, 3, 1>);
  table.add("LSTM", {1, 7, 14, 22}, buildNetwork<LSTMCell, 4, 2>);
  table.add("DynamicQuantizeLSTM", 1, buildNetwork<LSTMCell, 4, 2>, kMicrosoft);
}
