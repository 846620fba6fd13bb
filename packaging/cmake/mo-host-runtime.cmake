# mo_add_runtime_extension(<name>
#   PLUGIN <target>              a plugin of this build, made by mo_add_plugin
#   [KERNELS <file>...]          C++ sources with kernels that take the place of `evaluate`, see mo/openvino.hpp
#   [OUTPUT_NAME <file stem>]    lib<stem>.so; <name> when absent
#   [RUNNER <target>]            also a program that runs an IR with the extension and compares: see run_ir.cpp
#   [OPTIONAL])                  where there is no OpenVINO nothing is built, and a line says so
#
# Builds the sources of the plugin once more, as a library for ov::Core::add_extension and `benchmark_app -extensions`:
# what its operations say in schema, infer and evaluate is what the runtime computes. The target has the property
# MO_OPENVINO_VERSION. A library serves the one release of OpenVINO it was built against, 2023.3 or later, which is found
# as CMake finds packages (OpenVINO_DIR), or in the Python that comes first in PATH: its wheel has all that is needed from
# 2024.3 on.

include_guard(GLOBAL)

set(_mo_runtime_tools "${CMAKE_CURRENT_LIST_DIR}")
set(_mo_runtime_sources "${CMAKE_CURRENT_LIST_DIR}")
if(NOT EXISTS "${_mo_runtime_sources}/openvino_extension.cpp")
  get_filename_component(_mo_runtime_sources "${CMAKE_CURRENT_LIST_DIR}/../../plugin_api/runtime" ABSOLUTE)
endif()

