//===- GraphMemory.cpp - Memory that graphs allocate ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Graphs/GraphMemory.h"

#include "Emulator/Driver/Devices.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/GraphNodes.h"
#include "Emulator/Driver/Log.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"

#include <algorithm>

using namespace hetero::emulator;
using namespace hetero;

namespace {
/// All under the mutex.
struct AllGraphMemory {
  std::mutex mutex;
  std::map<cuda::DevicePointer, GraphMemory *> byAddress;
  struct Usage {
    std::map<cuda::DevicePointer, uint64_t> bytes;
    uint64_t high = 0;

    /// Without what went with its context.
    uint64_t now(const Device &device) {
      uint64_t sum = 0;
      for (auto it = bytes.begin(); it != bytes.end();) {
        bool isThere = device.memory.translate(it->first, 1) != nullptr;
        sum += isThere ? it->second : 0;
        it = isThere ? std::next(it) : bytes.erase(it);
      }
      return sum;
    }
  };
  std::map<const Device *, Usage> usage;
};
} // namespace

static AllGraphMemory &allMemory() {
  static auto *all = new AllGraphMemory;
  return *all;
}

GraphMemory::GraphMemory(Context &context, const AllocationParams &params)
    : context(context), params(params) {
  this->params.address = context.device.memory.reserve(params.bytes);
}

GraphMemory::~GraphMemory() {
  {
    std::lock_guard<std::mutex> lock(allMemory().mutex);
    allMemory().byAddress.erase(params.address);
  }
  context.device.memory.unreserve(params.address);
}

std::shared_ptr<GraphMemory>
hetero::emulator::findGraphMemory(cuda::DevicePointer address) {
  std::lock_guard<std::mutex> lock(allMemory().mutex);
  auto it = allMemory().byAddress.find(address);
  return it == allMemory().byAddress.end()
             ? nullptr
             : it->second->weak_from_this().lock();
}

bool hetero::emulator::isOfGraph(cuda::DevicePointer address, uint64_t bytes,
                                 bool isNow) {
  std::lock_guard<std::mutex> lock(allMemory().mutex);
  auto it = allMemory().byAddress.upper_bound(address);
  if (it == allMemory().byAddress.begin())
    return false;
  uint64_t offset = address - (--it)->first;
  // Its end takes the mutex, too.
  const GraphMemory *memory = it->second;
  uint64_t size = memory->params.bytes;
  return offset <= size && bytes <= size - offset &&
         (!isNow || memory->isAllocated);
}

static void enterGraph(const Device &device, const AllocationParams &params) {
  std::lock_guard<std::mutex> lock(allMemory().mutex);
  auto &usage = allMemory().usage[&device];
  usage.bytes[params.address] = params.bytes;
  usage.high = std::max(usage.high, usage.now(device));
}

void hetero::emulator::leaveGraph(const Device &device,
                                  cuda::DevicePointer address) {
  std::lock_guard<std::mutex> lock(allMemory().mutex);
  allMemory().usage[&device].bytes.erase(address);
}

//===----------------------------------------------------------------------===//
// The work of nodes
//===----------------------------------------------------------------------===//

static Work describe(const GraphMemory &memory, const char *name) {
  Work work;
  work.name = name;
  work.device = memory.context.device.ordinal;
  work.written = {memory.params.address,
                  memory.params.address + memory.params.bytes};
  return work;
}

static void issueAllocation(const std::shared_ptr<GraphMemory> &memory,
                            const std::shared_ptr<Stream> &stream) {
  memory->isAllocated = true;
  auto run = [memory] {
    const AllocationParams &params = memory->params;
    Device &device = memory->context.device;
    if (!device.memory.allocateAt(params.address, params.bytes,
                                  &memory->context)) {
      memory->context.setFault(
          {cuda::kOutOfMemory,
           "a graph allocates " + std::to_string(params.bytes) +
               " bytes, which gpu:" + std::to_string(device.ordinal) +
               " does not have"});
      return;
    }
    enterGraph(device, params);
    logMemory("alloc", device.ordinal, params.address, params.bytes);
  };
  stream->context.submit(stream, describe(*memory, "allocate"), run);
}

static void issueFree(const std::shared_ptr<GraphMemory> &memory,
                      const std::shared_ptr<Stream> &stream) {
  memory->isAllocated = false;
  auto run = [memory] {
    const AllocationParams &params = memory->params;
    Device &device = memory->context.device;
    if (!device.memory.free(params.address))
      return;
    leaveGraph(device, params.address);
    logMemory("free", device.ordinal, params.address, params.bytes);
  };
  stream->context.submitAlways(stream, describe(*memory, "free"), run);
}

