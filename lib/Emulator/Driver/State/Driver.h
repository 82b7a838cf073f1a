//===- Driver.h - What the functions of the driver share --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_STATE_DRIVER_H
#define HETERO_LIB_EMULATOR_DRIVER_STATE_DRIVER_H

#include "Emulator/Device/Config.h"
#include "Emulator/Device/Races.h"
#include "Emulator/Device/Timelines.h"
#include "Emulator/Device/WallTimes.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Registry.h"

#include <map>
#include <optional>

namespace hetero::emulator {

struct Event;
class ExecGraph;
class Graph;
struct GraphNode;
struct Module;
class UserObject;

/// What the functions of the driver share; made by cuInit.
struct Driver {
  Config config;
  std::vector<std::unique_ptr<Device>> devices;
  Registry<Stream> streams;
  Registry<Event> events;
  Registry<Module> modules;
  Registry<Graph> graphs;
  Registry<GraphNode> graphNodes;
  Registry<UserObject> userObjects;
  Registry<ExecGraph> execGraphs;
  /// If the clock is virtual.
  std::unique_ptr<Timelines> timelines;
  /// If it is not, and somebody wants to know when operations ran.
  std::unique_ptr<WallTimes> wallTimes;
  /// If accesses are checked.
  std::unique_ptr<Races> races;
  bool tracksOperations() const { return timelines || races; }
  /// Of the calling thread's host, or null.
  Timeline *timeline() { return timelines ? &timelines->current() : nullptr; }
  /// The host has waited for the operations; some may be null.
  void hostWaits(const std::vector<OperationRef> &operations);
  void reportRace(Context &context, const std::string &race);
  /// Memory of the host that devices reach.
  struct HostRange {
    enum Kind { Allocated, Registered, Managed };
    uint64_t bytes;
    Kind kind;
    unsigned flags; ///< That the program has asked for.
    Context *owner; ///< Gives it back.
  };
  std::mutex hostMutex;
  std::map<uintptr_t, HostRange> hostRanges;

  /// False when it overlaps with another; kernels reach it from then on.
  bool addHostRange(void *pointer, const HostRange &range);
  /// Forgets a range that begins there, and frees what the driver has
  /// allocated; false if there is none of the kind.
  bool removeHostRange(void *pointer, HostRange::Kind kind);
  std::map<uintptr_t, HostRange>::iterator
  dropHostRange(std::map<uintptr_t, HostRange>::iterator it);
  /// The range that holds the bytes, with its first address.
  std::optional<std::pair<uintptr_t, HostRange>>
  findHostRange(const void *pointer, uint64_t bytes);
  bool isPinned(const void *pointer, uint64_t bytes) {
    return findHostRange(pointer, bytes).has_value();
  }
  void forgetHostRangesOf(const Context &context);

  /// Those that programs have created, also what is left of destroyed ones:
  /// threads may have them current.
  std::mutex contextsMutex;
  std::vector<std::unique_ptr<Context>> contexts;

  Context &createContext(Device &device, unsigned flags);
  std::vector<Context *> allContexts();
  /// True for what is or was one.
  bool isContext(const void *handle);
  /// Waits for all streams of all contexts.
  void synchronizeAll();
  /// Null for an address of the host.
  Device *deviceOf(uint64_t address);
  /// The context that an address of a device was allocated in.
  Context &ownerOf(uint64_t address);
};

/// The driver, or null before cuInit.
Driver *getDriver();

/// Once, by cuInit.
void setDriver(std::unique_ptr<Driver> driver);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_STATE_DRIVER_H
