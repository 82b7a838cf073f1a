//===- Call.h - One call of an entry point ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNNER_CALL_H
#define HETERO_LIB_RUNNER_CALL_H

#include "hetero/Runner/HostValue.h"

#include <string>
#include <vector>

namespace hetero::runner {

/// The arguments and results of one call; releases what it holds.
class Call {
public:
  explicit Call(const HeteroProgramEntry &entry) : entry(entry) {}
  ~Call() {
    for (HeteroValue &value : owned)
      heteroReleaseValue(&value);
    releaseResults();
  }

  /// Those on devices and donated ones are copies.
  bool setArguments(const HostValue *values, std::string &error);
  /// Makes again what the last call has taken over.
  bool restoreDonated(std::string &error);
  bool invoke(std::string &error);
  /// What invoke() does, for a call that somebody else makes: what to pass, and
  /// what came of it.
  const std::vector<HeteroValue> &getArguments() const { return arguments; }
  void takeBack(const HeteroValue *passed);
  void setResults(const HeteroValue *values);
  bool fetchResults(std::vector<HostValue> &values, std::string &error);
  void releaseResults();

private:
  const HeteroProgramEntry &entry;
  /// The caller's on the host; those that are elsewhere or donated are `owned`
  /// until a call clears them.
  std::vector<HeteroValue> onHost, owned, arguments, results;
};

/// The text of the runtime's last error; false.
bool failCall(std::string &error);

} // namespace hetero::runner

#endif // HETERO_LIB_RUNNER_CALL_H
