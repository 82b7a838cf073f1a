//===- ProbeMachine.cpp - Measures this machine ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An addition of 16 numbers is the launch, one of large tensors the bandwidth
// of memory, and a product of matrices the arithmetic. Sizes grow until a
// program takes long enough to be measured well, or long for who waits.
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/Tuning/ProbeMachine.h"

#include "MeasuredRun.h"
#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Compiler/Program.h"
#include "hetero/Runner/Runner.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"
#include "llvm/TargetParser/Host.h"

#include <chrono>
#include <cmath>
#include <unistd.h>

using namespace mlir;
using namespace mlir::hetero;
namespace runner = ::hetero::runner;

/// Seconds of a program that are measured well, and of waiting for it.
static constexpr double kLongEnough = 10e-3, kTooLong = 2;

static LogicalResult fail(const CompilationHost &host,
                          const llvm::Twine &message) {
  llvm::WithColor::error(host.errors, host.name) << message << "\n";
  return failure();
}

namespace {
/// Seconds for some amount of work.
struct Point {
  double amount, seconds;
};

/// A device, in the units of a device_spec.
struct ProbedDevice {
  std::string name;
  /// Bytes; 0 if not known.
  int64_t memory = 0;
  int64_t compute = 0, bandwidth = 0, launch = 0;
  /// Of the code generator, or empty.
  std::string chip;
};

struct ProbedLink {
  std::string from, to;
  int64_t bandwidth, latency;
};

class MachineProbe {
public:
  explicit MachineProbe(const CompilationHost &host) : host(host) {}

  /// False after an error.
  bool run();
  std::string print() const;

private:
  using MakeProgram = std::string (*)(int64_t size);
  using CountWork = double (*)(int64_t size);

  bool addDevice(int32_t device);
  bool probe(ProbedDevice &device);
  std::optional<double> measure(llvm::StringRef device,
                                const std::string &program,
                                const std::string &input);
  std::optional<Point> grow(llvm::StringRef device, ArrayRef<int64_t> sizes,
                            MakeProgram make, MakeProgram makeInput,
                            CountWork count);
  bool addLink(int32_t from, int32_t to);

  const CompilationHost &host;
  std::vector<ProbedDevice> devices;
  std::vector<ProbedLink> links;
  /// What was wrong last.
  std::string error;
};
} // namespace

static std::string getName(int32_t device) {
  return device == HETERO_HOST ? "cpu:0" : "gpu:" + std::to_string(device);
}

/// With three digits: more are noise.
static int64_t round3(double value) {
  if (value < 1)
    return 1;
  double unit = std::pow(10, std::max(0.0, std::floor(std::log10(value)) - 2));
  return static_cast<int64_t>(std::min(std::round(value / unit) * unit, 9e18));
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static std::string makeAddition(int64_t size) {
  return llvm::formatv(R"(
func.func @main(%a: tensor<{0}xf32>, %b: tensor<{0}xf32>) -> tensor<{0}xf32> {{
  %e = tensor.empty() : tensor<{0}xf32>
  %0 = linalg.add ins(%a, %b : tensor<{0}xf32>, tensor<{0}xf32>)
    outs(%e : tensor<{0}xf32>) -> tensor<{0}xf32>
  return %0 : tensor<{0}xf32>
})",
                       size);
}

static std::string makeProduct(int64_t size) {
  return llvm::formatv(R"(
func.func @main(%a: tensor<{0}x{0}xf32>, %b: tensor<{0}x{0}xf32>)
    -> tensor<{0}x{0}xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{0}x{0}xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<{0}x{0}xf32>)
    -> tensor<{0}x{0}xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<{0}x{0}xf32>, tensor<{0}x{0}xf32>)
    outs(%f : tensor<{0}x{0}xf32>) -> tensor<{0}x{0}xf32>
  return %0 : tensor<{0}x{0}xf32>
})",
                       size);
}

static std::string makeVector(int64_t size) {
  return llvm::formatv("{0}xf32=1", size);
}

static std::string makeMatrix(int64_t size) {
  return llvm::formatv("{0}x{0}xf32=1", size);
}

