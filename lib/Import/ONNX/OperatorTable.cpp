//===- OperatorTable.cpp - The table of operators -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OperatorTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir::hetero::onnx;
using llvm::StringRef;

int64_t Operator::getVersion(int64_t opset) const {
  int64_t version = 0;
  for (int64_t candidate : since)
    if (candidate <= opset)
      version = candidate;
  return version;
}

StringRef mlir::hetero::onnx::getCanonicalDomain(StringRef domain) {
  return domain == "ai.onnx" ? "" : domain;
}

void OperatorTable::add(StringRef name, llvm::ArrayRef<int64_t> since,
                        OperatorFunction build, StringRef domain) {
  operators[(domain + ":" + name).str()] = {llvm::to_vector<6>(since), build};
}

const Operator *OperatorTable::find(StringRef domain, StringRef name) const {
  auto it = operators.find((getCanonicalDomain(domain) + ":" + name).str());
  return it == operators.end() ? nullptr : &it->second;
}

const OperatorTable &OperatorTable::get() {
  static const OperatorTable table = [] {
    OperatorTable made;
#define HETERO_ONNX_FAMILY(NAME) add##NAME(made);
#include "Families.def"
    return made;
  }();
  return table;
}
