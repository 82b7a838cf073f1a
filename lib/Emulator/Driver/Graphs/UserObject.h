//===- UserObject.h - What graphs keep alive for programs ----- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_GRAPHS_USEROBJECT_H
#define HETERO_LIB_EMULATOR_DRIVER_GRAPHS_USEROBJECT_H

#include <atomic>
#include <map>
#include <memory>

namespace hetero::emulator {

/// CUuserObject: calls a function of the program when nobody refers to it.
class UserObject {
public:
  using Destroy = void (*)(void *);

  UserObject(void *pointer, Destroy destroy, unsigned count)
      : pointer(pointer), destroy(destroy), count(count) {}

  void retain(unsigned references) { count += references; }
  /// False if there are not so many.
  bool release(unsigned references);

private:
  void *pointer;
  Destroy destroy;
  std::atomic<unsigned> count;
};

/// References of a graph, which a copy of it has as well.
class UserReferences {
public:
  UserReferences() = default;
  UserReferences(const UserReferences &other);
  UserReferences &operator=(UserReferences other) {
    objects.swap(other.objects);
    return *this;
  }
  ~UserReferences();

  /// Takes references that somebody has retained.
  void add(const std::shared_ptr<UserObject> &object, unsigned references);
  /// Releases some; false if there are not so many.
  bool remove(const std::shared_ptr<UserObject> &object, unsigned references);

private:
  std::map<std::shared_ptr<UserObject>, unsigned> objects;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_GRAPHS_USEROBJECT_H
