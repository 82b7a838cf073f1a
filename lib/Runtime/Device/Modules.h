//===- Modules.h - The kernels of a device ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_MODULES_H
#define HETERO_LIB_RUNTIME_DEVICE_MODULES_H

#include "Runtime/Device/Context.h"
#include "Runtime/Device/Submit/Operation.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace hetero::runtime {

/// Memory of the host that a program had, of which what lies there goes.
struct HostRange {
  const char *begin, *end;

  HostRange(const void *data, int64_t bytes)
      : begin(static_cast<const char *>(data)), end(begin + bytes) {}
  bool has(const void *place) const {
    auto *first = static_cast<const char *>(place);
    return first >= begin && first < end;
  }
};

/// Code of images that was loaded. Calls need the device's lock.
class Modules {
public:
  explicit Modules(Context &context) : context(context) {}

  /// Loads the kernel and lets it have the launch's shared memory. Where times
  /// are taken, nothing is left for the launch to load.
  HeteroStatus getKernel(const HeteroImage &image, const char *name,
                         const LaunchShape &launch, Kernel **kernel);
  /// Unloads those whose images lie there; where the context is lost, they go
  /// with it.
  void forget(const HostRange &range, bool isUsable);
  /// They went with their context.
  void clear();

private:
  /// The code of an image. The address alone does not tell images apart: that
  /// of an unloaded program may be another one's now.
  using ImageKey = std::pair<const HeteroImage *, uint64_t>;

  /// The image of a kernel, and its name.
  using KernelKey = std::pair<ImageKey, std::string>;

  /// By image and name; names may be given as they are in the program.
  struct KernelOrder {
    using is_transparent = void;
    using View = std::pair<ImageKey, std::string_view>;

    static View view(const KernelKey &key) { return {key.first, key.second}; }
    static View view(const View &key) { return key; }

    template <typename Left, typename Right>
    bool operator()(const Left &left, const Right &right) const {
      return view(left) < view(right);
    }
  };

  HeteroStatus loadModule(const HeteroImage &image, cuda::Module *module);
  HeteroStatus loadKernel(const HeteroImage &image, const char *name,
                          Kernel **kernel);
  HeteroStatus allowShared(Kernel &kernel, const char *name, int64_t bytes);
  void prepare(Kernel &kernel, const char *name, const LaunchShape &launch);

  Context &context;
  std::map<ImageKey, cuda::Module> modules;
  std::map<KernelKey, Kernel, KernelOrder> kernels;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_MODULES_H
