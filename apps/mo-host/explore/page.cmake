# The template of the page of `mo-host explore`, which becomes part of the program.

# Of D3 only what zooms a drawing needs, in the order in which its modules use one another.
set(modules d3-dispatch d3-color d3-interpolate d3-selection d3-timer d3-ease d3-transition d3-drag d3-zoom)
set(MO_D3_MODULES /usr/share/nodejs CACHE PATH "folder of the modules of D3, as Debian's node-d3-zoom brings them")
set(MO_D3_LICENCES /usr/share/doc CACHE PATH "folder of their licences, node-<module>/copyright")
set(libraries "")
foreach(module IN LISTS modules)
  list(APPEND libraries "${MO_D3_MODULES}/${module}/dist/${module}.min.js|${MO_D3_LICENCES}/node-${module}/copyright")
endforeach()
# From the package that has it alone: node-dagre-layout brings some 240 of Node.js along.
find_file(MO_DAGRE dagre.min.js PATHS /usr/lib/python3/dist-packages/xstatic/pkg/dagre/data NO_DEFAULT_PATH)
set(MO_DAGRE_LICENCE /usr/share/doc/python3-xstatic-dagre/copyright CACHE FILEPATH "licence of the file MO_DAGRE")
list(APPEND libraries "${MO_DAGRE}|${MO_DAGRE_LICENCE}")
set(library_files "")
foreach(library IN LISTS libraries)
  string(REPLACE "|" ";" files "${library}")
  foreach(file IN LISTS files)
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "${file} is not found: apt-get install node-d3-zoom python3-xstatic-dagre, or set MO_D3_MODULES and "
        "MO_D3_LICENCES to the folders of the modules and of their licences, MO_DAGRE and MO_DAGRE_LICENCE to the files")
    endif()
  endforeach()
  list(APPEND library_files ${files})
endforeach()
list(JOIN libraries "," libraries)

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
          "-DLIBRARIES=${libraries}" "-DOUTPUT=${page_file}"
          -P "${CMAKE_CURRENT_LIST_DIR}/join_page.cmake"
  DEPENDS ${page_parts} "${CMAKE_CURRENT_LIST_DIR}/join_page.cmake" ${library_files}
  VERBATIM)
add_custom_target(mo_explore_page DEPENDS "${page_file}")
add_dependencies(mo-host mo_explore_page)
# The assembler reads it, which no list of dependencies tells; and a batch would say it of others.
set_source_files_properties(mo-host/explore/page.cpp PROPERTIES
  OBJECT_DEPENDS "${page_file}"
  COMPILE_DEFINITIONS "MO_PAGE_FILE=\"${page_file}\""
  SKIP_UNITY_BUILD_INCLUSION ON)
