//===- UserObject.cpp - What graphs keep alive ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Graphs/UserObject.h"

#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/State/Driver.h"

using namespace hetero::emulator;
using namespace hetero;

bool UserObject::release(unsigned references) {
  unsigned before = count;
  do {
    if (references > before)
      return false;
  } while (!count.compare_exchange_weak(before, before - references));
  if (before != references)
    return true;
  getDriver()->userObjects.remove(this);
  if (destroy)
    destroy(pointer);
  return true;
}

UserReferences::UserReferences(const UserReferences &other)
    : objects(other.objects) {
  for (auto &[object, references] : objects)
    object->retain(references);
}

UserReferences::~UserReferences() {
  for (auto &[object, references] : objects)
    object->release(references);
}

void UserReferences::add(const std::shared_ptr<UserObject> &object,
                         unsigned references) {
  objects[object] += references;
}

bool UserReferences::remove(const std::shared_ptr<UserObject> &object,
                            unsigned references) {
  auto it = objects.find(object);
  if (it == objects.end() || it->second < references)
    return false;
  it->second -= references;
  if (it->second == 0)
    objects.erase(it);
  return object->release(references);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static constexpr unsigned kMostReferences = 0x7fffffff;

static cuda::Result findObject(const void *handle, unsigned count,
                               std::shared_ptr<UserObject> &object) {
  if (!getDriver())
    return cuda::kNotInitialized;
  object = getDriver()->userObjects.find(handle);
  return object && count > 0 && count <= kMostReferences ? cuda::kSuccess
                                                         : cuda::kInvalidValue;
}

/// The only flag says that nobody waits for the function.
HETERO_CUDA_API cuUserObjectCreate(UserObject **result, void *pointer,
                                   UserObject::Destroy destroy, unsigned count,
                                   unsigned flags) {
  constexpr unsigned kNoSync = 1;
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!result || count == 0 || count > kMostReferences || flags != kNoSync)
    return cuda::kInvalidValue;
  *result = getDriver()->userObjects.add(
      std::make_shared<UserObject>(pointer, destroy, count));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuUserObjectRetain(const void *handle, unsigned count) {
  std::shared_ptr<UserObject> object;
  if (cuda::Result error = findObject(handle, count, object))
    return error;
  object->retain(count);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuUserObjectRelease(const void *handle, unsigned count) {
  std::shared_ptr<UserObject> object;
  if (cuda::Result error = findObject(handle, count, object))
    return error;
  return object->release(count) ? cuda::kSuccess : cuda::kInvalidValue;
}

/// The graph gets references of its own, or the caller's.
HETERO_CUDA_API cuGraphRetainUserObject(cuda::Graph graphHandle,
                                        const void *handle, unsigned count,
                                        unsigned flags) {
  constexpr unsigned kMove = 1;
  std::shared_ptr<UserObject> object;
  if (cuda::Result error = findObject(handle, count, object))
    return error;
  std::shared_ptr<Graph> graph = getDriver()->graphs.find(graphHandle);
  if (!graph || flags > kMove)
    return cuda::kInvalidValue;
  if (flags != kMove)
    object->retain(count);
  graph->references.add(object, count);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuGraphReleaseUserObject(cuda::Graph graphHandle,
                                         const void *handle, unsigned count) {
  std::shared_ptr<UserObject> object;
  if (cuda::Result error = findObject(handle, count, object))
    return error;
  std::shared_ptr<Graph> graph = getDriver()->graphs.find(graphHandle);
  return graph && graph->references.remove(object, count) ? cuda::kSuccess
                                                          : cuda::kInvalidValue;
}
