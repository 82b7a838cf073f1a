//===- Call.cpp - One call of an entry point ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include <cstring>

using namespace hetero;
using namespace hetero::runner;

bool runner::failCall(std::string &error) {
  error = heteroLastError();
  return false;
}

/// An allocation of the argument's device with what the host's value has.
static bool allocateCopy(const HeteroValue &value, int32_t device,
                         HeteroValue &copy, std::string &error) {
  copy = value;
  copy.allocation = nullptr;
  if (heteroAllocateValue(&copy, device) != HETERO_OK)
    return failCall(error);
  return heteroCopyValue(&copy, &value) == HETERO_OK || failCall(error);
}

bool Call::setArguments(const HostValue *values, std::string &error) {
  for (int64_t i = 0; i < entry.numArguments; ++i)
    onHost.push_back(values[i].toArgument());
  arguments = onHost;
  owned.resize(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const HeteroSignatureValue &wanted = entry.arguments[i];
    if (wanted.device == HETERO_HOST || wanted.donated ||
        wanted.rank == HETERO_SCALAR)
      continue;
    if (!allocateCopy(onHost[i], wanted.device, owned[i], error))
      return false;
    arguments[i] = owned[i];
  }
  return restoreDonated(error);
}

bool Call::restoreDonated(std::string &error) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!entry.arguments[i].donated || owned[i].allocation)
      continue;
    if (!allocateCopy(onHost[i], entry.arguments[i].device, owned[i], error))
      return false;
    arguments[i] = owned[i];
  }
  return true;
}

bool Call::invoke(std::string &error) {
  releaseResults();
  results.resize(entry.numResults);
  std::memset(results.data(), 0, results.size() * sizeof(HeteroValue));
  HeteroStatus status =
      entry.function(arguments.data(), static_cast<int32_t>(arguments.size()),
                     results.data(), static_cast<int32_t>(results.size()));
  takeBack(arguments.data());
  return status == HETERO_OK || failCall(error);
}

void Call::takeBack(const HeteroValue *passed) {
  for (size_t i = 0; i < owned.size(); ++i)
    if (entry.arguments[i].donated && !passed[i].allocation)
      owned[i] = passed[i];
}

void Call::setResults(const HeteroValue *values) {
  releaseResults();
  results.assign(values, values + entry.numResults);
}

void Call::releaseResults() {
  for (HeteroValue &value : results)
    heteroReleaseValue(&value);
  results.clear();
}

bool Call::fetchResults(std::vector<HostValue> &values, std::string &error) {
  for (const HeteroValue &result : results) {
    HostValue value;
    value.type = result.type;
    value.scalar = result.rank == HETERO_SCALAR;
    if (!value.scalar)
      value.sizes.assign(result.sizes, result.sizes + result.rank);
    if (!value.allocate()) {
      error = "not enough memory for the result " + typeText(value);
      return false;
    }
    if (value.scalar) {
      value.unpackScalar(result);
    } else {
      HeteroValue copy = value.toArgument();
      if (heteroCopyValue(&copy, &result) != HETERO_OK)
        return failCall(error);
    }
    values.push_back(std::move(value));
  }
  return true;
}
