# Finds Debian's LLVM and MLIR 22 and defines how this project's libraries,
# tools and tablegen targets are made.

# Debian's version file accepts only exact major.minor matches, so the major
# version is checked here.
find_package(MLIR REQUIRED CONFIG
             HINTS ENV MLIR_DIR PATHS /usr/lib/llvm-22/lib/cmake/mlir)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "expected LLVM and MLIR 22, got ${LLVM_VERSION}; "
          "install libmlir-22-dev or set MLIR_DIR")
endif()
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)

set(HETERO_LLVM_TOOLS_DIR "${LLVM_TOOLS_BINARY_DIR}")
set(HETERO_LLVM_LIBRARY_DIR "${LLVM_LIBRARY_DIR}")
find_program(MLIR_TABLEGEN_EXE mlir-tblgen HINTS "${LLVM_TOOLS_BINARY_DIR}" REQUIRED)

include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(HETERO_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${HETERO_LLVM_DEFINITIONS})

# Debian's libMLIR is built without assertions, and headers must agree with it
# (ABI-breaking checks), so NDEBUG is on in every build type.
add_compile_definitions(NDEBUG)
add_compile_options(-Wall -Wextra -Wno-unused-parameter -Werror=return-type)
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations>)
add_compile_options(-fno-semantic-interposition)

if(HETERO_SANITIZE)
  add_compile_options(-fsanitize=${HETERO_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${HETERO_SANITIZE})
  # Calls of code that was compiled at run time: the check reads what stands in
  # front of a function, where there may be no memory.
  if(HETERO_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize=function)
  endif()
endif()

include(PrecompiledHeaders)

# Custom property: every tablegen target, so that libraries can wait for them.
define_property(GLOBAL PROPERTY HETERO_TABLEGEN_TARGETS
  BRIEF_DOCS "tablegen targets" FULL_DOCS "tablegen targets of this project")

# hetero_tablegen(TARGET SOURCE.td OUT1 ARGS1... [| OUT2 ARGS2...])
# runs mlir-tblgen once per output; outputs land beside SOURCE in the build tree.
function(hetero_tablegen target source)
  set(LLVM_TARGET_DEFINITIONS "${source}")
  set(outputs "")
  set(current "")
  foreach(word ${ARGN} "|")
    if(word STREQUAL "|")
      list(POP_FRONT current out)
      tablegen(MLIR ${out} ${current}
               "-I${PROJECT_SOURCE_DIR}/include"
               "-I${MLIR_INCLUDE_DIRS}")
      list(APPEND outputs "${CMAKE_CURRENT_BINARY_DIR}/${out}")
      set(current "")
    else()
      list(APPEND current "${word}")
    endif()
  endforeach()
  add_custom_target(${target} DEPENDS ${outputs})
  set_property(GLOBAL APPEND PROPERTY HETERO_TABLEGEN_TARGETS ${target})
endfunction()

# add_hetero_library(NAME SOURCES... [WITHOUT_MLIR] [LINK_LIBS LIBS...])
# A static library of compiler code. MLIR and LLVM come in once, as the shared
# libraries, at the final link; what serves programs without a compiler too does
# without MLIR.
function(add_hetero_library name)
  cmake_parse_arguments(ARG "WITHOUT_MLIR" "" "LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  if(NOT ARG_WITHOUT_MLIR)
    hetero_use_precompiled_headers(${name})
    get_property(tablegen GLOBAL PROPERTY HETERO_TABLEGEN_TARGETS)
    if(tablegen)
      add_dependencies(${name} ${tablegen})
    endif()
    target_link_libraries(${name} PUBLIC MLIR)
  endif()
  target_link_libraries(${name} PUBLIC LLVM)
  target_include_directories(${name} INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include;${PROJECT_BINARY_DIR}/include>"
    "$<INSTALL_INTERFACE:include>")
  # Users of the installed library: the headers must see what libMLIR saw.
  target_compile_definitions(${name} INTERFACE $<INSTALL_INTERFACE:NDEBUG>)
  target_include_directories(${name} SYSTEM INTERFACE
    "$<INSTALL_INTERFACE:${MLIR_INCLUDE_DIRS};${LLVM_INCLUDE_DIRS}>")
  set_property(GLOBAL APPEND PROPERTY HETERO_COMPILER_LIBS ${name})
endfunction()

# add_hetero_tool(NAME SOURCES... LINK_LIBS LIBS...)
function(add_hetero_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  hetero_use_precompiled_headers(${name})
  get_property(tablegen GLOBAL PROPERTY HETERO_TABLEGEN_TARGETS)
  add_dependencies(${name} ${tablegen})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()
