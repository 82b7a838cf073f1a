//===- States.cpp - What a program keeps from call to call ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// State on a device is a constant to which the program writes: it is uploaded
// once, and stays.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Lanes.h"
#include "Runtime/Host/Frame.h"

#include <map>

using namespace hetero::runtime;

/// Those of all programs that there were, by what stands for them. An address
/// that comes again gets the one that it had.
static std::recursive_mutex &findMutex(const void *lock) {
  static std::mutex mutex;
  static auto *all = new std::map<const void *, std::recursive_mutex>;
  std::lock_guard<std::mutex> guard(mutex);
  return (*all)[lock];
}

HeteroStatus heteroHoldState(const void *lock) {
  Frame *frame = currentFrame();
  if (!frame)
    return failWithoutFrame("heteroHoldState");
  // Each request finds what all before it have left.
  if (Lane *lane = currentLane())
    lane->lanes.waitForState(*lane);
  frame->states.emplace_back(findMutex(lock));
  return HETERO_OK;
}

/// Describes the memory in which the state is now.
static HeteroStatus locate(const HeteroState &state, HeteroValue &place) {
  place = {};
  place.type = state.type;
  place.rank = state.rank;
  place.device = HETERO_HOST;
  place.data = state.host;
  int64_t stride = 1;
  for (int32_t i = state.rank - 1; i >= 0; --i) {
    place.sizes[i] = state.sizes[i];
    place.strides[i] = stride;
    stride *= state.sizes[i];
  }
  if (!state.resident)
    return HETERO_OK;
  if (state.fallback &&
      heteroLacksDevice(state.name, state.devices,
                        static_cast<int32_t>(state.numDevices),
                        HETERO_INITIALIZE)) {
    place.data = state.fallback;
    return HETERO_OK;
  }
  HeteroConstant *const list[] = {state.resident};
  HeteroConstants needed = {state.name, list, 1, 0};
  HeteroStatus status = heteroUpload(&needed);
  place.device = state.resident->device;
  place.data = state.resident->address;
  return status;
}

HeteroStatus heteroReadState(const HeteroState *state, HeteroValue *value) {
  HeteroValue place;
  HeteroStatus status = locate(*state, place);
  return status == HETERO_OK ? heteroCopyValue(value, &place) : status;
}

HeteroStatus heteroWriteState(const HeteroState *state,
                              const HeteroValue *value) {
  HeteroValue place;
  HeteroStatus status = locate(*state, place);
  return status == HETERO_OK ? heteroCopyValue(&place, value) : status;
}
