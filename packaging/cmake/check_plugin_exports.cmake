# Fails unless the shared object FILE exports `mo_plugin_entry` and nothing else.
# Usage: cmake -DFILE=<plugin.mo.so> [-DNM=<nm>] [-DREMOVE=ON] -P check_plugin_exports.cmake
# REMOVE: a file that fails is deleted, so that no host finds what the build refused.

cmake_minimum_required(VERSION 3.16)

if(NOT NM)
  set(NM nm)
endif()

execute_process(
  COMMAND ${NM} -D --defined-only --format=posix ${FILE}
  OUTPUT_VARIABLE listing
  ERROR_VARIABLE complaint
  RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "cannot list the symbols of ${FILE}: ${complaint}")
endif()

string(REGEX MATCHALL "[^\n]+" lines "${listing}")
set(exports "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE " .*" "" symbol "${line}")
  list(APPEND exports ${symbol})
endforeach()

set(others ${exports})
list(REMOVE_ITEM others mo_plugin_entry)
if(REMOVE AND (others OR NOT "mo_plugin_entry" IN_LIST exports))
  file(REMOVE "${FILE}")
endif()

if(NOT "mo_plugin_entry" IN_LIST exports)
  message(FATAL_ERROR
    "${FILE} does not export mo_plugin_entry, so no host can load it.\n"
    "Define the entry point in one source of the plugin: MO_PLUGIN(...) from <mo/sdk.hpp>, "
    "or the C function that <mo/plugin.h> declares.")
endif()

if(others)
  list(JOIN others "\n  " shown)
  message(FATAL_ERROR
    "${FILE} exports more than mo_plugin_entry:\n  ${shown}\n"
    "A second exported symbol can clash with one of the host or of another plugin. Build the plugin with "
    "mo_add_plugin(), and take out attributes or linker flags that make these symbols visible.")
endif()
