# mo_add_room(<folder> [<room or library>...])
#
# The sources of one folder as the static library mo_<folder>, with what it links. Links go one way, and so do includes:
# tests/checks/rooms.py reads both.
function(mo_add_room folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*.hpp ${folder}/*.inc)
  add_library(mo_${folder} STATIC ${sources})
  target_link_libraries(mo_${folder} PUBLIC mo_house ${ARGN})
  # More at a time are compiled faster, and inlined less: what converts is called more often than compiled.
  if(NOT DEFINED MO_ROOM_BATCH)
    set(MO_ROOM_BATCH 12)
  endif()
  mo_compile_in_batches(mo_${folder} ${MO_ROOM_BATCH} ${sources})
  if(MO_PCH)
    target_precompile_headers(mo_${folder} REUSE_FROM mo_house_pch)
  endif()
  set_property(GLOBAL APPEND PROPERTY MO_ROOMS mo_${folder})
endfunction()
