# mo_compile_in_batches(<target> <size> <source>...)
#
# Sources are compiled up to <size> at a time, in the order of their paths: what they share of templates is instantiated
# once for all. So names in their anonymous namespaces differ within a target. Call it in the folder that makes the target.
function(mo_compile_in_batches target size)
  if(NOT MO_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(sources ${ARGN})
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(SORT sources)
  set(count 0)
  foreach(source IN LISTS sources)
    math(EXPR batch "${count} / ${size}")
    math(EXPR count "${count} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "batch_${batch}")
  endforeach()
endfunction()
