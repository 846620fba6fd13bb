# Item lists: a built-in plugin's operations, extractors and transformations are found by their file names.

set(MO_ONLY_TRANSFORMATIONS "" CACHE FILEPATH
  "ids, one a line, of the transformations that built-in plugins have, as `mo-host list transformations --used-by` \
writes them; empty: all")

# mo_item_offers(<file> <stem> <ids> <out>): those of <ids> that an item registers. They stand in its source as
# `id = "..."`, or as a name in its register function when the plugin makes ids of names: the last part of such an id is
# the name in lower case, with or without underscores. <out> is UNKNOWN for an item that shows neither.
function(mo_item_offers file stem ids out)
  file(READ "${file}" text)
  string(REGEX MATCHALL "id = \"[A-Za-z0-9_.]+\"" literals "${text}")
  string(FIND "${text}" "void register_${stem}(" at)
  string(SUBSTRING "${text}" ${at} -1 text)
  string(REGEX MATCHALL "\"[A-Za-z0-9_.]+\"" names "${text}")
  set(known "")
  foreach(literal IN LISTS literals names)
    string(REGEX REPLACE "^.*\"(.+)\"$" "\\1" literal "${literal}")
    string(REPLACE "_" "" literal "${literal}")
    string(TOLOWER "${literal}" literal)
    list(APPEND known "${literal}")
  endforeach()
  set(offered UNKNOWN)
  if(known)
    set(offered "")
    foreach(id IN LISTS ids)
      string(REPLACE "_" "" plain "${id}")
      string(TOLOWER "${plain}" plain)
      string(REGEX REPLACE "^.*\\." "" last "${plain}")
      if(plain IN_LIST known OR last IN_LIST known)
        list(APPEND offered "${id}")
      endif()
    endforeach()
  endif()
  set(${out} "${offered}" PARENT_SCOPE)
endfunction()

# mo_check_only_transformations(): after all plugins; warns of ids that none of them has.
function(mo_check_only_transformations)
  if(MO_ONLY_TRANSFORMATIONS)
    file(STRINGS "${MO_ONLY_TRANSFORMATIONS}" ids)
    get_property(found GLOBAL PROPERTY MO_FOUND_TRANSFORMATIONS)
    if(found)
      list(REMOVE_ITEM ids ${found})
    endif()
    if(ids)
      list(JOIN ids ", " ids)
      message(WARNING "MO_ONLY_TRANSFORMATIONS: no built-in plugin has ${ids}")
    endif()
  endif()
endfunction()

