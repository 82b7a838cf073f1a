# Defines how this project's libraries, tools and tablegen targets are made.

include(FollowMLIR)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)

include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(HETERO_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${HETERO_LLVM_DEFINITIONS})

add_compile_definitions(${HETERO_MLIR_DEFINITIONS})
add_compile_options(${HETERO_MLIR_OPTIONS})
add_compile_options(-Wall -Wextra -Wno-unused-parameter -Werror=return-type)
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations>)
add_compile_options(-fno-semantic-interposition)
add_compile_definitions($<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:HETERO_NO_ASSERTIONS>)

if(HETERO_SANITIZE)
  add_compile_options(-fsanitize=${HETERO_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${HETERO_SANITIZE})
  # Calls of code that was compiled at run time: the check reads what stands before
  # a function, where there may be no memory.
  if(HETERO_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize=function)
  endif()
endif()

include(PrecompiledHeaders)
include(UnityBuild)

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
# A static library of compiler code. MLIR and LLVM come in once, at the final
# link; what serves programs without a compiler too does without MLIR.
function(add_hetero_library name)
  cmake_parse_arguments(ARG "WITHOUT_MLIR" "" "LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  hetero_unite_sources(${name})
  if(NOT ARG_WITHOUT_MLIR)
    hetero_use_precompiled_headers(${name})
    get_property(tablegen GLOBAL PROPERTY HETERO_TABLEGEN_TARGETS)
    if(tablegen)
      add_dependencies(${name} ${tablegen})
    endif()
    target_link_libraries(${name} PUBLIC ${HETERO_MLIR_LIBS})
  endif()
  target_link_libraries(${name} PUBLIC ${HETERO_LLVM_LIBS})
  target_include_directories(${name} INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include;${PROJECT_BINARY_DIR}/include>"
    "$<INSTALL_INTERFACE:include>")
  # Users of the installed library: the headers must see what MLIR's own build saw.
  target_compile_definitions(${name} INTERFACE
    "$<INSTALL_INTERFACE:${HETERO_MLIR_DEFINITIONS}>")
  target_compile_options(${name} INTERFACE "$<INSTALL_INTERFACE:${HETERO_MLIR_OPTIONS}>")
  target_include_directories(${name} SYSTEM INTERFACE
    "$<INSTALL_INTERFACE:${MLIR_INCLUDE_DIRS};${LLVM_INCLUDE_DIRS}>")
  set_property(GLOBAL APPEND PROPERTY HETERO_COMPILER_LIBS ${name})
endfunction()

# add_hetero_plugin(NAME SOURCES...)
# What the tools load with --load-dialect-plugin: no second copy of the project,
# nor of MLIR, which the tool brings along.
function(add_hetero_plugin name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX ""
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
  get_property(tablegen GLOBAL PROPERTY HETERO_TABLEGEN_TARGETS)
  add_dependencies(${name} ${tablegen})
endfunction()

# add_hetero_tool(NAME SOURCES... LINK_LIBS LIBS...)
# Plugins find the project's code in the tool that loads them.
function(add_hetero_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
  hetero_use_precompiled_headers(${name})
  get_property(tablegen GLOBAL PROPERTY HETERO_TABLEGEN_TARGETS)
  add_dependencies(${name} ${tablegen})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} ${HETERO_MLIR_LIBS})
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()
