//===- Link.cpp - Images made of several ----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images are linked as text: the whole is a module that has what each of them
// has, under the first one's version and target.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Context.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Modules/JitOptions.h"
#include "Emulator/Driver/Modules/Module.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/State/Registry.h"

#include "Emulator/PTX/Linker.h"

#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

namespace hetero::emulator {
/// CUlinkState.
struct LinkState {
  JitOptions options;
  std::vector<std::string> images;
  std::string result;
};
} // namespace hetero::emulator

static Registry<LinkState> &linkStates() {
  static auto *registry = new Registry<LinkState>;
  return *registry;
}

static cuda::Result find(const void *handle,
                         std::shared_ptr<LinkState> &state) {
  if (!getDriver())
    return cuda::kNotInitialized;
  state = linkStates().find(handle);
  return state ? cuda::kSuccess : cuda::kInvalidHandle;
}

HETERO_CUDA_API cuLinkCreate_v2(unsigned count, int *options, void **values,
                                LinkState **result) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  auto state = std::make_shared<LinkState>();
  if (cuda::Result error = state->options.read(count, options, values))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = linkStates().add(std::move(state));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuLinkCreate(unsigned count, int *options, void **values,
                             LinkState **result) {
  return cuLinkCreate_v2(count, options, values, result);
}

HETERO_CUDA_API cuLinkAddData_v2(LinkState *handle, int type, const char *data,
                                 size_t bytes, const char *name, unsigned count,
                                 int *options, void **values) {
  enum : int { kPTX = 1, kLastType = 6 };
  std::shared_ptr<LinkState> state;
  JitOptions own;
  if (cuda::Result error = find(handle, state))
    return error;
  if (cuda::Result error = own.read(count, options, values))
    return error;
  if (!data || bytes == 0 || type < 0 || type > kLastType)
    return cuda::kInvalidValue;
  if (type != kPTX) {
    state->options.report("the emulator links PTX, got another kind of image");
    return cuda::kNoBinaryForGpu;
  }
  std::string image(data, strnlen(data, bytes));
  std::string error = checkImage(image);
  if (!error.empty()) {
    state->options.report((name ? std::string(name) + ": " : "") + error);
    return cuda::kInvalidPtx;
  }
  state->images.push_back(std::move(image));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuLinkAddData(LinkState *state, int type, const char *data,
                              size_t bytes, const char *name, unsigned count,
                              int *options, void **values) {
  return cuLinkAddData_v2(state, type, data, bytes, name, count, options,
                          values);
}

HETERO_CUDA_API cuLinkAddFile_v2(LinkState *state, int type, const char *path,
                                 unsigned count, int *options, void **values) {
  std::string image;
  if (!path)
    return cuda::kInvalidValue;
  if (!readFile(path, image))
    return cuda::kFileNotFound;
  return cuLinkAddData_v2(state, type, image.c_str(), image.size() + 1, path,
                          count, options, values);
}

HETERO_CUDA_API cuLinkAddFile(LinkState *state, int type, const char *path,
                              unsigned count, int *options, void **values) {
  return cuLinkAddFile_v2(state, type, path, count, options, values);
}

HETERO_CUDA_API cuLinkComplete(LinkState *handle, void **image, size_t *bytes) {
  std::shared_ptr<LinkState> state;
  Context *context;
  if (cuda::Result error = find(handle, state))
    return error;
  if (cuda::Result error = getCurrent(context))
    return error;
  if (!image)
    return cuda::kInvalidValue;
  std::unique_ptr<CompiledModule> code;
  std::string message;
  state->result = linkImages(state->images);
  cuda::Result error =
      compileImage(context->device, state->result.c_str(), code, message);
  state->options.report(message);
  if (error)
    return error;
  *image = state->result.data();
  if (bytes)
    *bytes = state->result.size() + 1;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuLinkDestroy(LinkState *handle) {
  if (!getDriver())
    return cuda::kNotInitialized;
  return linkStates().remove(handle) ? cuda::kSuccess : cuda::kInvalidHandle;
}