# mo_collect_items(<plugin> <folder> <out sources> <sub-folder>...)
#
# Each source below one of the sub-folders of <folder> is an item: file `stem.cpp` defines
# `void register_stem(mo::Registry&)` in namespace mo::<plugin>. Writes <build>/generated/<plugin>_items.inc, a
# sorted list of lines `MO_ITEM(stem)`, and returns the sources of the items.
#
# MO_<PLUGIN>_ITEMS chooses what is built: `all`, or a list of stems; with `-stem` entries all but these. With
# MO_ONLY_TRANSFORMATIONS, items of front, middle and back whose transformations are not in that file are left out.
function(mo_collect_items plugin folder out_sources)
  string(TOUPPER "MO_${plugin}_ITEMS" choice_var)
  set(${choice_var} all CACHE STRING "items of plugin ${plugin}: all, a list of names, or a list of -names")
  set(choice ${${choice_var}})

  set(files "")
  foreach(sub IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS "${folder}/${sub}/*.cpp")
    list(APPEND files ${found})
  endforeach()

  set(stems "")
  foreach(file IN LISTS files)
    get_filename_component(stem "${file}" NAME_WE)
    if(NOT stem MATCHES "^[a-z][a-z0-9_]*$")
      message(FATAL_ERROR "${file}: an item's file name becomes a function's name, so it must be lower-case "
                          "letters, digits and underscores")
    endif()
    if(stem IN_LIST stems)
      message(FATAL_ERROR "plugin ${plugin} has two items named ${stem}: ${file} and ${file_of_${stem}}")
    endif()
    list(APPEND stems ${stem})
    set(file_of_${stem} "${file}")
  endforeach()

  if(NOT choice STREQUAL "all")
    set(chosen "")
    set(dropped "")
    foreach(entry IN LISTS choice)
      string(REGEX REPLACE "^-" "" name "${entry}")
      if(NOT name IN_LIST stems)
        message(FATAL_ERROR "${choice_var}: plugin ${plugin} has no item ${name}")
      endif()
      if(entry STREQUAL name)
        list(APPEND chosen ${name})
      else()
        list(APPEND dropped ${name})
      endif()
    endforeach()
    if(chosen AND dropped)
      message(FATAL_ERROR "${choice_var}: either name what to build, or name with '-' what to leave out")
    endif()
    if(dropped)
      list(REMOVE_ITEM stems ${dropped})
    else()
      set(stems ${chosen})
    endif()
  endif()

  if(MO_ONLY_TRANSFORMATIONS)
    file(STRINGS "${MO_ONLY_TRANSFORMATIONS}" ids)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${MO_ONLY_TRANSFORMATIONS}")
    foreach(stem IN LISTS stems)
      if(file_of_${stem} MATCHES "^${folder}/(front|middle|back)/")
        mo_item_offers("${file_of_${stem}}" ${stem} "${ids}" offered)
        if(NOT offered)
          list(REMOVE_ITEM stems ${stem})
        elseif(NOT offered STREQUAL "UNKNOWN")
          set_property(GLOBAL APPEND PROPERTY MO_FOUND_TRANSFORMATIONS ${offered})
        endif()
      endif()
    endforeach()
  endif()

  list(SORT stems)
  set(text "")
  set(sources "")
  foreach(stem IN LISTS stems)
    string(APPEND text "MO_ITEM(${stem})\n")
    list(APPEND sources "${file_of_${stem}}")
  endforeach()
  # Rewritten only when it differs, so that a mere re-configure rebuilds nothing.
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/${plugin}_items.inc" CONTENT "${text}")
  set(${out_sources} "${sources}" PARENT_SCOPE)
endfunction()

# mo_add_builtin_plugin(<plugin> [FOLDER <name>] [LIBRARIES <target>...])
#
# Builds plugins/<plugin>, the folder this is called for. Sub-folders named ops, extract, front, middle or back hold
# items; every other source is compiled as it is. FOLDER: the plugin goes to lib/mo-host/<name> instead of the folder
# that the host searches by itself.
function(mo_add_builtin_plugin plugin)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER" "LIBRARIES")
  set(folder "${PROJECT_SOURCE_DIR}/plugins/${plugin}")
  set(item_folders ops extract front middle back)

  mo_collect_items(${plugin} "${folder}" items ${item_folders})
  file(GLOB_RECURSE plain CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/*.c")
  list(JOIN item_folders "|" any_item_folder)
  list(FILTER plain EXCLUDE REGEX "^${folder}/(${any_item_folder})/")

  set(target plugin_${plugin})
  set(output_dir "${MO_PLUGIN_OUTPUT_DIR}")
  set(install INSTALL)
  if(arg_FOLDER)
    set(output_dir "${PROJECT_BINARY_DIR}/lib/mo-host/${arg_FOLDER}")
    set(install "")
  endif()
  mo_add_plugin(${target} OUTPUT_NAME ${plugin} SOURCES ${plain} ${items}
    LIBRARIES ${arg_LIBRARIES} ${install} NO_MANIFEST)
  if(arg_FOLDER)
    install(TARGETS ${target} LIBRARY DESTINATION "lib/mo-host/${arg_FOLDER}" COMPONENT mo-host-plugins)
  endif()
  target_include_directories(${target} PRIVATE "${folder}" "${PROJECT_BINARY_DIR}/generated")
  set_target_properties(${target} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY "${output_dir}"
    UNITY_BUILD ${MO_UNITY}
    UNITY_BUILD_BATCH_SIZE 12)
  set_source_files_properties(${plain} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(MO_PCH)
    target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:<mo/sdk.hpp$<ANGLE-R>>")
  endif()
  set_property(GLOBAL APPEND PROPERTY MO_BUILTIN_PLUGINS ${plugin})
endfunction()
