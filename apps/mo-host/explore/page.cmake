# The template of the page of `mo-host explore`, which becomes part of the program.

find_file(MO_D3 d3.min.js PATHS /usr/share/javascript/d3 NO_DEFAULT_PATH)
# From the package that has it alone: node-dagre-layout brings some 240 of Node.js along.
find_file(MO_DAGRE dagre.min.js PATHS /usr/lib/python3/dist-packages/xstatic/pkg/dagre/data NO_DEFAULT_PATH)
foreach(file MO_D3 MO_DAGRE)
  if(NOT ${file})
    message(FATAL_ERROR "${file} is not found: apt-get install libjs-d3 python3-xstatic-dagre, or set it to the file")
  endif()
endforeach()
set(MO_D3_LICENCE /usr/share/doc/libjs-d3/copyright CACHE FILEPATH "licence of the file MO_D3")
set(MO_DAGRE_LICENCE /usr/share/doc/python3-xstatic-dagre/copyright CACHE FILEPATH "licence of the file MO_DAGRE")

set(page_folder "${CMAKE_CURRENT_LIST_DIR}/page")
# In the order in which they use one another.
set(page_scripts dom.js history.js provenance.js visible.js drawing.js details.js story.js pipeline.js search.js
  graph_tab.js main.js)
set(page_parts ${page_scripts} page.html page.css)
list(TRANSFORM page_parts PREPEND "${page_folder}/")
set(page_file "${CMAKE_CURRENT_BINARY_DIR}/explore.html")
list(JOIN page_scripts "," scripts)
add_custom_command(OUTPUT "${page_file}"
  COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${page_folder}" -DTEMPLATE=page.html -DSTYLE=page.css "-DSCRIPTS=${scripts}"
          "-DLIBRARIES=${MO_D3}|${MO_D3_LICENCE},${MO_DAGRE}|${MO_DAGRE_LICENCE}" "-DOUTPUT=${page_file}"
          -P "${CMAKE_CURRENT_LIST_DIR}/join_page.cmake"
  DEPENDS ${page_parts} "${CMAKE_CURRENT_LIST_DIR}/join_page.cmake" "${MO_D3}" "${MO_DAGRE}"
  VERBATIM)
add_custom_target(mo_explore_page DEPENDS "${page_file}")
add_dependencies(mo-host mo_explore_page)
# The assembler reads it, which no list of dependencies tells; and a batch would say it of others.
set_source_files_properties(mo-host/explore/page.cpp PROPERTIES
  OBJECT_DEPENDS "${page_file}"
  COMPILE_DEFINITIONS "MO_PAGE_FILE=\"${page_file}\""
  SKIP_UNITY_BUILD_INCLUSION ON)
