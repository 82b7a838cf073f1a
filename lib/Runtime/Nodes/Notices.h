//===- Notices.h - Short texts between ranks ----------------- -*- C++ -*--===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_NODES_NOTICES_H
#define HETERO_LIB_RUNTIME_NODES_NOTICES_H

#include "hetero/Runtime/HeteroNodes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hetero::runtime {

/// What a rank says about its program.
struct ProgramNotice {
  int32_t nodes;
  uint64_t hash;
};

/// For which rank another one waits, and for what: "for '%x of @main' from".
struct WaitNotice {
  int32_t rank;
  std::string what;
};

/// What other ranks have said to this one.
class Notices {
public:
  explicit Notices(const HeteroTransport &transport)
      : transport(transport), programs(transport.size), waits(transport.size),
        hasLeft(transport.size) {}

  /// To rank 0: the program of this one. From rank 0: empty if those of all
  /// ranks are parts of the same, else what differs.
  void tellProgram(const ProgramNotice &program);
  void tellVerdict(int32_t rank, const std::string &text);
  /// This rank has failed.
  void tellFailure(const std::string &text);
  /// To rank 0: this one is done. From rank 0: all are. With the failure that
  /// this one has heard of.
  void tellLeft(int32_t rank);
  /// Asks a rank for whom it waits; one that does not wait does not answer.
  void askWait(int32_t rank);
  /// Answers those who have asked since the last time.
  void answerWaits(const WaitNotice &wait);

  /// Takes what has come.
  void read();

  /// Of rank 0: what a rank has said since forgetPrograms().
  const std::optional<ProgramNotice> &getProgram(int32_t rank) const {
    return programs[rank];
  }
  void forgetPrograms();
  std::optional<std::string> takeVerdict();
  /// The answer of a rank since it was asked.
  const std::optional<WaitNotice> &getWait(int32_t rank) const {
    return waits[rank];
  }
  bool hasRankLeft(int32_t rank) const { return hasLeft[rank]; }
  /// The first rank that said it has failed, or -1.
  int32_t getFailedRank() const { return failedRank; }
  const std::string &getFailure() const { return failure; }

private:
  enum Kind : int32_t { Program, Verdict, Failure, Left, Question, Answer };
  struct Message;

  void tell(int32_t rank, Kind kind, const ProgramNotice &program,
            const std::string &text);
  void take(int32_t rank, const Message &message, int64_t bytes);
  void noteFailure(int32_t rank, const std::string &text);

  const HeteroTransport &transport;
  std::vector<std::optional<ProgramNotice>> programs;
  std::optional<std::string> verdict;
  std::vector<std::optional<WaitNotice>> waits;
  /// Who has asked.
  std::vector<int32_t> questions;
  std::vector<bool> hasLeft;
  int32_t failedRank = -1;
  std::string failure;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_NODES_NOTICES_H
