//===- Frame.cpp - What one call of an entry point holds ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Host/Frame.h"

#include "Runtime/Host/Error.h"

#include <memory>
#include <string>

using namespace hetero::runtime;

static thread_local Frame *current = nullptr;
/// Of calls of this thread that are over.
static thread_local std::vector<std::unique_ptr<Frame>> spareFrames;

void hetero::runtime::pushFrame() {
  std::unique_ptr<Frame> frame;
  if (spareFrames.empty()) {
    frame = std::make_unique<Frame>();
  } else {
    frame = std::move(spareFrames.back());
    spareFrames.pop_back();
  }
  frame->parent = current;
  current = frame.release();
}

void hetero::runtime::popFrame() {
  std::unique_ptr<Frame> frame(current);
  frame->devices.clear();
  frame->donated.clear();
  frame->states.clear();
  current = frame->parent;
  spareFrames.push_back(std::move(frame));
}

Frame *hetero::runtime::currentFrame() { return current; }

HeteroStatus hetero::runtime::failWithoutFrame(const char *call) {
  return fail(HETERO_ERROR_PROGRAM,
              std::string(call) + " was called outside of an entry point; "
                                  "call heteroFrameBegin first");
}

Frame *hetero::runtime::exchangeCurrentFrame(Frame *frame) {
  std::swap(current, frame);
  return frame;
}

void hetero::runtime::useInFrame(int32_t device) {
  if (current && device != HETERO_HOST)
    current->use(device);
}

HeteroStatus hetero::runtime::holdInFrame(int32_t device, void *pointer,
                                          int64_t bytes) {
  Frame *frame = current;
  if (!frame)
    return failWithoutFrame("heteroDonate");
  useInFrame(device);
  std::lock_guard<std::mutex> lock(frame->mutex);
  frame->allocations.insert({device, pointer}, bytes);
  frame->donated.push_back(pointer);
  return HETERO_OK;
}

bool hetero::runtime::takeFromFrames(int32_t device, void *pointer,
                                     int64_t &bytes) {
  for (Frame *frame = current; frame; frame = frame->parent) {
    std::lock_guard<std::mutex> lock(frame->mutex);
    if (frame->allocations.take({device, pointer}, bytes))
      return true;
  }
  return false;
}
