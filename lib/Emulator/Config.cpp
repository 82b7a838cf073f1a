//===- Config.cpp - How the emulator is set up ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Config.h"

#include <cctype>
#include <limits>

using namespace hetero::emulator;

/// Largest memory of a device: half of its window of addresses.
static constexpr uint64_t kMostMemory = uint64_t(128) << 30;

/// Reads a decimal number and moves past it; false when there is none or it is
/// above `most`.
static bool readNumber(std::string_view &text, uint64_t most,
                       uint64_t &number) {
  size_t digits = 0;
  number = 0;
  while (digits < text.size() && std::isdigit((unsigned char)text[digits])) {
    number = number * 10 + (text[digits++] - '0');
    if (number > most)
      return false;
  }
  text.remove_prefix(digits);
  return digits > 0;
}

static bool readMemory(std::string_view text, uint64_t &bytes) {
  if (!readNumber(text, kMostMemory, bytes))
    return false;
  struct Unit {
    const char *name;
    int shift;
  };
  for (Unit unit : {Unit{"", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}})
    if (text == unit.name) {
      if (bytes == 0 || bytes > kMostMemory >> unit.shift)
        return false;
      bytes <<= unit.shift;
      return true;
    }
  return false;
}

static bool readCount(std::string_view text, int least, int most, int &count) {
  uint64_t number;
  if (!readNumber(text, most, number) || !text.empty() ||
      number < uint64_t(least))
    return false;
  count = static_cast<int>(number);
  return true;
}

static bool readCapability(std::string_view text, int &major, int &minor) {
  uint64_t first, second;
  if (!readNumber(text, 99, first) || text.empty() || text[0] != '.')
    return false;
  text.remove_prefix(1);
  if (!readNumber(text, 9, second) || !text.empty() || first < 5)
    return false;
  major = static_cast<int>(first);
  minor = static_cast<int>(second);
  return true;
}

/// Reads one KEY=VALUE; returns what was expected, or null when it was right.
static const char *readEntry(std::string_view key, std::string_view value,
                             Config &config) {
  if (key == "devices")
    return readCount(value, 0, 64, config.devices) ? nullptr : "0 to 64";
  if (key == "memory")
    return readMemory(value, config.memory)
               ? nullptr
               : "a size up to 128GiB like 512MiB or 1GiB";
  if (key == "cc")
    return readCapability(value, config.major, config.minor)
               ? nullptr
               : "a compute capability like 8.0";
  if (key == "threads")
    return readCount(value, 0, 1024, config.threads) ? nullptr : "0 to 1024";
  if (key == "log") {
    config.log = value;
    return value.empty() ? "the path of a file" : nullptr;
  }
  if (key == "leaks") {
    config.leaks = value;
    return value.empty() ? "the path of a file" : nullptr;
  }
  // "fail=alloc:3,launch:5": the second point is an entry of its own.
  FailPoint point;
  if (key == "fail" || (value.empty() && parseFailPoint(key, point))) {
    if (!parseFailPoint(key == "fail" ? value : key, point))
      return "alloc:N, launch:N, copy:N or device-lost:N, from 1";
    config.fail.push_back(point);
    return nullptr;
  }
  return "one of the keys devices, memory, cc, threads, log, leaks, fail";
}

bool hetero::emulator::parseConfig(std::string_view text, Config &config,
                                   std::string &error) {
  while (!text.empty()) {
    std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    size_t equals = entry.find('=');
    std::string_view key = entry.substr(0, equals);
    std::string_view value = equals == std::string_view::npos
                                 ? std::string_view()
                                 : entry.substr(equals + 1);
    if (const char *expected = readEntry(key, value, config)) {
      error = "HETERO_EMULATOR: expected " + std::string(expected) + ", got '" +
              std::string(entry) +
              "'; write it like devices=2,memory=1GiB,cc=9.0,log=FILE";
      return false;
    }
  }
  return true;
}
