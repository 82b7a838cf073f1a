//===- States.cpp - What a run begins with and leaves ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "States.h"

#include "Npy.h"
#include "Signatures.h"
#include "hetero/Runner/Files.h"

using namespace hetero;
using namespace hetero::runner;

/// "NAME=REST".
static bool split(const std::string &option, const std::string &text,
                  const std::string &rest, std::string &name,
                  std::string &value, std::string &error) {
  size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
    error = "expected " + option + "=NAME=" + rest + ", got '" + text + "'";
    return false;
  }
  name = text.substr(0, equals);
  value = text.substr(equals + 1);
  return true;
}

bool runner::parseStates(const std::vector<std::string> &texts,
                         std::vector<NamedValue> &values, std::string &error) {
  for (const std::string &text : texts) {
    NamedValue state;
    std::string value;
    if (!split("--load-state", text, "VALUE", state.name, value, error))
      return false;
    if (!parseValue(value, state.value, error)) {
      error = "--load-state=" + state.name + ": " + error;
      return false;
    }
    values.push_back(std::move(state));
  }
  return true;
}

bool runner::checkStateFiles(const std::vector<std::string> &texts,
                             std::string &error) {
  std::string name, path;
  for (const std::string &text : texts)
    if (!split("--state", text, "FILE", name, path, error) ||
        !canWriteFile(path, error))
      return false;
  return true;
}

static const HeteroState *find(const HeteroStateTable &table,
                               const std::string &option,
                               const std::string &name, std::string &error) {
  std::string known;
  for (int64_t i = 0; i < table.numStates; ++i) {
    if (name == table.states[i].name)
      return &table.states[i];
    known +=
        (known.empty() ? "'" : ", '") + std::string(table.states[i].name) + "'";
  }
  error = option + ": the program keeps no state '" + name + "'; " +
          (known.empty() ? "it keeps none" : "it keeps " + known);
  return nullptr;
}

static HeteroSignatureValue getSignature(const HeteroState &state) {
  return {state.type, state.rank, HETERO_HOST, /*donated=*/0, state.sizes};
}

bool runner::loadStates(const HeteroStateTable &table,
                        const std::vector<NamedValue> &values,
                        std::string &error) {
  for (const auto &[name, given] : values) {
    const HeteroState *state = find(table, "--load-state", name, error);
    if (!state)
      return false;
    HostValue value = given;
    HeteroSignatureValue wanted = getSignature(*state);
    if (!fitValue(value, wanted)) {
      error = "--load-state=" + name + ": expected " + signatureText(wanted) +
              ", got " + typeText(value) +
              "; give a value of that shape and type";
      return false;
    }
    HeteroValue argument = value.toArgument();
    if (heteroWriteState(state, &argument) != HETERO_OK) {
      error = heteroLastError();
      return false;
    }
  }
  return true;
}

static bool read(const HeteroState &state, HostValue &value,
                 std::string &error) {
  value.type = state.type;
  value.sizes.assign(state.sizes, state.sizes + state.rank);
  if (!value.allocate()) {
    error = "not enough memory for the state '" + std::string(state.name) + "'";
    return false;
  }
  HeteroValue copy = value.toArgument();
  if (heteroReadState(&state, &copy) == HETERO_OK)
    return true;
  error = heteroLastError();
  return false;
}

bool runner::readStates(const HeteroStateTable &table,
                        std::vector<NamedValue> &values, std::string &error) {
  for (int64_t i = 0; i < table.numStates; ++i) {
    values.push_back({table.states[i].name, HostValue()});
    if (!read(table.states[i], values.back().value, error))
      return false;
  }
  return true;
}

bool runner::writeStates(const HeteroStateTable &table,
                         const std::vector<std::string> &texts,
                         std::string &error) {
  std::string name, path;
  for (const std::string &text : texts) {
    const HeteroState *state = split("--state", text, "FILE", name, path, error)
                                   ? find(table, "--state", name, error)
                                   : nullptr;
    HostValue value;
    if (!state || !read(*state, value, error) || !writeNpy(path, value, error))
      return false;
  }
  return true;
}
