# mo_add_plugin(<name>
#   SOURCES <file>...            C or C++ sources
#   [LIBRARIES <target>...]      what the plugin links, private to it
#   [OUTPUT_NAME <file stem>]    <stem>.mo.so; <name> when absent
#   [VERSION <x.y.z>]            MO_PLUGIN_VERSION in the sources; the project's version when absent
#   [INSTALL])                   add an install rule into the host's own plugin folder
#
# Builds one plugin as every host expects it: the only exported symbol is mo_plugin_entry, every other symbol is
# bound inside the file or to a library the plugin names, and the build fails when that is not so. The host's own
# plugins are built with this function too.

include_guard(GLOBAL)

set(_mo_plugin_tools "${CMAKE_CURRENT_LIST_DIR}")

function(mo_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INSTALL" "OUTPUT_NAME;VERSION" "SOURCES;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mo_add_plugin(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "mo_add_plugin(${name}): SOURCES is empty")
  endif()
  if(NOT arg_OUTPUT_NAME)
    set(arg_OUTPUT_NAME ${name})
  endif()
  if(NOT arg_VERSION)
    set(arg_VERSION "${PROJECT_VERSION}")
  endif()

  add_library(${name} MODULE ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE mo-host::api ${arg_LIBRARIES})
  if(arg_VERSION)
    target_compile_definitions(${name} PRIVATE "MO_PLUGIN_VERSION=\"${arg_VERSION}\"")
  endif()

  set_target_properties(${name} PROPERTIES
    PREFIX ""
    OUTPUT_NAME "${arg_OUTPUT_NAME}"
    SUFFIX ".mo.so"
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON)
  # The SDK needs C++17. A newer standard of the project stands.
  if(NOT CMAKE_CXX_STANDARD)
    set_target_properties(${name} PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  endif()

  # GNU unique symbols are shared by the whole process, whatever scope the file is loaded into.
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)

  set(map "${_mo_plugin_tools}/plugin_exports.map")
  target_link_options(${name} PRIVATE
    "LINKER:--version-script=${map}"
    "LINKER:--exclude-libs,ALL"
    "LINKER:-z,now")
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${map}")
  # clang leaves a sanitizer's functions to the executable, so only such a build may have open symbols.
  if(NOT ("${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize" AND
          "${CMAKE_C_COMPILER_ID} ${CMAKE_CXX_COMPILER_ID}" MATCHES "Clang"))
    target_link_options(${name} PRIVATE "LINKER:-z,defs")
  endif()

  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DFILE=$<TARGET_FILE:${name}>" "-DNM=${CMAKE_NM}" -DREMOVE=ON
            -P "${_mo_plugin_tools}/check_plugin_exports.cmake"
    VERBATIM)

  if(arg_INSTALL)
    install(TARGETS ${name} LIBRARY DESTINATION "${mo-host_PLUGIN_DIR}" COMPONENT mo-host-plugins)
  endif()
endfunction()
