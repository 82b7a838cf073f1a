# Installs headers, libraries and HeteroConfig.cmake, so that another project
# can say find_package(Hetero).
include(CMakePackageConfigHelpers)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/hetero"
                  "${PROJECT_SOURCE_DIR}/include/hetero-c"
                  "${PROJECT_BINARY_DIR}/include/hetero"
  DESTINATION include
  FILES_MATCHING
  PATTERN "*.h"
  PATTERN "*.td"
  PATTERN "*.inc"
  PATTERN "Page.inc" EXCLUDE
  PATTERN "CMakeFiles" EXCLUDE)

get_property(libs GLOBAL PROPERTY HETERO_COMPILER_LIBS)
list(REMOVE_ITEM libs HeteroTestPasses HeteroOptTool HeteroRunTool HeteroToolSupport HeteroToolFlags)
install(TARGETS ${libs} HeteroRunner EXPORT HeteroTargets
  ARCHIVE DESTINATION lib)
foreach(lib hetero_runtime hetero_mpi hetero_cuda_emulator hetero_c)
  if(TARGET ${lib})
    install(TARGETS ${lib} EXPORT HeteroTargets LIBRARY DESTINATION lib)
  endif()
endforeach()

set(config_dir lib/cmake/Hetero)
install(EXPORT HeteroTargets NAMESPACE Hetero:: DESTINATION ${config_dir})
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/HeteroConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/cmake/HeteroConfig.cmake"
  INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cmake/HeteroConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/cmake/HeteroConfig.cmake"
  "${PROJECT_BINARY_DIR}/cmake/HeteroConfigVersion.cmake"
  DESTINATION ${config_dir})
