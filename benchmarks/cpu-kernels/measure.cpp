//===- measure.cpp - Times the ways to compute one thing ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   compare SECONDS CASES
//
// CASES is a file with a line `NAME KIND PROGRAMS SIZE...` per case, PROGRAMS
// being `NAME=FILE` with commas between them. Prints a line `NAME CONTENDER
// SECONDS` per contender and stops where a program has a wrong result.
//
//===----------------------------------------------------------------------===//

#include "measure.h"

#include "hetero/Runtime/HeteroRuntime.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <memory>
#include <random>
#include <sched.h>
#include <sstream>
#include <time.h>

using namespace kernels;

int64_t kernels::countElements(const Sizes &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

int kernels::addInput(Case &item, const Sizes &shape) {
  Floats values(countElements(shape));
  for (size_t i = 0; i < values.size(); ++i) {
    uint32_t hash = (i + 1) * 2654435761u + item.inputs.size() * 97;
    hash = (hash ^ hash >> 15) * 2246822519u;
    hash ^= hash >> 13;
    values[i] = (int32_t(hash >> 16) - 32768) / 32768.0f;
  }
  item.inputs.push_back(std::move(values));
  item.shapes.push_back(shape);
  return item.inputs.size() - 1;
}

static HeteroValue describe(const Floats &values, const Sizes &shape) {
  HeteroValue value = {};
  value.data = const_cast<float *>(values.data());
  value.type = HETERO_TYPE_F32;
  value.rank = shape.size();
  value.device = HETERO_HOST;
  int64_t stride = 1;
  for (int i = shape.size(); i-- > 0;) {
    value.sizes[i] = shape[i];
    value.strides[i] = stride;
    stride *= shape[i];
  }
  return value;
}

[[noreturn]] static void stop(const std::string &message) {
  fprintf(stderr, "compare: error: %s\n", message.c_str());
  exit(1);
}

Contender kernels::makeProgram(const Case &item, const std::string &name,
                               const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    stop(dlerror());
  auto entry = reinterpret_cast<HeteroEntryPoint>(dlsym(library, "kernel"));
  if (!entry)
    stop(path + " has no entry point 'kernel'");
  auto arguments = std::make_shared<std::vector<HeteroValue>>();
  for (int i = 0; i < static_cast<int>(item.inputs.size()); ++i)
    if (!std::count(item.constants.begin(), item.constants.end(), i))
      arguments->push_back(describe(item.inputs[i], item.shapes[i]));
  auto result = std::make_shared<HeteroValue>();
  auto run = [=] {
    heteroReleaseValue(result.get());
    if (entry(arguments->data(), arguments->size(), result.get(), 1))
      stop(heteroLastError());
  };
  return {name, run, [result] {
            const float *data = static_cast<const float *>(result->data);
            Sizes shape(result->sizes, result->sizes + result->rank);
            return Floats(data, data + countElements(shape));
          }};
}

static double readClock(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

/// Time that this thread has had the processor: others may use it, too.
static double now() { return readClock(CLOCK_THREAD_CPUTIME_ID); }

std::vector<double> kernels::measure(const Case &item, double seconds) {
  std::vector<double> best(item.contenders.size(), INFINITY);
  std::vector<int> counts(item.contenders.size(), 1);
  double end = now() + seconds;
  for (int round = 0; round < 5 || now() < end; ++round)
    for (size_t i = 0; i < item.contenders.size(); ++i) {
      // What the one before has left in the caches is not this one's time.
      item.contenders[i].run();
      double begin = now();
      for (int call = 0; call < counts[i]; ++call)
        item.contenders[i].run();
      double time = (now() - begin) / counts[i];
      best[i] = std::min(best[i], time);
      // About two milliseconds a turn: longer than what a timer adds, and
      // short enough to fit between two interruptions.
      counts[i] = std::clamp(int(2e-3 / best[i]), 1, 10000);
    }
  return best;
}

std::string kernels::check(const Case &item, const Contender &contender) {
  std::mt19937 generator(7);
  std::vector<int64_t> sample = {0, item.resultElements - 1};
  while (sample.size() < 500)
    sample.push_back(generator() % item.resultElements);
  contender.run();
  Floats result = contender.result();
  if (static_cast<int64_t>(result.size()) != item.resultElements)
    return contender.name + " has another number of results";
  for (int64_t index : sample) {
    Expected expected = item.reference(index);
    double difference = std::abs(result[index] - expected.value);
    if (!(difference <= expected.tolerance))
      return contender.name + " has " + std::to_string(result[index]) + " at " +
             std::to_string(index) + ", expected " +
             std::to_string(expected.value);
  }
  return "";
}

/// The programs of a case, whose results are right.
static std::vector<Contender> makePrograms(const Case &item,
                                           const std::string &name,
                                           const std::string &list) {
  std::vector<Contender> programs;
  std::istringstream entries(list);
  for (std::string entry; std::getline(entries, entry, ',');) {
    size_t split = entry.find('=');
    programs.push_back(
        makeProgram(item, entry.substr(0, split), entry.substr(split + 1)));
    std::string wrong = check(item, programs.back());
    if (!wrong.empty())
      stop(name + ": " + wrong);
  }
  return programs;
}

static void runLine(const std::string &line, double seconds) {
  std::istringstream words(line);
  std::string name, kind, list;
  words >> name >> kind >> list;
  Sizes sizes;
  for (int64_t size; words >> size;)
    sizes.push_back(size);
  Case item = makeCase(kind, sizes);
  if (item.contenders.empty())
    stop("unknown kind of case: " + kind);
  std::vector<Contender> programs = makePrograms(item, name, list);
  std::string wrong;
  // A library that is wrong is no yardstick, and no reason to stop.
  for (size_t i = item.contenders.size(); i-- > 0;) {
    wrong = check(item, item.contenders[i]);
    if (wrong.empty())
      continue;
    fprintf(stderr, "compare: warning: %s: %s\n", name.c_str(), wrong.c_str());
    item.contenders.erase(item.contenders.begin() + i);
  }
  item.contenders.insert(item.contenders.begin(), programs.begin(),
                         programs.end());
  std::vector<double> times = measure(item, seconds);
  for (size_t i = 0; i < times.size(); ++i)
    printf("%s %s %.9g\n", name.c_str(), item.contenders[i].name.c_str(),
           times[i]);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc != 3)
    stop("expected SECONDS and a file of cases");
  // One core for all, so that none is moved in the middle.
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(sched_getcpu(), &cores);
  sched_setaffinity(0, sizeof(cores), &cores);
  std::ifstream cases(argv[2]);
  for (std::string line; std::getline(cases, line);)
    runLine(line, atof(argv[1]));
  return 0;
}
