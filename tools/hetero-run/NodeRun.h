//===- NodeRun.h - Compiles and runs the ranks of a program -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program over several nodes is one program for each rank. This process is
// one of them, or runs all as threads; then the virtual clock can tell how long
// a call takes all of them together.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TOOLS_HETERO_RUN_NODERUN_H
#define HETERO_TOOLS_HETERO_RUN_NODERUN_H

#include "hetero/Compiler/Nodes/ProgramNodes.h"
#include "hetero/Compiler/Program.h"
#include "hetero/Runner/Nodes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace mlir::hetero {

/// How long a call takes the ranks of this process together: they begin when
/// the last one is ready.
class CallSpan {
public:
  explicit CallSpan(int32_t numRanks) : missing(numRanks) {}

  /// A rank, while its thread works for it. The others do not wait for one that
  /// is gone before its call.
  class Member {
  public:
    explicit Member(CallSpan &span) : span(span) {}
    ~Member();
    Member(const Member &) = delete;
    Member &operator=(const Member &) = delete;

    /// Right before the call, and right after it.
    void begin();
    void end();

  private:
    CallSpan &span;
    bool hasArrived = false;
  };

  /// From the begin to the last end; 0 if no call has ended.
  double getSeconds() const { return last > first ? (last - first) * 1e-9 : 0; }

private:
  std::mutex mutex;
  std::condition_variable changed;
  int32_t missing;
  /// Nanoseconds of heteroClock().
  int64_t first = 0, last = 0;
};

/// The ranks that this process runs.
class NodeRun {
public:
  /// What rank 0 does before it is compiled; false with an error.
  using Prepare = llvm::function_ref<bool(std::string &error)>;
  /// What a rank does with its program.
  using Call =
      llvm::function_ref<bool(int32_t rank, Program &program,
                              CallSpan::Member &span, std::string &error)>;

  NodeRun(const ::hetero::runner::NodeOptions &options,
          ::hetero::runner::NodeRole role, const ProgramNodes &nodes,
          Compilation &compilation);

  /// Compiles the ranks' programs and makes the call of each. Returns their
  /// errors; those of compiling have been reported besides.
  std::vector<std::string> run(Prepare prepare, Call call);
  /// Whether this process has rank 0, which takes inputs and gives results.
  bool hasFirstRank() const;
  /// Prints how long the call took all ranks, beside what was predicted, and
  /// what passed between them by the runtime's report.
  void printSummary(llvm::StringRef report, llvm::raw_ostream &os);

private:
  struct RankProgram {
    std::unique_ptr<Program> program;
    uint64_t hash = 0;
  };

  bool isAlone() const { return role == ::hetero::runner::NodeRole::AllRanks; }
  RankProgram compile(int32_t rank);
  bool checkNumRanks(std::string &error) const;
  bool compileOne(int32_t rank, Prepare prepare, RankProgram &result,
                  std::string &error);
  std::string compileAll(Prepare prepare);
  void prepareClock();

  const ::hetero::runner::NodeOptions &options;
  ::hetero::runner::NodeRole role;
  const ProgramNodes &nodes;
  Compilation &compilation;
  CallSpan span;
  /// By rank, where all are in this process.
  std::vector<RankProgram> programs;
};

} // namespace mlir::hetero

#endif // HETERO_TOOLS_HETERO_RUN_NODERUN_H
