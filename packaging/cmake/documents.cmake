# The manual page and the completions of shells, written by the program itself from its table of options; and the two
# files that each Debian package has to have.

find_program(MO_GZIP gzip REQUIRED)
set(documents "${PROJECT_BINARY_DIR}/documents")
file(MAKE_DIRECTORY "${documents}")
set(made "")
# Each by itself: what they say is written again when one of them has become another.
get_property(plugins GLOBAL PROPERTY MO_BUILTIN_PLUGINS)
list(TRANSFORM plugins PREPEND plugin_)

# mo_write_document(<format> <file> <folder it is installed to>)
function(mo_write_document format file destination)
  add_custom_command(
    OUTPUT "${documents}/${file}"
    # A build looks for no leaks, tests do: the tracer that looks for them has been seen to crash on a busy machine.
    COMMAND "${CMAKE_COMMAND}" -E env ASAN_OPTIONS=detect_leaks=0
      "$<TARGET_FILE:mo-host>" help --format=${format} "--extensions=" > "${documents}/${file}"
    DEPENDS mo-host ${plugins}
    VERBATIM)
  set(made ${made} "${documents}/${file}" PARENT_SCOPE)
  if(NOT format STREQUAL man)
    install(FILES "${documents}/${file}" DESTINATION ${destination} COMPONENT mo-host)
  endif()
endfunction()

mo_write_document(man mo-host.1 share/man/man1)
mo_write_document(bash mo-host share/bash-completion/completions)
mo_write_document(zsh _mo-host share/zsh/vendor-completions)
mo_write_document(fish mo-host.fish share/fish/vendor_completions.d)
# A page of the manual: every operator that is converted.
set(operators "${PROJECT_BINARY_DIR}/share/mo-host/pages/operators.md")
add_custom_command(
  OUTPUT "${operators}"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/share/mo-host/pages"
  COMMAND "${CMAKE_COMMAND}" -E env ASAN_OPTIONS=detect_leaks=0
    "$<TARGET_FILE:mo-host>" list operators --format=md "--extensions=" > "${operators}"
  DEPENDS mo-host ${plugins}
  VERBATIM)
install(FILES "${operators}" DESTINATION share/mo-host/pages COMPONENT mo-host)
# -n: the same bytes each time.
add_custom_command(OUTPUT "${documents}/mo-host.1.gz"
  COMMAND "${MO_GZIP}" -9nc "${documents}/mo-host.1" > "${documents}/mo-host.1.gz"
  DEPENDS "${documents}/mo-host.1"
  VERBATIM)
install(FILES "${documents}/mo-host.1.gz" DESTINATION share/man/man1 COMPONENT mo-host)
add_custom_target(documents ALL DEPENDS ${made} "${operators}" "${documents}/mo-host.1.gz")

configure_file(debian/changelog.in "${documents}/changelog" @ONLY)
execute_process(COMMAND "${MO_GZIP}" -9nc "${documents}/changelog" OUTPUT_FILE "${documents}/changelog.gz"
  COMMAND_ERROR_IS_FATAL ANY)
foreach(component mo-host mo-host-plugins libmo-host-dev)
  install(FILES debian/copyright "${documents}/changelog.gz"
    DESTINATION share/doc/${component} COMPONENT ${component})
endforeach()
