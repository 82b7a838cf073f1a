//===- JSON.h - Writes JSON -------------------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_REPORT_JSON_H
#define HETERO_LIB_RUNTIME_REPORT_JSON_H

#include <cstdint>
#include <cstdio>
#include <string>

namespace hetero::runtime::json {

inline std::string quote(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", c);
      result += escape;
      continue;
    }
    result += c;
  }
  return result + "\"";
}

inline std::string field(const char *name, const std::string &value) {
  return quote(name) + ": " + quote(value);
}

inline std::string field(const char *name, int64_t value) {
  return quote(name) + ": " + std::to_string(value);
}

template <typename Range, typename Function>
std::string list(const Range &range, Function print) {
  std::string text = "[";
  for (const auto &element : range)
    text += (text.size() > 1 ? ", " : "") + print(element);
  return text + "]";
}

} // namespace hetero::runtime::json

#endif // HETERO_LIB_RUNTIME_REPORT_JSON_H
