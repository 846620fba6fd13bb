# NOTICE, with the licences of what is compiled into the program and its plugins, and a list of all components in the form of
# SPDX (https://spdx.dev): both are made by the build, of what the system has.
#
# Each line: package of Debian, licence in SPDX's words, whether it is `in` the files, or a library `beside` them.

set(MO_COMPONENTS
  "nlohmann-json3-dev MIT in"
  "libcli11-dev BSD-3-Clause in"
  "robin-map-dev MIT in"
  "libeigen3-dev MPL-2.0 in"
  "libboost-dev BSL-1.0 in"
  "libflatbuffers-dev Apache-2.0 in"
  "libssl-dev Apache-2.0 in"
  "libfmt-dev MIT in"
  "libspdlog-dev MIT in"
  "node-d3-color BSD-3-Clause in"
  "node-d3-dispatch BSD-3-Clause in"
  "node-d3-drag BSD-3-Clause in"
  "node-d3-ease BSD-3-Clause in"
  "node-d3-interpolate BSD-3-Clause in"
  "node-d3-selection BSD-3-Clause in"
  "node-d3-timer BSD-3-Clause in"
  "node-d3-transition BSD-3-Clause in"
  "node-d3-zoom BSD-3-Clause in"
  "python3-xstatic-dagre MIT in"
  "libpugixml-dev MIT beside"
  "libxxhash-dev BSD-2-Clause beside"
  "libre2-dev BSD-3-Clause beside"
  "libboost-filesystem-dev BSL-1.0 beside"
  "libsnappy-dev BSD-3-Clause beside")

# The same sources give the same packages, also where nobody sets SOURCE_DATE_EPOCH: their files have the time of the entry
# in Debian's changelog.
set(MO_SOURCE_DATE "$ENV{SOURCE_DATE_EPOCH}")
if(MO_SOURCE_DATE STREQUAL "")
  file(STRINGS "${CMAKE_CURRENT_SOURCE_DIR}/debian/changelog.in" entry REGEX "^ -- " LIMIT_COUNT 1)
  string(REGEX REPLACE "^ -- @[A-Z_]+@  " "" entry "${entry}")
  execute_process(COMMAND date -u -d "${entry}" +%s
    OUTPUT_VARIABLE MO_SOURCE_DATE OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
set(CPACK_MO_SOURCE_DATE "${MO_SOURCE_DATE}")

list(JOIN MO_COMPONENTS "|" components)
add_custom_command(
  OUTPUT "${documents}/NOTICE" "${documents}/mo-host.spdx.json"
  COMMAND "${CMAKE_COMMAND}" "-DCOMPONENTS=${components}" "-DVERSION=${PROJECT_VERSION}" "-DDATE=${MO_SOURCE_DATE}"
          "-DLICENCE=${PROJECT_SOURCE_DIR}/LICENSE" "-DFOLDER=${documents}" -P "${CMAKE_CURRENT_LIST_DIR}/write_notices.cmake"
  DEPENDS "${CMAKE_CURRENT_LIST_DIR}/write_notices.cmake" "${CMAKE_CURRENT_LIST_FILE}"
  VERBATIM)
add_custom_target(notices ALL DEPENDS "${documents}/NOTICE" "${documents}/mo-host.spdx.json")
install(FILES "${documents}/NOTICE" "${documents}/mo-host.spdx.json" DESTINATION share/doc/mo-host COMPONENT mo-host)
install(FILES "${documents}/NOTICE" DESTINATION share/doc/mo-host-plugins COMPONENT mo-host-plugins)
