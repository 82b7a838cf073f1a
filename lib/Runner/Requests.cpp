//===- Requests.cpp - Runs an entry point for many requests ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runner/Requests.h"

#include "Call.h"
#include "CrashGuard.h"
#include "Npy.h"
#include "States.h"
#include "hetero/Runtime/HeteroRequests.h"

#include <cstdio>
#include <map>
#include <memory>
#include <mutex>

using namespace hetero;
using namespace hetero::runner;

namespace {
/// What the runtime asks for while it serves requests.
class RequestRunner {
public:
  RequestRunner(const HeteroProgramEntry &entry, const RunOptions &options,
                const RunValues &values)
      : entry(entry), options(options), values(values) {}

  HeteroStatus serve();
  int64_t countCompared() const { return numCompared; }

private:
  static HeteroStatus beginRequest(void *context, int64_t request,
                                   HeteroValue *arguments);
  static HeteroStatus endRequest(void *context, int64_t request,
                                 HeteroValue *arguments, HeteroValue *results);
  bool begin(int64_t request, HeteroValue *arguments, std::string &error);
  bool end(int64_t request, HeteroValue *arguments, HeteroValue *results,
           std::string &error);
  bool compare(int64_t request, const std::vector<HostValue> &results,
               std::string &error);
  bool write(int64_t request, const std::vector<HostValue> &results,
             std::string &error) const;
  std::unique_ptr<Call> take(int64_t request);
  /// Whether there are so many of something that each request has its own.
  bool isOfEach(size_t got, int64_t ofOne) const {
    return static_cast<int64_t>(got) > ofOne;
  }

  const HeteroProgramEntry &entry;
  const RunOptions &options;
  const RunValues &values;
  /// Those under way; requests begin in several threads.
  std::mutex mutex;
  std::map<int64_t, std::unique_ptr<Call>> calls;
  /// Of the first request.
  std::vector<HostValue> first;
  int64_t numCompared = 0;
};
} // namespace

bool RequestRunner::begin(int64_t request, HeteroValue *arguments,
                          std::string &error) {
  CrashGuard::protectThread();
  int64_t count = entry.numArguments;
  size_t offset = isOfEach(values.inputs.size(), count) ? request * count : 0;
  auto call = std::make_unique<Call>(entry);
  if (!call->setArguments(values.inputs.data() + offset, error))
    return false;
  std::copy(call->getArguments().begin(), call->getArguments().end(),
            arguments);
  std::lock_guard<std::mutex> lock(mutex);
  calls[request] = std::move(call);
  return true;
}

std::unique_ptr<Call> RequestRunner::take(int64_t request) {
  std::lock_guard<std::mutex> lock(mutex);
  auto node = calls.extract(request);
  return node ? std::move(node.mapped()) : nullptr;
}

/// Compares with what is expected; else, with the same inputs, with what the
/// first request has returned.
bool RequestRunner::compare(int64_t request,
                            const std::vector<HostValue> &results,
                            std::string &error) {
  bool isOfEach = this->isOfEach(values.expected.size(), entry.numResults);
  size_t offset = isOfEach ? request * entry.numResults : 0;
  size_t count = isOfEach ? results.size() : values.expected.size();
  for (size_t i = 0; i < count; ++i, ++numCompared) {
    if (compareValues(results[i], values.expected[offset + i],
                      options.tolerance, error))
      continue;
    error = "result[" + std::to_string(i) + "] differs from '" +
            options.expected[offset + i] + "': " + error;
    return false;
  }
  if (count > 0 || !options.areRequestsEqual ||
      this->isOfEach(values.inputs.size(), entry.numArguments))
    return true;
  for (size_t i = 0; request > 0 && i < results.size(); ++i) {
    if (compareValues(results[i], first[i], options.tolerance, error))
      continue;
    error = "result[" + std::to_string(i) +
            "] differs from that of request 0 with the same inputs: " + error;
    return false;
  }
  return true;
}

/// What is written once is the last request's.
bool RequestRunner::write(int64_t request,
                          const std::vector<HostValue> &results,
                          std::string &error) const {
  bool isOfEach = this->isOfEach(options.outputs.size(), entry.numResults);
  if (!isOfEach && request + 1 < options.requests)
    return true;
  size_t offset = isOfEach ? request * entry.numResults : 0;
  size_t count = isOfEach ? results.size() : options.outputs.size();
  for (size_t i = 0; i < count; ++i)
    if (!writeNpy(options.outputs[offset + i], results[i], error))
      return false;
  return true;
}

bool RequestRunner::end(int64_t request, HeteroValue *arguments,
                        HeteroValue *results, std::string &error) {
  std::unique_ptr<Call> call = take(request);
  if (!call)
    return true; // It has not begun.
  call->takeBack(arguments);
  if (!results)
    return true;
  call->setResults(results);
  std::vector<HostValue> fetched;
  if (!call->fetchResults(fetched, error))
    return false;
  if (options.isQuiet)
    return true;
  bool hasOwn = isOfEach(values.inputs.size(), entry.numArguments);
  if (hasOwn)
    std::printf("request %lld\n", static_cast<long long>(request));
  if (hasOwn || request == 0)
    printResults(fetched, options.printMax);
  if (!write(request, fetched, error) || !compare(request, fetched, error))
    return false;
  if (request == 0)
    first = std::move(fetched);
  return true;
}

/// The error as one of the runtime, which names the request.
static HeteroStatus toStatus(bool isDone, const std::string &error) {
  if (isDone)
    return HETERO_OK;
  (void)heteroAssert(/*condition=*/0, error.c_str());
  return HETERO_ERROR_PROGRAM;
}

HeteroStatus RequestRunner::beginRequest(void *context, int64_t request,
                                         HeteroValue *arguments) {
  std::string error;
  bool isDone =
      static_cast<RequestRunner *>(context)->begin(request, arguments, error);
  return toStatus(isDone, error);
}

HeteroStatus RequestRunner::endRequest(void *context, int64_t request,
                                       HeteroValue *arguments,
                                       HeteroValue *results) {
  std::string error;
  bool isDone = static_cast<RequestRunner *>(context)->end(request, arguments,
                                                           results, error);
  return toStatus(isDone, error);
}

HeteroStatus RequestRunner::serve() {
  HeteroRequests requests = {};
  requests.count = options.requests;
  requests.inFlight = options.inFlight;
  requests.numArguments = static_cast<int32_t>(entry.numArguments);
  requests.numResults = static_cast<int32_t>(entry.numResults);
  requests.context = this;
  requests.begin = beginRequest;
  requests.end = endRequest;
  return heteroServeRequests(entry.function, &requests);
}

bool runner::runRequests(const HeteroProgramEntry &entry,
                         const HeteroStateTable &states,
                         const RunOptions &options, const RunValues &values,
                         std::string &error) {
  if (!mapDevices(options, error))
    return false;
  CrashGuard guard(options.tool, entry.name);
  if (!loadStates(states, values.states, error))
    return false;
  if (!options.isQuiet)
    std::printf("EXEC @%s\n", entry.name);
  RequestRunner requests(entry, options, values);
  if (requests.serve() != HETERO_OK)
    return failCall(error);
  if (!writeStates(states, options.saveState, error))
    return false;
  if (!values.expected.empty())
    std::printf("%lld result(s) as expected\n",
                static_cast<long long>(requests.countCompared()));
  return true;
}
