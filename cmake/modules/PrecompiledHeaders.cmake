# Precompiled headers of MLIR: without them four fifths of the time that the
# compiler takes go into reading those headers.

option(HETERO_PRECOMPILED_HEADERS "Read the headers of MLIR from a precompiled one, with clang" ON)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(HETERO_PRECOMPILED_HEADERS OFF)
endif()

# The headers that most files read. Of this project's there are none: a change
# of one must not compile everything anew.
set(HETERO_COMMON_HEADERS
  <mlir/Dialect/Affine/IR/AffineOps.h>
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Arith/Utils/Utils.h>
  <mlir/Dialect/Bufferization/IR/Bufferization.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/GPU/IR/GPUDialect.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/Dialect/LLVMIR/NVVMDialect.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/Linalg/Transforms/Transforms.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Dialect/Vector/IR/VectorOps.h>
  <mlir/IR/BuiltinOps.h>
  <mlir/Parser/Parser.h>
  <mlir/Pass/PassManager.h>
  <mlir/Transforms/DialectConversion.h>
  <mlir/Transforms/GreedyPatternRewriteDriver.h>)

# A precompiled header holds for one set of options. Programs would differ from
# libraries in -fPIE alone.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)

# ccache asks for it: macros of the command line that the headers do not look at
# may differ, and a sum stands for the precompiled header.
if(HETERO_PRECOMPILED_HEADERS AND CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=true
      ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

# The precompiled header holds paths of the build tree, with which ccache would
# find nothing for another one. What it was made of is the same wherever this sum
# is.
function(hetero_sum_of_headers precompiled)
  file(TIMESTAMP "${MLIR_CMAKE_DIR}/MLIRConfig.cmake" installed)
  set(made_of "${CMAKE_CXX_COMPILER_VERSION};${LLVM_PACKAGE_VERSION};${installed};${CMAKE_CXX_FLAGS};\
${CMAKE_BUILD_TYPE};${HETERO_SANITIZE};${HETERO_COMMON_HEADERS}")
  list(APPEND made_of ${HETERO_MLIR_OPTIONS})
  string(SHA256 sum "${made_of}")
  file(CONFIGURE OUTPUT "${precompiled}.sum" CONTENT "${sum}")
endfunction()

if(HETERO_PRECOMPILED_HEADERS)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/PrecompiledHeaders.cpp" CONTENT "")
  add_library(HeteroPrecompiledHeaders OBJECT "${PROJECT_BINARY_DIR}/PrecompiledHeaders.cpp")
  target_precompile_headers(HeteroPrecompiledHeaders PRIVATE ${HETERO_COMMON_HEADERS})
  set(HETERO_PRECOMPILED "${PROJECT_BINARY_DIR}/CMakeFiles/HeteroPrecompiledHeaders.dir/cmake_pch.hxx.pch")
  hetero_sum_of_headers("${HETERO_PRECOMPILED}")
endif()

# hetero_use_precompiled_headers(TARGET), of a target whose files read MLIR. Not
# by target_precompile_headers: ccache knows the paths of this option, so that
# trees share what it keeps.
function(hetero_use_precompiled_headers target)
  if(HETERO_PRECOMPILED_HEADERS)
    get_target_property(sources ${target} SOURCES)
    get_target_property(united ${target} UNITY_FILES)
    if(united)
      list(APPEND sources ${united})
    endif()
    set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS "${HETERO_PRECOMPILED}")
    target_compile_options(${target} PRIVATE "SHELL:-include-pch ${HETERO_PRECOMPILED}")
  endif()
endfunction()
