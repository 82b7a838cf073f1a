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
#include "ElementType.h"
#include "Npy.h"
#include "Signatures.h"
#include "States.h"
#include "hetero/Runner/Files.h"
#include "hetero/Runtime/ElementTypes.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>

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

/// Runs the call again as often as the options say, and prints how long it
/// took.
static bool timeCall(Call &call, const RunOptions &options,
                     std::string &error) {
  int64_t count = options.time;
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
  if (options.isQuiet)
    return true;
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
  return (options.randomInputs ||
          check(options.inputs.size(), entry.numArguments, /*exact=*/true,
                "argument(s)", "--input")) &&
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

/// Numbers for an argument, as the text of an input has them. Sizes that are
/// not known are `unknownSize`, or an error if there is none.
static bool makeValue(const HeteroSignatureValue &wanted, int64_t index,
                      std::optional<int64_t> unknownSize, HostValue &value,
                      std::string &error) {
  std::string shape;
  for (int32_t i = 0; i < wanted.rank; ++i) {
    bool isKnown = wanted.sizes[i] != HETERO_DYNAMIC;
    if (!isKnown && !unknownSize) {
      error = "argument " + std::to_string(index) + " is " +
              signatureText(wanted) +
              ", whose sizes are not known; give a value for it";
      return false;
    }
    shape += std::to_string(isKnown ? wanted.sizes[i] : *unknownSize) + "x";
  }
  const ElementTypeInfo &type = kElementTypes[wanted.type];
  const char *numbers = type.kind == ElementClass::Float ? "=random:1"
                        : wanted.type == HETERO_TYPE_I1  ? "=1"
                                                         : "=randint:1";
  return parseValue(shape + elementTypeName(wanted.type) + numbers, value,
                    error) &&
         fitValue(value, wanted);
}

static bool makeValues(const HeteroProgramEntry &entry,
                       std::optional<int64_t> unknownSize,
                       std::vector<HostValue> &values, std::string &error) {
  values.resize(entry.numArguments);
  for (int64_t i = 0; i < entry.numArguments; ++i)
    if (!makeValue(entry.arguments[i], i, unknownSize, values[i], error))
      return false;
  return true;
}

static bool loadInputs(const HeteroProgramEntry &entry,
                       const RunOptions &options,
                       std::vector<HostValue> &inputs, std::string &error) {
  if (!options.randomInputs)
    return loadValues(options.inputs, entry.arguments, entry.numArguments,
                      "--input", inputs, error);
  if (options.inputs.empty())
    return makeValues(entry, /*unknownSize=*/1, inputs, error);
  error = "--random-inputs makes up all arguments; leave --input out";
  return false;
}

bool runner::loadRunValues(const HeteroProgramEntry &entry,
                           const RunOptions &options, RunValues &values,
                           std::string &error) {
  return checkCounts(entry, options, error) &&
         std::all_of(options.outputs.begin(), options.outputs.end(),
                     [&](const std::string &path) {
                       return canWriteFile(path, error);
                     }) &&
         loadInputs(entry, options, values.inputs, error) &&
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

static bool copyArgument(const HeteroValue &argument,
                         const HeteroSignatureValue &wanted, int64_t index,
                         HostValue &value, std::string &error) {
  value.type = argument.type;
  value.scalar = argument.rank == HETERO_SCALAR;
  if (!value.scalar)
    value.sizes.assign(argument.sizes, argument.sizes + argument.rank);
  if (!fitValue(value, wanted)) {
    error = "argument " + std::to_string(index) + " is expected to be " +
            signatureText(wanted) + ", got " + typeText(value);
    return false;
  }
  if (!value.allocate()) {
    error = "not enough memory for argument " + std::to_string(index);
    return false;
  }
  if (argument.rank == HETERO_SCALAR)
    value.unpackScalar(argument);
  else if (value.numBytes() > 0)
    std::memcpy(value.data.get(), argument.data, value.numBytes());
  return true;
}

bool runner::takeRunValues(const HeteroProgramEntry &entry,
                           const HeteroValue *arguments, int32_t count,
                           RunValues &values, std::string &error) {
  if (count < 0)
    return makeValues(entry, std::nullopt, values.inputs, error);
  if (count != entry.numArguments) {
    error = std::string("'") + entry.name + "' has " +
            std::to_string(entry.numArguments) + " argument(s), got " +
            std::to_string(count);
    return false;
  }
  values.inputs.resize(count);
  for (int64_t i = 0; i < count; ++i)
    if (!copyArgument(arguments[i], entry.arguments[i], i, values.inputs[i],
                      error))
      return false;
  return true;
}

/// Calls as often as said; false, and what is measured no longer is, after an
/// error.
static bool measureCalls(Call &call, int64_t count, int32_t mode,
                         double &shortest, std::string &error) {
  heteroMeasure(mode);
  bool isGood = true;
  for (int64_t i = 0; isGood && i < count; ++i) {
    isGood = call.restoreDonated(error);
    int64_t start = heteroClock();
    isGood = isGood && call.invoke(error);
    double seconds = (heteroClock() - start) * 1e-9;
    shortest = i == 0 ? seconds : std::min(shortest, seconds);
  }
  heteroMeasure(HETERO_MEASURE_NOTHING);
  return isGood;
}

bool runner::measureEntry(const HeteroProgramEntry &entry,
                          const RunOptions &options, const RunValues &values,
                          int64_t count, MeasuredCalls &measured,
                          std::string &error) {
  if (!mapDevices(options, error))
    return false;
  CrashGuard guard(options.tool, entry.name);
  if (heteroInitialize(entry.function) != HETERO_OK)
    return failCall(error);
  Call call(entry);
  double apart = 0;
  if (!call.setArguments(values.inputs.data(), error) || !call.invoke(error) ||
      !measureCalls(call, count, HETERO_MEASURE_CALLS, measured.seconds, error))
    return false;
  heteroResetReport();
  if (!measureCalls(call, count, HETERO_MEASURE_PARTS, apart, error))
    return false;
  char *report = heteroReport();
  measured.report = report ? report : "";
  heteroFreeString(report);
  return true;
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
      !call.setArguments(values.inputs.data(), error))
    return false;
  if (options.beforeCall)
    options.beforeCall();
  if (!call.invoke(error))
    return false;
  if (options.afterCall)
    options.afterCall();
  if (options.time && !timeCall(call, options, error))
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
  if (options.isQuiet)
    return true;
  const std::vector<HostValue> &results = run.values;
  std::printf("EXEC @%s\n", entry.name);
  printResults(results, options.printMax);
  return writeStates(states, options.saveState, error) &&
         writeAndCompare(results, values.expected, options, error);
}