function(mo_add_runtime_extension name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIONAL" "PLUGIN;OUTPUT_NAME;RUNNER" "KERNELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mo_add_runtime_extension(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_PLUGIN OR NOT TARGET ${arg_PLUGIN})
    message(FATAL_ERROR "mo_add_runtime_extension(${name}): PLUGIN '${arg_PLUGIN}' is no target; expected one of "
      "mo_add_plugin(), which stands before it")
  endif()
  if(NOT CMAKE_CXX_COMPILER_LOADED)
    message(FATAL_ERROR "mo_add_runtime_extension(${name}): an extension of OpenVINO needs C++, whatever the plugin is "
      "in; write project(… LANGUAGES C CXX)")
  endif()

  # OpenVINO's package sets the macro for the whole folder; the plugin has nothing to do with it.
  get_directory_property(definitions COMPILE_DEFINITIONS)
  find_package(OpenVINO QUIET COMPONENTS Runtime)
  if(NOT OpenVINO_FOUND)
    _mo_find_openvino_of_python(folder)
    if(folder)
      find_package(OpenVINO QUIET COMPONENTS Runtime PATHS "${folder}" NO_DEFAULT_PATH)
    endif()
  endif()
  set_property(DIRECTORY PROPERTY COMPILE_DEFINITIONS ${definitions})
  if(NOT OpenVINO_FOUND)
    set(advice "the wheel of OpenVINO 2024.3 or later has headers and CMake files, -DOpenVINO_DIR=<site-packages>/openvino/cmake \
names them; for 2023.3 to 2024.2 take the archive of that release, -DOpenVINO_DIR=<archive>/runtime/cmake")
    if(arg_OPTIONAL)
      message(STATUS "${name} is not built, as there is no OpenVINO: ${advice}")
      return()
    endif()
    message(FATAL_ERROR "mo_add_runtime_extension(${name}): there is no OpenVINO to build for; ${advice}")
  endif()
  if(OpenVINO_VERSION VERSION_LESS 2023.3)
    message(FATAL_ERROR "mo_add_runtime_extension(${name}): OpenVINO ${OpenVINO_VERSION} in ${OpenVINO_DIR} is too old; "
      "expected 2023.3 or later")
  endif()
  _mo_string_abi(abi)

  get_target_property(folder ${arg_PLUGIN} SOURCE_DIR)
  get_target_property(listed ${arg_PLUGIN} SOURCES)
  set(sources "")
  foreach(source IN LISTS listed)
    if(NOT source MATCHES "^\\$<")
      get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${folder}")
    endif()
    list(APPEND sources "${source}")
  endforeach()
  add_library(${name} MODULE ${sources} ${arg_KERNELS} "${_mo_runtime_sources}/openvino_extension.cpp")
  _mo_for_openvino(${name} "${abi}")
  target_include_directories(${name} PRIVATE "$<TARGET_PROPERTY:${arg_PLUGIN},INCLUDE_DIRECTORIES>")
  target_compile_definitions(${name} PRIVATE "$<TARGET_PROPERTY:${arg_PLUGIN},COMPILE_DEFINITIONS>")
  target_link_libraries(${name} PRIVATE mo-host::api "$<TARGET_PROPERTY:${arg_PLUGIN},LINK_LIBRARIES>")
  get_target_property(linked ${arg_PLUGIN} LINK_LIBRARIES)
  list(REMOVE_ITEM linked mo-host::api)
  # What the linker would say is the name of a function; this is what to do about it.
  if(linked AND abi EQUAL 0)
    message(WARNING "mo_add_runtime_extension(${name}): OpenVINO ${OpenVINO_VERSION} was built with "
      "_GLIBCXX_USE_CXX11_ABI=0, so the C++ libraries that ${arg_PLUGIN} links (${linked}) have to be, too; where the "
      "linker misses functions with std::string or std::__cxx11 in their names, build them with that macro, or take a "
      "wheel of OpenVINO 2026.0 or later, which is built with 1")
  endif()
  if(arg_OUTPUT_NAME)
    set_target_properties(${name} PROPERTIES OUTPUT_NAME "${arg_OUTPUT_NAME}")
  endif()
  # Whoever loads it has libopenvino, wherever that is.
  set_target_properties(${name} PROPERTIES MO_OPENVINO_VERSION "${OpenVINO_VERSION}" SKIP_BUILD_RPATH ON)
  set(map "${_mo_runtime_tools}/runtime_exports.map")
  target_link_options(${name} PRIVATE "LINKER:--version-script=${map}" "LINKER:-z,defs")
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${map}")
  message(STATUS "${name} is for OpenVINO ${OpenVINO_VERSION} (_GLIBCXX_USE_CXX11_ABI=${abi})")

  if(arg_RUNNER)
    add_executable(${arg_RUNNER} "${_mo_runtime_sources}/run_ir.cpp")
    _mo_for_openvino(${arg_RUNNER} "${abi}")
  endif()
endfunction()

function(_mo_for_openvino name abi)
  target_link_libraries(${name} PRIVATE openvino::runtime)
  target_include_directories(${name} PRIVATE "${_mo_runtime_sources}/include")
  target_compile_definitions(${name} PRIVATE _GLIBCXX_USE_CXX11_ABI=${abi} MO_OPENVINO_CXX11_ABI=${abi})
  set_target_properties(${name} PROPERTIES
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON)
  if(NOT CMAKE_CXX_STANDARD)
    set_target_properties(${name} PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  endif()
endfunction()

# The folder with the CMake files of the wheel that the first Python in PATH would import; empty when there is none.
function(_mo_find_openvino_of_python out)
  set(${out} "" PARENT_SCOPE)
  find_program(MO_PYTHON NAMES python3 python)
  mark_as_advanced(MO_PYTHON)
  if(NOT MO_PYTHON)
    return()
  endif()
  execute_process(COMMAND "${MO_PYTHON}" -c
    "import importlib.util as u; s = u.find_spec('openvino'); print(list(s.submodule_search_locations)[0] if s else '')"
    OUTPUT_VARIABLE folder ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(folder AND EXISTS "${folder}/cmake/OpenVINOConfig.cmake")
    set(${out} "${folder}/cmake" PARENT_SCOPE)
  elseif(folder)
    message(STATUS "the OpenVINO of ${MO_PYTHON}, ${folder}, has no headers; wheels have them from 2024.3 on")
  endif()
endfunction()

# Which std::string libopenvino has, as its names say; what its package says where they cannot be read.
function(_mo_string_abi out)
  set(abi "${OpenVINO_GLIBCXX_USE_CXX11_ABI}")
  set(library "")
  foreach(property IN ITEMS IMPORTED_LOCATION_RELEASE IMPORTED_LOCATION_RELWITHDEBINFO IMPORTED_LOCATION_DEBUG IMPORTED_LOCATION)
    get_target_property(at openvino::runtime ${property})
    if(at AND NOT library)
      set(library "${at}")
    endif()
  endforeach()
  if(library AND CMAKE_NM)
    execute_process(COMMAND "${CMAKE_NM}" -D --defined-only "${library}" OUTPUT_VARIABLE names ERROR_QUIET)
    if(names MATCHES "cxx11")
      set(abi 1)
    elseif(names)
      set(abi 0)
    endif()
  endif()
  if(abi STREQUAL "")
    set(abi 1)
  endif()
  set(${out} "${abi}" PARENT_SCOPE)
endfunction()
