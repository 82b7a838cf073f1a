//===- Reuse.h - Containers that use their memory again ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that is called again and again with the same sizes allocates
// nothing from its second call on: what a call gives back, the next one finds.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_HOST_REUSE_H
#define HETERO_LIB_RUNTIME_HOST_REUSE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace hetero::runtime {

/// Sizes that blocks come in, so that they fit again: powers of two from 256
/// bytes to a mebibyte, then multiples of it.
inline int64_t blockSize(int64_t bytes) {
  constexpr int64_t kSmall = 256, kLarge = 1 << 20;
  if (bytes > kLarge)
    return (bytes + kLarge - 1) / kLarge * kLarge;
  int64_t size = kSmall;
  while (size < bytes)
    size *= 2;
  return size;
}

/// Free blocks by size.
class FreeBlocks {
public:
  /// Makes room for one more block of this size, so that put() needs none.
  void announce(int64_t size) {
    List &list = bySize[size];
    if (++list.announced > list.blocks.capacity())
      list.blocks.reserve(2 * list.announced);
  }

  /// A block of this size that is not put here goes elsewhere.
  void renounce(int64_t size) {
    if (List &list = bySize[size]; list.announced > 0)
      --list.announced;
  }

  void put(int64_t size, void *block) {
    bySize[size].blocks.push_back(block);
    ++count;
  }

  /// A block of this size, or null.
  void *take(int64_t size) {
    auto it = bySize.find(size);
    return it == bySize.end() ? nullptr : takeFrom(it->second);
  }

  /// The smallest block of at least `size` bytes, which becomes its size; or
  /// null.
  void *takeAtLeast(int64_t &size) {
    for (auto it = bySize.lower_bound(size); it != bySize.end(); ++it)
      if (void *block = takeFrom(it->second)) {
        size = it->first;
        return block;
      }
    return nullptr;
  }

  bool empty() const { return count == 0; }

  template <typename Function> void forEach(Function function) const {
    for (const auto &[size, list] : bySize)
      for (void *block : list.blocks)
        function(block);
  }

  void clear() {
    bySize.clear();
    count = 0;
  }

private:
  struct List {
    std::vector<void *> blocks;
    size_t announced = 0;
  };

  void *takeFrom(List &list) {
    if (list.blocks.empty())
      return nullptr;
    void *block = list.blocks.back();
    list.blocks.pop_back();
    --count;
    return block;
  }

  std::map<int64_t, List> bySize;
  int64_t count = 0;
};

/// A map whose entries, once taken out, hold the next ones.
template <typename Key, typename Value> class ReusingMap {
public:
  void insert(const Key &key, const Value &value) {
    if (spare.empty()) {
      map[key] = value;
      return;
    }
    auto node = std::move(spare.back());
    spare.pop_back();
    node.key() = key;
    node.mapped() = value;
    auto result = map.insert(std::move(node));
    if (result.inserted)
      return;
    result.position->second = value;
    spare.push_back(std::move(result.node));
  }

  /// Takes the entry out; false if there is none.
  bool take(const Key &key, Value &value) {
    auto node = map.extract(key);
    if (!node)
      return false;
    value = node.mapped();
    spare.push_back(std::move(node));
    return true;
  }

  /// Takes every entry out for which `function(key, value)` is true.
  template <typename Function> void takeIf(Function function) {
    for (auto it = map.begin(); it != map.end();) {
      auto next = std::next(it);
      if (function(it->first, it->second))
        spare.push_back(map.extract(it));
      it = next;
    }
  }

private:
  using Map = std::map<Key, Value>;
  Map map;
  std::vector<typename Map::node_type> spare;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_HOST_REUSE_H
