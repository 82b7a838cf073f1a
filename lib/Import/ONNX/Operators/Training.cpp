//===- Training.cpp - Steps of optimizers ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Formulas.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

namespace {
/// What the step of one weight gets: the weight, its gradient and its states,
/// then the rate and how many steps there were.
struct Step {
  ArrayRef<Number> in;
  unsigned width() const { return in[0].getType().getIntOrFloatBitWidth(); }
  Number weight() const { return in[0]; }
  Number state(unsigned i) const { return in[2 + i]; }
  Number rate() const { return in[in.size() - 2].toFloat(width()); }
  /// How many steps there were before, as the weight's type.
  Number count() const { return in.back().toFloat(width()); }
  /// The gradient with the weight's norm.
  Number gradient(double norm) const { return in[0] * norm + in[1]; }
};
} // namespace

/// Sets the results, each of all weights: the new weight and its `states`, as
/// `body` computes number `i` of them.
static void setSteps(NodeBuilder &n, unsigned states,
                     llvm::function_ref<Number(const Step &, unsigned)> body) {
  unsigned kinds = 2 + states, count = (n.numInputs() - 2) / kinds;
  if (n.numInputs() < 2 + kinds || (n.numInputs() - 2) % kinds)
    return n.fail("it has " + Twine(n.numInputs()) +
                  " inputs, expected 2 and " + Twine(kinds) +
                  " for each weight");
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<Tensor> operands;
    for (unsigned kind = 0; kind < kinds; ++kind)
      operands.push_back(n.in(2 + kind * count + i));
    const Tensor weight = operands.front();
    operands.push_back(reshape(n, n.in(0), {}));
    operands.push_back(reshape(n, n.in(1), {}));
    for (unsigned result = 0; result <= states; ++result)
      n.set(result * count + i,
            compute(n, weight.type, weight.sizes, operands,
                    [&](const Loop &loop) { return body({loop.in}, result); }));
  }
}

static void buildAdagrad(NodeBuilder &n) {
  double norm = n.getFloat("norm_coefficient", 0);
  double decay = n.getFloat("decay_factor", 0);
  double epsilon = n.getFloat("epsilon", 0);
  setSteps(n, 1, [&](const Step &step, unsigned result) {
    Number gradient = step.gradient(norm);
    Number total = step.state(0) + gradient * gradient;
    if (result == 1)
      return total;
    Number steps = step.count();
    Number rate = step.rate() / (steps * decay + 1.0);
    return step.weight() - rate * gradient / (sqrt(total) + epsilon);
  });
}

static void buildAdam(NodeBuilder &n) {
  double norm = n.getFloat("norm_coefficient", 0);
  double after = n.getFloat("norm_coefficient_post", 0);
  double alpha = n.getFloat("alpha", 0.9f), beta = n.getFloat("beta", 0.999f);
  double epsilon = n.getFloat("epsilon", 0);
  setSteps(n, 2, [&](const Step &step, unsigned result) {
    Number gradient = step.gradient(norm);
    Number mean = step.state(0) * alpha + gradient * (1 - alpha);
    Number squares = step.state(1) * beta + gradient * gradient * (1 - beta);
    if (result > 0)
      return result == 1 ? mean : squares;
    Number steps = step.count(), rate = step.rate();
    Number corrected = rate * sqrt(Number(1) - pow(beta, steps)) /
                       (Number(1) - pow(alpha, steps));
    rate = select(Number(0) < step.count(), corrected, rate);
    Number moved = step.weight() - rate * mean / (sqrt(squares) + epsilon);
    return moved * (1 - after);
  });
}

static void buildMomentum(NodeBuilder &n) {
  double norm = n.getFloat("norm_coefficient", 0);
  double alpha = n.getFloat("alpha", 0), beta = n.getFloat("beta", 0);
  bool isStandard = n.getString("mode") == "standard";
  setSteps(n, 1, [&](const Step &step, unsigned result) {
    Number gradient = step.gradient(norm);
    // The first step takes all of the gradient.
    Number taken = select(Number(0) < step.count(), gradient * beta, gradient);
    Number momentum = step.state(0) * alpha + taken;
    if (result == 1)
      return momentum;
    Number change = isStandard ? momentum : gradient + momentum * alpha;
    return step.weight() - step.rate() * change;
  });
}

void mlir::hetero::onnx::addTraining(OperatorTable &table) {
  StringRef domain = "ai.onnx.preview.training";
  table.add("Adagrad", {1}, buildAdagrad, domain);
  table.add("Adam", {1}, buildAdam, domain);
  table.add("Momentum", {1}, buildMomentum, domain);
}
