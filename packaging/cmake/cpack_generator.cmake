# The times of what is packed, see notices.cmake.
if("$ENV{SOURCE_DATE_EPOCH}" STREQUAL "")
  set(ENV{SOURCE_DATE_EPOCH} "${CPACK_MO_SOURCE_DATE}")
endif()
# Packages of Debian belong into /usr; the archive has everything below one folder.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
endif()
