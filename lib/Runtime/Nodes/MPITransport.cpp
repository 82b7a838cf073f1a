//===- MPITransport.cpp - The library that calls MPI ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Nodes/MPITransport.h"

#include "Runtime/Host/Error.h"

#include <cstdlib>
#include <dlfcn.h>
#include <string>

using namespace hetero::runtime;

static constexpr const char *kLibrary = "libhetero_mpi.so";

/// It lies beside this library.
static std::string pathBesideRuntime() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&pathBesideRuntime), &info) ||
      !info.dli_fname)
    return "";
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1) + kLibrary;
}

/// Null with the reason in `why`. What it links must be there for plugins that
/// MPI loads by itself, hence RTLD_GLOBAL.
static void *openLibrary(const std::string &path, std::string &why) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
  if (library)
    return library;
  const char *text = dlerror();
  why += (why.empty() ? "" : "; ") + (text ? std::string(text) : path);
  return nullptr;
}

static void *findLibrary(std::string &why) {
  const char *wanted = std::getenv("HETERO_MPI");
  if (wanted && *wanted)
    return openLibrary(wanted, why);
  std::string path = pathBesideRuntime();
  void *library = path.empty() ? nullptr : openLibrary(path, why);
  return library ? library : openLibrary(kLibrary, why);
}

HeteroStatus hetero::runtime::openMPITransport(HeteroTransport &transport) {
  std::string why;
  void *library = findLibrary(why);
  if (!library)
    return fail(HETERO_ERROR_NODES,
                "MPI cannot be used: " + why +
                    "; build the project where MPI is installed "
                    "(libopenmpi-dev), or set HETERO_MPI to its libhetero_mpi");
  auto open = reinterpret_cast<HeteroOpenTransport>(
      dlsym(library, "heteroOpenTransport"));
  if (!open)
    return fail(HETERO_ERROR_NODES,
                "MPI cannot be used: the library has no function "
                "heteroOpenTransport; set HETERO_MPI to a libhetero_mpi");
  transport = HeteroTransport();
  char error[512] = "";
  if (!open(&transport, error, sizeof error))
    return fail(HETERO_ERROR_NODES,
                std::string("MPI cannot be used: ") + error);
  if (transport.version != HETERO_TRANSPORT_VERSION)
    return fail(HETERO_ERROR_NODES,
                "MPI cannot be used: libhetero_mpi has version " +
                    std::to_string(transport.version) + ", expected " +
                    std::to_string(HETERO_TRANSPORT_VERSION) +
                    "; use the one built with this runtime");
  return HETERO_OK;
}