/// Seconds that the program, all of it on the device, works there; nothing,
/// with an error, where it does not run.
std::optional<double> MachineProbe::measure(llvm::StringRef device,
                                            const std::string &program,
                                            const std::string &input) {
  constexpr int64_t kCalls = 5;
  std::string messages;
  llvm::raw_string_ostream errors(messages);
  CompileOptions options(kNativeProcessor);
  options.defaultDevice = device.str();
  CompilationHost quiet{host.name, errors, host.extendRegistry,
                        host.configurePasses};
  Compilation compilation(options, quiet);
  std::unique_ptr<Program> compiled;
  if (succeeded(compilation.parse(
          llvm::MemoryBuffer::getMemBufferCopy(program, "probe"))) &&
      succeeded(adaptToThisProcess(compilation)))
    compiled = Program::compile(compilation);
  std::optional<ProgramParts> parts = compilation.describeParts();
  if (!compiled || !parts) {
    error = messages;
    return std::nullopt;
  }
  runner::RunOptions run;
  run.tool = host.name;
  run.inputs = {input, input};
  runner::RunValues values;
  runner::MeasuredCalls measured;
  const HeteroProgramEntry &entry = compiled->getEntries().front();
  if (!runner::loadRunValues(entry, run, values, error) ||
      !runner::measureEntry(entry, run, values, kCalls, measured, error)) {
    heteroReset();
    return std::nullopt;
  }
  std::optional<MeasuredRun> found =
      readMeasuredRun(measured.report, *parts, kCalls);
  double seconds = 0;
  for (const MeasuredRegion &region :
       found ? found->regions : std::vector<MeasuredRegion>())
    if (region.device == device)
      seconds += region.seconds * region.executions;
  if (seconds > 0)
    return seconds;
  error = "nothing was measured there";
  return std::nullopt;
}

