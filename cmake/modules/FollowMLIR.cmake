# Finds LLVM and MLIR 22 and builds as they were built: their headers lay out
# objects by whether assertions are on, and name type information that is there
# only with RTTI.

option(HETERO_EXPECT_ASSERTIONS "Refuse an MLIR without assertions" OFF)
option(HETERO_STATIC_MLIR "Link the static libraries of MLIR where there is a shared one too" OFF)

# Debian's version file accepts only exact major.minor matches, so the major
# version is checked here.
find_package(MLIR REQUIRED CONFIG
             HINTS ENV MLIR_DIR PATHS /usr/lib/llvm-22/lib/cmake/mlir)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "expected LLVM and MLIR 22, got ${LLVM_VERSION}; "
          "install libmlir-22-dev or set MLIR_DIR")
endif()
if(HETERO_EXPECT_ASSERTIONS AND NOT LLVM_ENABLE_ASSERTIONS)
  message(FATAL_ERROR "expected an MLIR with assertions, got ${MLIR_CMAKE_DIR} without; "
          "set MLIR_DIR and LLVM_DIR")
endif()
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_CMAKE_DIR}: "
        "assertions ${LLVM_ENABLE_ASSERTIONS}, RTTI ${LLVM_ENABLE_RTTI}")

set(HETERO_MLIR_TOOLS_DIR "${MLIR_INSTALL_PREFIX}/bin")
set(HETERO_LLVM_TOOLS_DIR "${LLVM_TOOLS_BINARY_DIR}")
set(HETERO_LLVM_LIBRARY_DIRS "${MLIR_INSTALL_PREFIX}/lib" "${LLVM_LIBRARY_DIR}")
list(REMOVE_DUPLICATES HETERO_LLVM_LIBRARY_DIRS)
find_program(MLIR_TABLEGEN_EXE mlir-tblgen
             HINTS "${HETERO_MLIR_TOOLS_DIR}" "${HETERO_LLVM_TOOLS_DIR}" REQUIRED)

# What compiles a file that reads MLIR's headers, here and in projects that use
# the installed libraries. CMake itself defines NDEBUG in release builds, and
# -UNDEBUG comes after that.
set(HETERO_MLIR_DEFINITIONS "")
set(HETERO_MLIR_OPTIONS "")
if(LLVM_ENABLE_ASSERTIONS)
  list(APPEND HETERO_MLIR_OPTIONS -UNDEBUG)
else()
  list(APPEND HETERO_MLIR_DEFINITIONS NDEBUG)
endif()
if(NOT LLVM_ENABLE_RTTI)
  list(APPEND HETERO_MLIR_OPTIONS $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()

# The shared libraries where they were built. Static libraries otherwise: all of
# them, of which the linker takes what is used. Those of MLIR bring LLVM as their
# own build linked it, and there must be no second sort.
if(TARGET MLIR AND NOT HETERO_STATIC_MLIR)
  set(HETERO_LINKS_SHARED_MLIR ON)
  set(HETERO_MLIR_LIBS MLIR)
else()
  set(HETERO_LINKS_SHARED_MLIR OFF)
  set(HETERO_MLIR_LIBS ${MLIR_EXPORTED_TARGETS})
  list(FILTER HETERO_MLIR_LIBS INCLUDE REGEX "^MLIR.")
  list(FILTER HETERO_MLIR_LIBS EXCLUDE
       REGEX "^MLIR(-C|CAPI|Python|MlirOptMain|ExecutionEngineShared)")
endif()
if(HETERO_LINKS_SHARED_MLIR OR LLVM_LINK_LLVM_DYLIB)
  set(HETERO_LLVM_LIBS LLVM)
else()
  llvm_map_components_to_libnames(HETERO_LLVM_LIBS all)
endif()
list(APPEND HETERO_MLIR_LIBS ${HETERO_LLVM_LIBS})
