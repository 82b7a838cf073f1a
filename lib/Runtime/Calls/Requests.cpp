//===- Requests.cpp - Calls that are under way together -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each lane takes the next request when its last one is over. Requests are over
// in their order: a lane whose call has returned early waits for those before,
// so that no more than one request per lane is under way or undelivered.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Devices.h"
#include "Runtime/Device/Lanes.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Report/Measure.h"
#include "Runtime/Report/Report.h"
#include "Runtime/Report/Trace.h"
#include "hetero/Runtime/HeteroRequests.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace hetero::runtime;

/// Where nobody says how many: enough for two devices and the links between.
static constexpr int32_t kDefaultInFlight = 4;
static constexpr int32_t kMostInFlight = 1024;

namespace {
/// What a request is called with, and what it returns.
struct RequestValues {
  explicit RequestValues(const HeteroRequests &requests)
      : arguments(requests.numArguments), results(requests.numResults) {}

  std::vector<HeteroValue> arguments, results;
};

class RequestServer {
public:
  RequestServer(HeteroEntryPoint entry, const HeteroRequests &requests,
                int64_t numLanes)
      : entry(entry), requests(requests), numLanes(numLanes), lanes(numLanes) {}

  HeteroStatus serve();

private:
  bool take(Lane &lane);
  void work(Lane &lane);
  HeteroStatus call(Lane &lane, RequestValues &values);
  void finish(Lane &lane, RequestValues &values, HeteroStatus status);
  void report();

  const HeteroEntryPoint entry;
  const HeteroRequests &requests;
  const int64_t numLanes;
  Lanes lanes;

  // With the lock of the lanes.
  int64_t next = 0;
  HeteroStatus status = HETERO_OK;
  std::string error;
  /// When the first began, and when each was over.
  Moment start;
  std::vector<Moment> ends;
};
} // namespace

bool RequestServer::take(Lane &lane) {
  Lanes::Lock lock(lanes.getMutex());
  if (next == requests.count || status != HETERO_OK)
    return false;
  lane.request = next++;
  return true;
}

HeteroStatus RequestServer::call(Lane &lane, RequestValues &values) {
  std::fill(values.arguments.begin(), values.arguments.end(), HeteroValue());
  std::fill(values.results.begin(), values.results.end(), HeteroValue());
  if (HeteroStatus failed = requests.begin(requests.context, lane.request,
                                           values.arguments.data()))
    return failed;
  lanes.beginCall(lane);
  HeteroStatus result = entry(values.arguments.data(), requests.numArguments,
                              values.results.data(), requests.numResults);
  lanes.endCall(lane);
  return result;
}

/// Delivers the results, once those of all requests before are.
void RequestServer::finish(Lane &lane, RequestValues &values,
                           HeteroStatus result) {
  std::string text = result == HETERO_OK ? "" : lastError();
  if (result == HETERO_ERROR_OUT_OF_MEMORY && numLanes > 1)
    text += "; or have fewer requests under way at once";
  lanes.waitForEarlier(lane);
  bool isWanted = result == HETERO_OK;
  {
    Lanes::Lock lock(lanes.getMutex());
    isWanted &= status == HETERO_OK;
  }
  if (!isWanted)
    for (HeteroValue &value : values.results)
      heteroReleaseValue(&value);
  HeteroStatus ended =
      requests.end(requests.context, lane.request, values.arguments.data(),
                   isWanted ? values.results.data() : nullptr);
  if (isWanted && ended != HETERO_OK) {
    result = ended;
    text = lastError();
  }
  Lanes::Lock lock(lanes.getMutex());
  if (result != HETERO_OK && status == HETERO_OK) {
    status = result;
    error = "request " + std::to_string(lane.request) + ": " + text;
  }
  ends.push_back(Moment::now());
  lanes.endRequest();
}

void RequestServer::work(Lane &lane) {
  RequestValues values(requests);
  // The next one begins at once: others may have long work for the host, and
  // devices would have none meanwhile.
  while (take(lane))
    finish(lane, values, call(lane, values));
}