/// The largest program that is worth its time; nothing if none runs.
std::optional<Point> MachineProbe::grow(llvm::StringRef device,
                                        ArrayRef<int64_t> sizes,
                                        MakeProgram make, MakeProgram makeInput,
                                        CountWork count) {
  using Clock = std::chrono::steady_clock;
  std::optional<Point> best;
  for (int64_t size : sizes) {
    Clock::time_point start = Clock::now();
    std::optional<double> seconds =
        measure(device, make(size), makeInput(size));
    // A larger one may not fit its memory.
    if (!seconds)
      break;
    best = Point{count(size), *seconds};
    std::chrono::duration<double> waited = Clock::now() - start;
    if (*seconds >= kLongEnough || waited.count() >= kTooLong)
      break;
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// Of the machine, or of the part of it that this process may use.
static int64_t getHostMemory() {
  int64_t bytes = int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  auto limit = llvm::MemoryBuffer::getFileAsStream("/sys/fs/cgroup/memory.max");
  int64_t most;
  if (limit && !(*limit)->getBuffer().trim().getAsInteger(10, most) && most > 0)
    bytes = std::min(bytes, most);
  return bytes;
}

bool MachineProbe::probe(ProbedDevice &device) {
  std::optional<Point> launch = grow(device.name, {16}, makeAddition,
                                     makeVector, [](int64_t) { return 1.0; });
  std::optional<Point> memory, product;
  if (launch)
    memory =
        grow(device.name, {1 << 16, 1 << 20, 1 << 22, 1 << 24}, makeAddition,
             makeVector, [](int64_t size) { return size * 12.0; });
  if (memory)
    product =
        grow(device.name, {64, 128, 256, 512, 1024, 2048}, makeProduct,
             makeMatrix, [](int64_t size) { return 2.0 * size * size * size; });
  if (!product) {
    llvm::StringRef text = llvm::StringRef(error).trim();
    (void)fail(host, "cannot measure " + device.name + ": " + text);
    return false;
  }
  auto getRate = [&](const Point &point) {
    double rest = point.seconds - launch->seconds;
    return round3(point.amount / (rest > 0 ? rest : point.seconds));
  };
  device.launch = round3(launch->seconds * 1e12);
  device.bandwidth = getRate(*memory);
  device.compute = getRate(*product);
  return true;
}

bool MachineProbe::addDevice(int32_t id) {
  ProbedDevice device;
  device.name = getName(id);
  if (id == HETERO_HOST) {
    device.memory = getHostMemory();
  } else {
    HeteroDeviceInfo info;
    if (heteroDescribeDevice(id, &info) != HETERO_OK) {
      (void)fail(host, heteroLastError());
      return false;
    }
    device.memory = info.memory;
    device.chip = llvm::formatv("sm_{0}{1}", info.major, info.minor);
  }
  if (!probe(device))
    return false;
  devices.push_back(device);
  return true;
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

namespace {
/// Numbers on a device.
class Buffer {
public:
  Buffer(int32_t device, int64_t size) {
    value.type = HETERO_TYPE_F32;
    value.rank = 1;
    value.sizes[0] = size;
    value.strides[0] = 1;
    isThere = heteroAllocateValue(&value, device) == HETERO_OK;
  }
  ~Buffer() { heteroReleaseValue(&value); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  HeteroValue value = {};
  bool isThere;
};
} // namespace

/// The shortest of several copies; nothing if there is no memory for it.
static std::optional<double> timeCopies(int32_t from, int32_t to, int64_t size,
                                        int count) {
  Buffer source(from, size), target(to, size);
  if (!source.isThere || !target.isThere)
    return std::nullopt;
  double shortest = INFINITY;
  // Once more, to warm up.
  for (int i = 0; i <= count; ++i) {
    int64_t start = heteroClock();
    if (heteroCopyValue(&target.value, &source.value) != HETERO_OK)
      return std::nullopt;
    if (i > 0)
      shortest = std::min(shortest, (heteroClock() - start) * 1e-9);
  }
  return shortest;
}

bool MachineProbe::addLink(int32_t from, int32_t to) {
  constexpr int64_t kLarge = 4 << 20, kLeast = 1 << 12;
  std::optional<double> shortest = timeCopies(from, to, 1, 50);
  for (int64_t size = kLarge; shortest && size >= kLeast; size /= 4) {
    std::optional<double> large = timeCopies(from, to, size, 8);
    if (!large)
      continue;
    double rest = std::max(*large - *shortest, 1e-9);
    links.push_back({getName(from), getName(to),
                     round3((size - 1) * sizeof(float) / rest),
                     round3(*shortest * 1e12)});
    return true;
  }
  (void)fail(host, "cannot measure the link from " + getName(from) + " to " +
                       getName(to) + ": " + heteroLastError());
  return false;
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

bool MachineProbe::run() {
  std::vector<int32_t> all = {HETERO_HOST};
  for (int32_t i = 0; i < heteroMachineDeviceCount(); ++i)
    all.push_back(i);
  for (int32_t device : all)
    if (!addDevice(device))
      return false;
  for (int32_t from : all)
    for (int32_t to : all)
      if (from != to && !addLink(from, to))
        return false;
  return true;
}

static std::string printDevice(const ProbedDevice &device) {
  std::string text = llvm::formatv(
      "#hetero.device_spec<device = #hetero.device<{0}>, memory = {1}, "
      "compute = {2}, bandwidth = {3}, launch = {4}",
      device.name, device.memory, device.compute, device.bandwidth,
      device.launch);
  if (!device.chip.empty())
    text += ", target = #nvvm.target<chip = \"" + device.chip + "\">";
  return text + ">";
}

static std::string printLink(const ProbedLink &link) {
  return llvm::formatv(
      "#hetero.link<from = #hetero.device<{0}>, to = #hetero.device<{1}>, "
      "bandwidth = {2}, latency = {3}>",
      link.from, link.to, link.bandwidth, link.latency);
}

std::string MachineProbe::print() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  int32_t threads = heteroThreadCount();
  const ProbedDevice &cpu = devices.front();
  os << "// A thread of cpu:0, of " << threads
     << llvm::formatv(": {0:f1} Gflop/s, {1:f1} GB/s\n",
                      cpu.compute * 1e-9 / threads,
                      cpu.bandwidth * 1e-9 / threads)
     << "#hetero.topology<\n  devices = [\n    "
     << llvm::join(llvm::map_range(devices, printDevice), ",\n    ") << "]";
  if (!links.empty())
    os << ",\n  links = [\n    "
       << llvm::join(llvm::map_range(links, printLink), ",\n    ") << "]";
  os << ">\n";
  return text;
}

FailureOr<std::string>
mlir::hetero::identifyMachine(const CompilationHost &host) {
  std::string text = llvm::formatv("{0}, {1} threads, {2} bytes\n",
                                   llvm::sys::getHostCPUName(),
                                   heteroThreadCount(), getHostMemory());
  auto getVariable = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string(value ? value : "");
  };
  std::string driver = getVariable("HETERO_CUDA_DRIVER");
  int32_t count = heteroMachineDeviceCount();
  if (count == 0 && !driver.empty() && driver != "auto" &&
      heteroDeviceCount(&count) != HETERO_OK)
    return fail(host, heteroLastError());
  for (int32_t i = 0; i < count; ++i) {
    HeteroDeviceInfo info;
    if (heteroDescribeDevice(i, &info) == HETERO_OK)
      text += llvm::formatv("gpu:{0} {1}, sm_{2}{3}, {4} bytes\n", i, info.name,
                            info.major, info.minor, info.memory);
  }
  if (driver == "emulator")
    text += getVariable("HETERO_EMULATOR") + "\n";
  return text;
}

FailureOr<std::string> mlir::hetero::probeMachine(const CompilationHost &host) {
  MachineProbe probe(host);
  if (!probe.run())
    return failure();
  FailureOr<std::string> identity = identifyMachine(host);
  if (failed(identity))
    return failure();
  std::string text;
  for (llvm::StringRef line :
       llvm::split(llvm::StringRef(*identity).trim(), '\n'))
    text += "// " + line.str() + "\n";
  return text + probe.print();
}
