# Files of one folder compiled together. What they include, and the templates
# that they use, are most of the work, and are done once for all of them.

option(HETERO_UNITY_BUILD "Compile files of a folder together: quicker from nothing, slower after a change" OFF)

# More would leave processors idle at the end of a library, and take much memory.
set(HETERO_UNITY_FILES 8)

# hetero_unite_sources(TARGET [ACROSS_FOLDERS]), but for sources with
# SKIP_UNITY_BUILD_INCLUSION. UNITY_FILES of the target is what is compiled in their
# place.
function(hetero_unite_sources target)
  if(NOT HETERO_UNITY_BUILD)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(files "")
  foreach(source ${sources})
    get_source_file_property(is_alone "${source}" SKIP_UNITY_BUILD_INCLUSION)
    if(is_alone OR NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    set(folder "")
    if(NOT ARGN STREQUAL "ACROSS_FOLDERS")
      get_filename_component(folder "${source}" DIRECTORY)
    endif()
    string(MAKE_C_IDENTIFIER "In/${folder}" group)
    math(EXPR batch "0${count_${group}} / ${HETERO_UNITY_FILES}")
    math(EXPR count_${group} "0${count_${group}} + 1")
    string(APPEND group "_${batch}")
    set_property(SOURCE "${source}" PROPERTY UNITY_GROUP "${group}")
    list(APPEND files "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${group}_cxx.cxx")
  endforeach()
  list(REMOVE_DUPLICATES files)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ON UNITY_BUILD_MODE GROUP UNITY_FILES "${files}")
endfunction()