void RequestServer::report() {
  auto clock = Moment::clock();
  auto between = [&](const Moment &from, const Moment &to) {
    return (to.*clock - from.*clock) * 1e-9;
  };
  RequestsEntry entry;
  entry.count = requests.count;
  entry.inFlight = numLanes;
  entry.seconds = between(start, ends.back());
  entry.firstSeconds = between(start, ends.front());
  entry.memoryWaits = lanes.countMemoryWaits();
  entry.isOrdered = lanes.areOrderedByState();
  // Without those that fill the pipeline and those that empty it, where others
  // are left.
  int64_t first = 0, last = requests.count;
  double counted = entry.seconds;
  if (requests.count >= 3 * numLanes) {
    first = numLanes;
    last -= numLanes;
    counted = between(ends[first - 1], ends[last - 1]);
  }
  if (counted > 0)
    entry.perSecond = (last - first) / counted;
  countRequests(entry);
}

HeteroStatus RequestServer::serve() {
  ends.reserve(requests.count);
  start = Moment::now();
  if (!lanes.run([this](Lane &lane) { work(lane); }))
    return fail(HETERO_ERROR_PROGRAM,
                "the system has no thread for a request; end some");
  // Of a trace all times are known then.
  HeteroStatus waited = waitForAllDevices();
  if (status != HETERO_OK)
    return fail(status, error);
  report();
  return waited;
}

static HeteroStatus refuseNumber(const char *what, int64_t got,
                                 const char *remedy) {
  return fail(HETERO_ERROR_INVALID_ARGUMENT,
              std::string("expected ") + what + ", got " + std::to_string(got) +
                  "; " + remedy);
}

HeteroStatus heteroServeRequests(HeteroEntryPoint entry,
                                 const HeteroRequests *requests) {
  if (requests->count < 1)
    return refuseNumber("at least one request", requests->count,
                        "pass one or more");
  if (requests->inFlight < 0 || requests->inFlight > kMostInFlight)
    return refuseNumber("0 to 1024 requests under way at once",
                        requests->inFlight, "pass 0 for the default");
  if (currentLane())
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "requests were served within a request; serve them after it");
  if (HeteroStatus status = heteroInitialize(entry))
    return status;
  int64_t numLanes = requests->inFlight ? requests->inFlight : kDefaultInFlight;
  // Who takes times lets nothing overlap.
  if (isMeasuring())
    numLanes = 1;
  return RequestServer(entry, *requests, std::min(numLanes, requests->count))
      .serve();
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

namespace {
struct RequestArrays {
  const HeteroValue *arguments;
  HeteroValue *results;
  int32_t numArguments, numResults;

  /// The caller has its arguments in memory of its own, where donated ones are
  /// cleared.
  HeteroValue *argumentsOf(int64_t request) const {
    return const_cast<HeteroValue *>(arguments) + request * numArguments;
  }
};
} // namespace

static HeteroStatus beginOfArrays(void *context, int64_t request,
                                  HeteroValue *arguments) {
  auto &arrays = *static_cast<RequestArrays *>(context);
  std::copy_n(arrays.argumentsOf(request), arrays.numArguments, arguments);
  return HETERO_OK;
}

static HeteroStatus endOfArrays(void *context, int64_t request,
                                HeteroValue *arguments, HeteroValue *results) {
  auto &arrays = *static_cast<RequestArrays *>(context);
  std::copy_n(arguments, arrays.numArguments, arrays.argumentsOf(request));
  if (results)
    std::copy_n(results, arrays.numResults,
                arrays.results + request * arrays.numResults);
  return HETERO_OK;
}

HeteroStatus heteroCallMany(HeteroEntryPoint entry,
                            const HeteroValue *arguments, int32_t numArguments,
                            HeteroValue *results, int32_t numResults,
                            int64_t numRequests, int32_t inFlight) {
  int64_t count = std::max<int64_t>(numRequests, 0) * numResults;
  std::fill_n(results, count, HeteroValue());
  RequestArrays arrays{arguments, results, numArguments, numResults};
  HeteroRequests requests = {numRequests, inFlight, numArguments,  numResults,
                             0,           &arrays,  beginOfArrays, endOfArrays};
  HeteroStatus status = heteroServeRequests(entry, &requests);
  if (status == HETERO_OK)
    return HETERO_OK;
  std::string error = lastError();
  for (int64_t i = 0; i < count; ++i)
    heteroReleaseValue(&results[i]);
  return fail(status, error);
}
