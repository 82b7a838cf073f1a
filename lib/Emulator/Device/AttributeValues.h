//===- AttributeValues.h - Attributes that were set -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DEVICE_ATTRIBUTEVALUES_H
#define HETERO_LIB_EMULATOR_DEVICE_ATTRIBUTEVALUES_H

#include <array>
#include <cstring>
#include <map>

namespace hetero::emulator {

/// Values of CUlaunchAttributeValue by their attribute, to be read back.
class AttributeValues {
public:
  void set(int id, const void *value) {
    std::memcpy(values[id].data(), value, sizeof(Value));
  }
  /// Null for an attribute that was not set.
  const void *find(int id) const {
    auto it = values.find(id);
    return it == values.end() ? nullptr : it->second.data();
  }

private:
  using Value = std::array<char, 64>;
  std::map<int, Value> values;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DEVICE_ATTRIBUTEVALUES_H
