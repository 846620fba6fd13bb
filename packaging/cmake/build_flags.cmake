# How everything in this repository is compiled. Nothing of this reaches a vendor's build.

set(CMAKE_C_STANDARD 99)
set(CMAKE_CXX_STANDARD 20)
foreach(lang C CXX)
  set(CMAKE_${lang}_STANDARD_REQUIRED ON)
  set(CMAKE_${lang}_EXTENSIONS OFF)
  set(CMAKE_${lang}_VISIBILITY_PRESET hidden)
endforeach()
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(shadow -Wshadow)  # for clang a local with the name of a static member is a shadow, too
endif()
add_compile_options(-Wall -Wextra -Wpedantic ${shadow})
if(MO_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
  # g++ 12 sees overlapping copies in `"text" + std::string` that are not there (GCC bug 105651), and moves of a
  # boost::container::small_vector that leave it.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overread>")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The compiler collects its garbage whenever its heap has doubled, which is a tenth of its time. Half a gigabyte does
  # for most batches.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-expand=100;--param=ggc-min-heapsize=524288>")
endif()

# The options of a level of optimisation: where nobody waits for the code, -Og compiles in two thirds of the time; see
# decision 0004. g++'s flow analysis needs more than that to be right.
function(mo_level_options level out)
  if(MO_LEVEL)
    set(level ${MO_LEVEL})
  endif()
  set(options "$<$<NOT:$<CONFIG:Debug>>:-O${level}>")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -Wno-maybe-uninitialized)
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

if(MO_LEVEL)
  mo_level_options(${MO_LEVEL} options)
  add_compile_options(${options})
endif()

# A library that nothing needs costs start-up time, so it is not recorded.
add_link_options("LINKER:--as-needed")

if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

# The flags go into CMAKE_<LANG>_FLAGS, where mo_add_plugin sees that this is a sanitized build.
if(MO_SANITIZE)
  string(REPLACE ";" "," sanitizers "${MO_SANITIZE}")
  set(flags "-fsanitize=${sanitizers} -fno-omit-frame-pointer")
  if("undefined" IN_LIST MO_SANITIZE)
    # What is left out takes a third of the time to compile, and finds little that the address sanitizer does not
    # see where a wrong pointer is used.
    string(APPEND flags " -fno-sanitize-recover=undefined -fno-sanitize=null,object-size,vptr")
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    if("undefined" IN_LIST MO_SANITIZE AND "address" IN_LIST MO_SANITIZE)
      # What is undefined stops the program with SIGILL, for which the address sanitizer writes the stack
      # (handle_sigill=1). Texts for each check would double the size of the code, and so the time that each of
      # thousands of processes takes to start.
      string(APPEND flags " -fsanitize-undefined-trap-on-error")
    endif()
    # The checks that the sanitizers insert confuse g++'s own flow analysis.
    string(APPEND flags " -Wno-maybe-uninitialized")
  endif()
  string(APPEND CMAKE_C_FLAGS " ${flags}")
  string(APPEND CMAKE_CXX_FLAGS " ${flags}")
endif()

find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE)
  # With a precompiled header, ccache works only when it may trust the header's own macros and times. And it has to
  # compare what was read, not the preprocessed text: g++ takes #pragma once by a file's bytes, so that a header made
  # before a comment changed defines everything a second time.
  set(launcher "${CMAKE_COMMAND};-E;env;CCACHE_NAMESPACE=mo-host;CCACHE_DEPEND=1;CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime;${CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${launcher}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${launcher}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endif()