/// Memory of the context's device, which no other one reaches.
static cuda::Result check(const AllocationParams &params,
                          const Context &context) {
  constexpr int kPinned = 1;
  const PoolProperties &pool = params.pool;
  if (params.bytes == 0 || pool.allocationType != kPinned ||
      pool.handleTypes != 0 || (params.numGrants > 0 && !params.grants))
    return cuda::kInvalidValue;
  auto isHere = [&](const Location &location) {
    return location.type == Location::OnDevice &&
           location.id == context.device.ordinal;
  };
  if (!isHere(pool.location))
    return refuse("a node that allocates elsewhere than on its device");
  for (size_t i = 0; i < params.numGrants; ++i)
    if (!isHere(params.grants[i].location))
      return refuse("access of a peer to the memory of a graph");
  return cuda::kSuccess;
}

cuda::Result hetero::emulator::makeAllocation(AllocationParams *params,
                                              Context &context,
                                              NodeWork &work) {
  if (!params)
    return cuda::kInvalidValue;
  if (cuda::Result error = check(*params, context))
    return error;
  auto memory = std::make_shared<GraphMemory>(context, *params);
  if (!memory->params.address)
    return cuda::kOutOfMemory;
  params->address = memory->params.address;
  {
    std::lock_guard<std::mutex> lock(allMemory().mutex);
    allMemory().byAddress[params->address] = memory.get();
  }
  work = {NodeKind::Allocation, &context,
          [memory](const std::shared_ptr<Stream> &stream) {
            issueAllocation(memory, stream);
          },
          memory};
  return cuda::kSuccess;
}

cuda::Result hetero::emulator::makeFree(cuda::DevicePointer address,
                                        const Graph &graph, Context &context,
                                        NodeWork &work) {
  std::shared_ptr<GraphMemory> memory = findGraphMemory(address);
  if (!memory)
    return cuda::kInvalidValue;
  for (const std::shared_ptr<GraphNode> &node : graph.nodes)
    if (auto *freed = std::get_if<FreedMemory>(&node->params))
      if (freed->memory == memory)
        return cuda::kInvalidValue;
  work = {NodeKind::Free, &context,
          [memory](const std::shared_ptr<Stream> &stream) {
            issueFree(memory, stream);
          },
          FreedMemory{memory}};
  return cuda::kSuccess;
}

cuda::Result hetero::emulator::prepareMemory(
    const ExecGraph &graph, const std::shared_ptr<Stream> &stream, bool frees) {
  for (const std::shared_ptr<GraphMemory> &memory : graph.memory()) {
    if (!memory->isAllocated)
      continue;
    if (!frees)
      return cuda::kInvalidValue;
    issueFree(memory, stream);
  }
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuGraphMemAllocNodeGetParams(GraphNode *handle,
                                             AllocationParams *result) {
  std::shared_ptr<GraphNode> node;
  if (cuda::Result error = findNode(handle, node))
    return error;
  auto *memory = std::get_if<std::shared_ptr<GraphMemory>>(&node->params);
  if (!memory || !result)
    return cuda::kInvalidValue;
  *result = (*memory)->params;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuGraphMemFreeNodeGetParams(GraphNode *handle,
                                            cuda::DevicePointer *result) {
  std::shared_ptr<GraphNode> node;
  if (cuda::Result error = findNode(handle, node))
    return error;
  auto *freed = std::get_if<FreedMemory>(&node->params);
  if (!freed || !result)
    return cuda::kInvalidValue;
  *result = freed->memory->params.address;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// How much a device has
//===----------------------------------------------------------------------===//

/// CUgraphMem_attribute. Nothing is kept back.
enum GraphMemoryAttribute : int {
  kUsedNow = 0,
  kUsedHigh = 1,
  kReservedNow = 2,
  kReservedHigh = 3
};

HETERO_CUDA_API cuDeviceGetGraphMemAttribute(cuda::Device ordinal,
                                             GraphMemoryAttribute attribute,
                                             uint64_t *value) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!value || attribute < kUsedNow || attribute > kReservedHigh)
    return cuda::kInvalidValue;
  std::lock_guard<std::mutex> lock(allMemory().mutex);
  auto &usage = allMemory().usage[device];
  *value = attribute == kUsedNow || attribute == kReservedNow
               ? usage.now(*device)
               : usage.high;
  return cuda::kSuccess;
}

/// The highest begins anew; the rest is not to be set.
HETERO_CUDA_API cuDeviceSetGraphMemAttribute(cuda::Device ordinal,
                                             GraphMemoryAttribute attribute,
                                             const uint64_t *value) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!value || *value != 0 ||
      (attribute != kUsedHigh && attribute != kReservedHigh))
    return cuda::kInvalidValue;
  std::lock_guard<std::mutex> lock(allMemory().mutex);
  auto &usage = allMemory().usage[device];
  usage.high = usage.now(*device);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuDeviceGraphMemTrim(cuda::Device ordinal) {
  Device *device;
  return findDevice(ordinal, device);
}
