# mo_add_plugin(<name>
#   SOURCES <file>...            C or C++ sources
#   [LIBRARIES <target>...]      what the plugin links, private to it
#   [OUTPUT_NAME <file stem>]    <stem>.mo.so; <name> when absent
#   [VERSION <x.y.z>]            MO_PLUGIN_VERSION in the sources; the project's version when absent
#   [INSTALL]                    add an install rule into lib/mo-host/extensions below the prefix that is installed into,
#                                where a mo-host with that prefix looks; the host's own plugins go beside it
#   [NO_MANIFEST])               write no manifest: the plugin cannot be loaded where it is built
#
# <stem>.mo.json, the manifest, is written beside <stem>.mo.so by the mo-host of this package, or that of this build. It
# lets mo-host tell what the plugin registers without running it.
#
# Builds one plugin as every host expects it: the only exported symbol is mo_plugin_entry, every other symbol is
# bound inside the file or to a library the plugin names, and the build fails when that is not so. The host's own
# plugins are built with this function too.

include_guard(GLOBAL)

set(_mo_plugin_tools "${CMAKE_CURRENT_LIST_DIR}")

function(mo_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INSTALL;NO_MANIFEST" "OUTPUT_NAME;VERSION" "SOURCES;LIBRARIES")
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

  if(NOT arg_NO_MANIFEST AND NOT CMAKE_CROSSCOMPILING)
    _mo_add_manifest(${name} "${arg_OUTPUT_NAME}")
  endif()

  if(arg_INSTALL)
    set(destination lib/mo-host/extensions)
    set(component ${name})
    if(TARGET mo-host)
      set(destination "${mo-host_PLUGIN_DIR}")
      set(component mo-host-plugins)
    endif()
    install(TARGETS ${name} LIBRARY DESTINATION "${destination}" COMPONENT ${component})
    if(NOT arg_NO_MANIFEST AND NOT CMAKE_CROSSCOMPILING AND mo-host_EXECUTABLE)
      set(folder "${destination}")
      if(NOT IS_ABSOLUTE "${folder}")
        set(folder "\${CMAKE_INSTALL_PREFIX}/${folder}")
      endif()
      # Made of the installed file, as installing may change the paths in it.
      install(CODE "
        set(stem \"${folder}/${arg_OUTPUT_NAME}.mo\")
        set(staged \"\$ENV{DESTDIR}\${stem}\")
        execute_process(RESULT_VARIABLE status
          COMMAND \"${mo-host_EXECUTABLE}\" plugin manifest \"\${staged}.so\" --allow_writable_folders
                  --output_file \"\${staged}.json\")
        if(status EQUAL 0)
          message(STATUS \"Installing: \${staged}.json\")
          list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${stem}.json\")
        else()
          file(REMOVE \"\${staged}.json\")
          message(WARNING \"no manifest of \${staged}.so is installed: see above\")
        endif()" COMPONENT ${component})
    endif()
  endif()
endfunction()

# The step behind the link of a plugin that writes its manifest, with the program that is at hand.
function(_mo_add_manifest name stem)
  if(TARGET mo-host)
    set(program "$<TARGET_FILE:mo-host>")
    add_dependencies(${name} mo-host)
  elseif(mo-host_EXECUTABLE)
    set(program "${mo-host_EXECUTABLE}")
  else()
    return()
  endif()
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND "${program}" plugin manifest "$<TARGET_FILE:${name}>" --allow_writable_folders
            --output_file "$<TARGET_FILE_DIR:${name}>/${stem}.mo.json"
    VERBATIM)
endfunction()
