# mo_add_model(<target> <model>
#   [OPTIONS <option>...]         of the conversion, as on the command line
#   [EXTENSIONS <plugin>...]      plugins it needs: targets of this build (mo_add_plugin) or files
#   [OUTPUT_DIRECTORY <folder>]   the current binary folder when absent
#   [OUTPUT_NAME <file stem>]     <target> when absent
#   [DEPENDS <file or target>...] what else has to be there first: a model that a target of this build makes
#   [ALL])                        part of the default build
#
# Converts a model while the project is built, to <stem>.xml and <stem>.bin. It is converted again when the model, a file
# beside it, a configuration, a plugin, a library of a plugin or mo-host itself has changed, and only then. The target has
# the properties MO_MODEL_XML and MO_MODEL_BIN, the files.
#
# <model> is a file or folder, relative to the current source folder. For one that is named by an option of its own, as a
# folder in another format may be, pass "" and the option.

include_guard(GLOBAL)

function(mo_add_model target model)
  cmake_parse_arguments(PARSE_ARGV 2 arg "ALL" "OUTPUT_DIRECTORY;OUTPUT_NAME" "OPTIONS;EXTENSIONS;DEPENDS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mo_add_model(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(CMAKE_VERSION VERSION_LESS 3.20)
    message(FATAL_ERROR "mo_add_model(${target}) needs CMake 3.20, which reads dependency files for make, too")
  endif()
  # A list of dependencies with relative paths would be read in another folder than it was written in.
  if(POLICY CMP0116)
    cmake_policy(SET CMP0116 NEW)
  endif()
  if(TARGET mo-host)
    set(program "$<TARGET_FILE:mo-host>")
    set(depends mo-host)
  elseif(mo-host_EXECUTABLE)
    set(program "${mo-host_EXECUTABLE}")
    set(depends "${mo-host_EXECUTABLE}")
  else()
    message(FATAL_ERROR "mo_add_model(${target}): there is no program mo-host in the package that was found; "
      "set mo-host_EXECUTABLE to it")
  endif()

  if(NOT arg_OUTPUT_DIRECTORY)
    set(arg_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  get_filename_component(folder "${arg_OUTPUT_DIRECTORY}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  if(NOT arg_OUTPUT_NAME)
    set(arg_OUTPUT_NAME ${target})
  endif()
  set(stem "${folder}/${arg_OUTPUT_NAME}")

  set(words ${arg_OPTIONS} --output_dir "${folder}" --model_name "${arg_OUTPUT_NAME}")
  if(model)
    get_filename_component(model "${model}" ABSOLUTE)
    list(PREPEND words --input_model "${model}")
    # Of a folder the time says nothing: what was read of it is in the list of dependencies.
    if(NOT IS_DIRECTORY "${model}")
      list(APPEND depends "${model}")
    endif()
  endif()
  set(extensions "")
  foreach(extension IN LISTS arg_EXTENSIONS)
    if(TARGET ${extension})
      list(APPEND extensions "$<TARGET_FILE:${extension}>")
      list(APPEND depends ${extension} "$<TARGET_FILE:${extension}>")
    else()
      get_filename_component(extension "${extension}" ABSOLUTE)
      list(APPEND extensions "${extension}")
      list(APPEND depends "${extension}")
    endif()
  endforeach()
  if(extensions)
    list(JOIN extensions "," extensions)
    # A build folder may be one that others write to; what is built there is run there anyway.
    list(APPEND words --extensions "${extensions}" --allow_writable_folders)
  endif()

  add_custom_command(
    OUTPUT "${stem}.xml" "${stem}.bin"
    COMMAND "${program}" convert ${words} --silent --depfile "${stem}.d"
    DEPENDS ${depends} ${arg_DEPENDS}
    DEPFILE "${stem}.d"
    COMMENT "Converting ${arg_OUTPUT_NAME}"
    VERBATIM)
  if(arg_ALL)
    set(all ALL)
  else()
    set(all "")
  endif()
  add_custom_target(${target} ${all} DEPENDS "${stem}.xml" "${stem}.bin")
  set_target_properties(${target} PROPERTIES MO_MODEL_XML "${stem}.xml" MO_MODEL_BIN "${stem}.bin")
endfunction()
