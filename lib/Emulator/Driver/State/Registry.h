//===- Registry.h - Objects that handles stand for --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_STATE_REGISTRY_H
#define HETERO_LIB_EMULATOR_DRIVER_STATE_REGISTRY_H

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace hetero::emulator {

/// Objects that handles stand for. A handle that is not among them is an error
/// and not a crash.
template <typename Object> class Registry {
public:
  Object *add(std::shared_ptr<Object> object) {
    std::lock_guard<std::mutex> lock(mutex);
    Object *handle = object.get();
    objects.emplace(handle, std::move(object));
    return handle;
  }
  std::shared_ptr<Object> find(const void *handle) {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = objects.find(handle);
    return it == objects.end() ? nullptr : it->second;
  }
  std::shared_ptr<Object> remove(const void *handle) {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = objects.find(handle);
    if (it == objects.end())
      return nullptr;
    std::shared_ptr<Object> object = std::move(it->second);
    objects.erase(it);
    return object;
  }
  template <typename Predicate> void removeIf(Predicate predicate) {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto it = objects.begin(); it != objects.end();)
      it = predicate(*it->second) ? objects.erase(it) : std::next(it);
  }
  size_t size() {
    std::lock_guard<std::mutex> lock(mutex);
    return objects.size();
  }
  std::vector<std::shared_ptr<Object>> all() {
    std::lock_guard<std::mutex> lock(mutex);
    std::vector<std::shared_ptr<Object>> list;
    list.reserve(objects.size());
    for (auto &[handle, object] : objects)
      list.push_back(object);
    return list;
  }

private:
  std::mutex mutex;
  std::unordered_map<const void *, std::shared_ptr<Object>> objects;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_STATE_REGISTRY_H
