//===- Runner.cpp - Runs an entry point of a compiled program -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runner/Runner.h"

#include "Call.h"
#include "CrashGuard.h"
#include "Npy.h"
#include "Signatures.h"
#include "States.h"
#include "hetero/Runner/Files.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace hetero;
using namespace hetero::runner;

static bool loadValues(const std::vector<std::string> &texts,
                       const HeteroSignatureValue *signature, int64_t count,
                       const char *option, std::vector<HostValue> &values,
                       std::string &error) {
  for (size_t i = 0; i < texts.size(); ++i) {
    HostValue value;
    if (!parseValue(texts[i], value, error)) {
      error = std::string(option) + " " + std::to_string(i) + ": " + error;
      return false;
    }
    const HeteroSignatureValue *wanted =
        count > 0 ? &signature[i % count] : nullptr;
    if (wanted && !fitValue(value, *wanted)) {
      error = std::string(option) + " " + std::to_string(i) + ": expected " +
              signatureText(*wanted) + ", got " + typeText(value) + " ('" +
              texts[i] + "'); give a value of that shape and type";
      return false;
    }
    values.push_back(std::move(value));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

const HeteroProgramEntry *
runner::findEntry(const std::vector<HeteroProgramEntry> &entries,
                  const std::string &name, std::string &error) {
  if (name.empty() && entries.size() == 1)
    return &entries.front();
  std::string wanted = name.empty() ? "main" : name, known;
  for (const HeteroProgramEntry &entry : entries) {
    if (wanted == entry.name)
      return &entry;
    known += (known.empty() ? "'" : ", '") + std::string(entry.name) + "'";
  }
  error = "no entry point '" + wanted + "'; ";
  error += known.empty() ? "the program has none, make a function public"
                         : "there is " + known;
  return nullptr;
}

/// Runs the call again `count` times and prints how long it took.
static bool timeCall(Call &call, int64_t count, std::string &error) {
  std::vector<double> milliseconds;
  for (int64_t i = 0; i < count; ++i) {
    if (!call.restoreDonated(error))
      return false;
    auto start = std::chrono::steady_clock::now();
    if (!call.invoke(error))
      return false;
    std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    milliseconds.push_back(taken.count());
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  std::printf("time: %lld calls, min %.6f ms, median %.6f ms, max %.6f ms\n",
              static_cast<long long>(count), milliseconds.front(),
              milliseconds[milliseconds.size() / 2], milliseconds.back());
  return true;
}

static bool checkCounts(const HeteroProgramEntry &entry,
                        const RunOptions &options, std::string &error) {
  auto check = [&](size_t got, int64_t want, bool exact, const char *what,
                   const char *option) {
    auto number = static_cast<int64_t>(got);
    if (number == want || (!exact && number < want) ||
        (options.requests > 0 && number == want * options.requests))
      return true;
    error = std::string("'") + entry.name + "' has " + std::to_string(want) +
            " " + what + ", got " + std::to_string(got) + "; pass one " +
            option + " for each";
    if (options.requests > 0)
      error += ", or one for each of every request";
    return false;
  };
  return check(options.inputs.size(), entry.numArguments, /*exact=*/true,
               "argument(s)", "--input") &&
         check(options.outputs.size(), entry.numResults, /*exact=*/false,
               "result(s)", "--output") &&
         check(options.expected.size(), entry.numResults, /*exact=*/false,
               "result(s)", "--expected");
}

static bool writeAndCompare(const std::vector<HostValue> &results,
                            const std::vector<HostValue> &expected,
                            const RunOptions &options, std::string &error) {
  for (size_t i = 0; i < options.outputs.size(); ++i)
    if (!writeNpy(options.outputs[i], results[i], error))
      return false;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (compareValues(results[i], expected[i], options.tolerance, error))
      continue;
    error = "result[" + std::to_string(i) + "] differs from '" +
            options.expected[i] + "': " + error;
    return false;
  }
  if (!expected.empty())
    std::printf("%zu result(s) as expected\n", expected.size());
  return true;
}

bool runner::loadRunValues(const HeteroProgramEntry &entry,
                           const RunOptions &options, RunValues &values,
                           std::string &error) {
  return checkCounts(entry, options, error) &&
         std::all_of(options.outputs.begin(), options.outputs.end(),
                     [&](const std::string &path) {
                       return canWriteFile(path, error);
                     }) &&
         loadValues(options.inputs, entry.arguments, entry.numArguments,
                    "--input", values.inputs, error) &&
         parseStates(options.loadState, values.states, error) &&
         checkStateFiles(options.saveState, error) &&
         loadValues(options.expected, entry.results, entry.numResults,
                    "--expected", values.expected, error);
}

bool runner::mapDevices(const RunOptions &options, std::string &error) {
  return options.deviceMap.empty() ||
         heteroSetDeviceMap(options.deviceMap.c_str()) == HETERO_OK ||
         failCall(error);
}

void runner::printResults(const std::vector<HostValue> &results,
                          int64_t printMax) {
  for (size_t i = 0; i < results.size(); ++i)
    std::printf("result[%zu]: %s\n%s\n", i, typeText(results[i]).c_str(),
                formatValue(results[i], printMax).c_str());
}

bool runner::callEntry(const HeteroProgramEntry &entry,
                       const HeteroStateTable &states,
                       const RunOptions &options, const RunValues &values,
                       RunResults &results, std::string &error) {
  if (!mapDevices(options, error))
    return false;
  CrashGuard guard(options.tool, entry.name);
  if (heteroInitialize(entry.function) != HETERO_OK)
    return failCall(error);
  Call call(entry);
  if (!loadStates(states, values.states, error) ||
      !call.setArguments(values.inputs.data(), error) || !call.invoke(error))
    return false;
  if (options.time && !timeCall(call, options.time, error))
    return false;
  return call.fetchResults(results.values, error) &&
         (!options.readsState || readStates(states, results.states, error));
}

bool runner::runEntry(const HeteroProgramEntry &entry,
                      const HeteroStateTable &states, const RunOptions &options,
                      const RunValues &values, std::string &error) {
  RunResults run;
  if (!callEntry(entry, states, options, values, run, error))
    return false;
  const std::vector<HostValue> &results = run.values;
  std::printf("EXEC @%s\n", entry.name);
  printResults(results, options.printMax);
  return writeStates(states, options.saveState, error) &&
         writeAndCompare(results, values.expected, options, error);
}
