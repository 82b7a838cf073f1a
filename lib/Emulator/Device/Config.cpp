//===- Config.cpp - How the emulator is set up ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Device/Config.h"

#include <cctype>
#include <cstdlib>
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

/// "8.0", or "8.0/9.0" for one device after the other.
static bool readCapabilities(std::string_view text, Config &config) {
  config.capabilities.clear();
  for (;;) {
    uint64_t major, minor;
    if (!readNumber(text, 99, major) || text.empty() || text[0] != '.')
      return false;
    text.remove_prefix(1);
    if (!readNumber(text, 9, minor) || major < 5)
      return false;
    config.capabilities.emplace_back(major, minor);
    if (text.empty())
      return true;
    if (text[0] != '/' || config.capabilities.size() == 64)
      return false;
    text.remove_prefix(1);
  }
}

/// "10000000000000", "10T", "12.5G": a rate, or a time in picoseconds with
/// "ns", "us" or "ms".
static bool readQuantity(std::string_view text, bool isTime, uint64_t &value) {
  uint64_t whole, fraction = 0, scale = 1;
  if (!readNumber(text, UINT64_C(1'000'000'000'000'000'000), whole))
    return false;
  uint64_t tenths = 1;
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    size_t before = text.size();
    if (!readNumber(text, 999'999, fraction))
      return false;
    for (size_t i = text.size(); i < before; ++i)
      tenths *= 10;
  }
  struct Unit {
    const char *name;
    uint64_t scale;
    bool isTime;
  };
  bool known = text.empty();
  for (Unit unit : {Unit{"k", 1000, false},
                    {"M", 1'000'000, false},
                    {"G", 1'000'000'000, false},
                    {"T", 1'000'000'000'000, false},
                    {"P", 1'000'000'000'000'000, false},
                    {"ps", 1, true},
                    {"ns", 1000, true},
                    {"us", 1'000'000, true},
                    {"ms", 1'000'000'000, true}})
    if (text == unit.name && unit.isTime == isTime) {
      scale = unit.scale;
      known = true;
    }
  uint64_t part = 0;
  bool tooLarge = __builtin_mul_overflow(whole, scale, &value) ||
                  __builtin_mul_overflow(fraction, scale, &part) ||
                  __builtin_add_overflow(value, part / tenths, &value);
  return known && !tooLarge && (isTime || value > 0);
}

/// The keys of the virtual clock that devices have: "10T", or "10T/20T" for
/// one device after the other.
static bool readRates(std::string_view text, bool isTime,
                      uint64_t DeviceRates::*field, Config &config) {
  for (size_t device = 0;; ++device) {
    std::string_view entry = text.substr(0, text.find('/'));
    uint64_t value;
    if (device >= 64 || !readQuantity(entry, isTime, value))
      return false;
    while (config.deviceRates.size() <= device)
      config.deviceRates.push_back(config.deviceRates.empty()
                                       ? DeviceRates()
                                       : config.deviceRates.back());
    // The last value holds for the devices that come after it.
    for (size_t i = device; i < config.deviceRates.size(); ++i)
      config.deviceRates[i].*field = value;
    if (entry.size() == text.size())
      return true;
    text.remove_prefix(entry.size() + 1);
  }
}

/// "races+shared": which checks are on.
static bool readChecks(std::string_view text, Config &config) {
  config.checksRaces = config.checksShared = config.checksUninitialized = false;
  if (text == "none")
    return true;
  do {
    std::string_view name = text.substr(0, text.find('+'));
    text.remove_prefix(std::min(text.size(), name.size() + 1));
    if (name == "races")
      config.checksRaces = true;
    else if (name == "shared")
      config.checksShared = true;
    else if (name == "uninitialized")
      config.checksUninitialized = true;
    else
      return false;
  } while (!text.empty());
  return true;
}

/// Reads the keys of the virtual clock; sets `isOne` if it is one.
static const char *readClockEntry(std::string_view key, std::string_view value,
                                  Config &config, bool &isOne) {
  struct Rate {
    std::string_view key;
    uint64_t DeviceRates::*field;
    bool isTime;
  };
  isOne = true;
  for (Rate rate : {Rate{"flops", &DeviceRates::flops, false},
                    {"bandwidth", &DeviceRates::bandwidth, false},
                    {"launch", &DeviceRates::launch, true},
                    {"link", &DeviceRates::link, false},
                    {"latency", &DeviceRates::latency, true}})
    if (key == rate.key && !value.empty())
      return readRates(value, rate.isTime, rate.field, config) ? nullptr
             : rate.isTime ? "times like 5us or 5us/2us"
                           : "rates like 10T or 10T/20T";
  if (key == "call")
    return readQuantity(value, /*isTime=*/true, config.call)
               ? nullptr
               : "a time like 5us";
  if (key == "clock") {
    config.virtualClock = value == "virtual";
    return value == "virtual" || value == "real" ? nullptr : "virtual or real";
  }
  if (key == "schedule") {
    config.randomSchedule = value == "random";
    return value == "random" || value == "fast" ? nullptr : "random or fast";
  }
  if (key == "seed")
    return readNumber(value, UINT64_MAX / 16, config.seed) && value.empty()
               ? nullptr
               : "a number";
  if (key == "check")
    return readChecks(value, config)
               ? nullptr
               : "none, or some of races, shared and uninitialized with a plus "
                 "sign between them";
  if (key == "instructions")
    return readNumber(value, UINT64_MAX / 16, config.limit) && value.empty()
               ? nullptr
               : "a number of instructions";
  if (key == "timeline") {
    config.timeline = value;
    return value.empty() ? "the path of a file" : nullptr;
  }
  isOne = false;
  return nullptr;
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
    return readCapabilities(value, config)
               ? nullptr
               : "compute capabilities like 8.0 or 8.0/9.0";
  if (key == "threads")
    return readCount(value, 0, 1024, config.threads) ? nullptr : "0 to 1024";
  if (key == "warps") {
    config.leastForWarps = value == "together" ? 0
                           : value == "apart"  ? UINT64_MAX
                                               : Config().leastForWarps;
    return value == "together" || value == "apart" || value == "auto"
               ? nullptr
               : "together, apart or auto";
  }
  if (key == "cache") {
    config.cache = value == "none" ? std::string() : std::string(value);
    return value.empty() ? "the path of a folder, or none" : nullptr;
  }
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
  bool isClock;
  const char *expected = readClockEntry(key, value, config, isClock);
  if (isClock)
    return expected;
  return "one of the keys devices, memory, cc, threads, warps, cache, log, "
         "leaks, fail, clock, timeline, flops, bandwidth, launch, link, "
         "latency, call, schedule, seed, check, instructions";
}

static std::string standardCache() {
  const char *cache = std::getenv("XDG_CACHE_HOME");
  const char *home = std::getenv("HOME");
  if (cache && *cache)
    return std::string(cache) + "/hetero";
  return home && *home ? std::string(home) + "/.cache/hetero" : std::string();
}

bool hetero::emulator::parseConfig(std::string_view text, Config &config,
                                   std::string &error) {
  config.cache = standardCache();
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
