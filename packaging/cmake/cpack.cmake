# `cpack --config build/release/CPackConfig.cmake` writes the three Debian packages and an archive of all of it that
# can be unpacked anywhere.

set(CPACK_PACKAGE_NAME mo-host)
set(CPACK_PACKAGE_VENDOR "The mo-host authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)
# Read once for each generator, when the packages are made.
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_CURRENT_LIST_DIR}/cpack_generator.cmake")
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/carry_libraries.cmake")
set(CPACK_COMPONENTS_ALL mo-host mo-host-plugins libmo-host-dev)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)

set(CPACK_DEBIAN_MO-HOST_PACKAGE_NAME mo-host)
set(CPACK_DEBIAN_MO-HOST_DESCRIPTION "model converter with plugins: the program
 Converts neural networks to OpenVINO's intermediate representation. What it
 knows of frameworks, operations and transformations comes from plugins.")
set(CPACK_DEBIAN_MO-HOST_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MO-HOST_PACKAGE_DEPENDS "mo-host-plugins (= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_MO-HOST-PLUGINS_PACKAGE_NAME mo-host-plugins)
set(CPACK_DEBIAN_MO-HOST-PLUGINS_DESCRIPTION "model converter with plugins: the plugins it comes with
 Operations, front-ends and transformations, each a shared object that mo-host
 loads from its own folder.")
set(CPACK_DEBIAN_MO-HOST-PLUGINS_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_LIBMO-HOST-DEV_PACKAGE_NAME libmo-host-dev)
set(CPACK_DEBIAN_LIBMO-HOST-DEV_DESCRIPTION "model converter with plugins: headers for writing plugins
 The C header every plugin is built on, a C++ layer over it, and the CMake
 function that builds a plugin as every host expects it.")
set(CPACK_DEBIAN_LIBMO-HOST-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBMO-HOST-DEV_PACKAGE_ARCHITECTURE all)

include(CPack)
