# Run by CPack before it packs: the archive gets the shared libraries that the program and its plugins need, so that it runs where
# others have that name, or none. glibc and the C++ library are those of the system. Packages of Debian name theirs instead.
if(NOT CPACK_GENERATOR STREQUAL "TGZ")
  return()
endif()
cmake_minimum_required(VERSION 3.25)
find_program(patchelf patchelf)
if(NOT patchelf)
  message(WARNING "There is no patchelf: the archive will run on this system and on those that have the same libraries")
  return()
endif()

set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
set(needs lib/mo-host/needs)
file(GLOB programs "${root}/bin/mo-host")
file(GLOB libraries "${root}/lib/mo-host/*.so" "${root}/lib/mo-host/*/*.mo.so")
file(GET_RUNTIME_DEPENDENCIES
  EXECUTABLES ${programs}
  MODULES ${libraries}
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|stdc\\+\\+|gcc_s)\\.so"
  POST_EXCLUDE_REGEXES "/lib/mo-host/"
  RESOLVED_DEPENDENCIES_VAR found
  UNRESOLVED_DEPENDENCIES_VAR missing)
if(missing)
  message(FATAL_ERROR "These libraries are not found: ${missing}")
endif()

set(carried)
foreach(library IN LISTS found)
  file(COPY "${library}" DESTINATION "${root}/${needs}" FOLLOW_SYMLINK_CHAIN)
  get_filename_component(name "${library}" NAME)
  file(REAL_PATH "${root}/${needs}/${name}" real)
  list(APPEND carried "${real}")
endforeach()
list(REMOVE_DUPLICATES carried)

function(search_in path file)
  execute_process(COMMAND "${patchelf}" --set-rpath "${path}" "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
foreach(file IN LISTS programs libraries)
  get_filename_component(folder "${file}" DIRECTORY)
  file(RELATIVE_PATH way "${folder}" "${root}/${needs}")
  search_in("\$ORIGIN/${way}" "${file}")
endforeach()
foreach(file IN LISTS carried)
  search_in("\$ORIGIN" "${file}")
endforeach()
list(LENGTH carried count)
message(STATUS "The archive carries ${count} shared libraries in ${needs}")
