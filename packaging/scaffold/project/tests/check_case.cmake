# Converts the model of one folder, computes it, and compares with what the folder says it should become and compute.
#   cmake -DHOST=<mo-host> -DPLUGIN=<folder of the plugin> -DCASE=<folder> -DOUT=<folder>
#         [-DRUN_IR=<program> -DEXTENSION=<library>] -P check_case.cmake
cmake_minimum_required(VERSION 3.16)

function(host)
  execute_process(COMMAND "${HOST}" ${ARGN} --extensions "${PLUGIN}" RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " words)
    message(FATAL_ERROR "failed: ${HOST} ${words} --extensions ${PLUGIN}")
  endif()
endfunction()

get_filename_component(name "${CASE}" NAME)
file(GLOB model "${CASE}/model.*")
set(read --input_model "${model}" --model_name ${name})
# What configuration files start, if there is one.
if(EXISTS "${CASE}/transformations.json")
  list(APPEND read --transformations_config "${CASE}/transformations.json")
endif()
host(${read} --output_dir "${OUT}")

if(EXISTS "${CASE}/graph.txt")
  host(dump ${read} --output_file "${OUT}/${name}.txt")
  if("$ENV{MO_UPDATE_CASES}")
    configure_file("${OUT}/${name}.txt" "${CASE}/graph.txt" COPYONLY)
  endif()
  file(READ "${OUT}/${name}.txt" graph)
  file(READ "${CASE}/graph.txt" expected)
  if(NOT graph STREQUAL expected)
    message(FATAL_ERROR "${name} becomes\n${graph}\nand should become, as ${CASE}/graph.txt says,\n${expected}")
  endif()
endif()

# Every file NAME.npy is the input or the output of that name.
file(REMOVE_RECURSE "${OUT}/${name}.values")
host(run "${OUT}/${name}.xml" --input "x=${CASE}/x.npy" --output_dir "${OUT}/${name}.values")
# Some frameworks number what an operator gives: y:0.
file(GLOB computed "${OUT}/${name}.values/y.npy" "${OUT}/${name}.values/y:0.npy")
if("$ENV{MO_UPDATE_CASES}")
  configure_file("${computed}" "${CASE}/y.npy" COPYONLY)
endif()
file(SHA256 "${computed}" now)
file(SHA256 "${CASE}/y.npy" expected)
if(NOT now STREQUAL expected)
  message(FATAL_ERROR "${name} computes something else:\n  ${computed}\n  is not\n  ${CASE}/y.npy\n"
    "When you have checked that the new numbers are right (in Python: numpy.load), MO_UPDATE_CASES=1 takes them over.")
endif()

# What OpenVINO computes with the extension, where there is one.
if(RUN_IR)
  execute_process(COMMAND "${RUN_IR}" "${EXTENSION}" "${OUT}/${name}.xml" "x=${CASE}/x.npy" "y=${CASE}/y.npy"
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${name}: OpenVINO computes something else than ${CASE}/y.npy, or cannot run it")
  endif()
endif()
