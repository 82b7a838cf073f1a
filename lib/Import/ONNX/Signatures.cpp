//===- Signatures.cpp - Types that operators take -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NodeBuilder.h"
#include "OperatorTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// The words of an operator; empty if the standard has none of the name.
static StringRef findSignature(StringRef domain, StringRef op) {
  static const llvm::StringMap<StringRef> signatures = [] {
    llvm::StringMap<StringRef> made;
    auto add = [&](StringRef words, StringRef names) {
      for (StringRef name : llvm::split(names, ' '))
        made[name] = words;
    };
#define HETERO_ONNX_SIGNATURE(WORDS, NAMES) add(WORDS, NAMES);
#include "Signatures.def"
    return made;
  }();
  return signatures.lookup((getCanonicalDomain(domain) + ":" + op).str());
}

/// "float, double": the names of the types of a set.
static std::string nameTypes(uint32_t types) {
  std::string names;
  for (int32_t number = 1; number < 32; ++number)
    if (types >> number & 1)
      names += (names.empty() ? "" : ", ") + getName(ElementType(number)).str();
  return names.empty() ? "a sequence" : names;
}

void NodeBuilder::checkSignature() {
  StringRef signature = findSignature(node.domain, node.op);
  SmallVector<StringRef> words;
  signature.split(words, ' ', -1, /*KeepEmpty=*/false);
  if (signature.empty())
    return;
  bool isVariadic = !words.empty() && words.back() == "+";
  if (isVariadic)
    words.pop_back();
  if (inputs.size() > words.size() && !isVariadic)
    return fail("it has " + Twine(inputs.size()) + " inputs, and takes " +
                Twine(words.size()));
  // The input that has decided what a letter stands for.
  llvm::SmallDenseMap<char, unsigned> deciders;
  for (auto [number, input] : llvm::enumerate(inputs)) {
    if (!input)
      continue;
    StringRef word = words[std::min<size_t>(number, words.size() - 1)];
    uint32_t types = 0;
    word.drop_front().getAsInteger(16, types);
    StringRef name = input->isSequence() ? "sequence" : getName(input->type);
    // Frameworks have operators of more types than the standard.
    bool isOfFramework = !node.findMetadata(kLocationKey).empty();
    if (!(types >> (input->isSequence() ? 0 : uint32_t(input->type)) & 1) &&
        !(isOfFramework && onnx::isInteger(input->type)))
      return fail("input " + Twine(number) + " is of type " + name +
                  ", and the operator takes " + nameTypes(types));
    if (word.front() == '-' || input->isSequence())
      continue;
    unsigned first = deciders.try_emplace(word.front(), number).first->second;
    if (inputs[first]->type != input->type)
      return fail("inputs " + Twine(first) + " and " + Twine(number) +
                  " are of types " + getName(inputs[first]->type) + " and " +
                  name + ", and must be of one type");
  }
}
