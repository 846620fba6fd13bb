# cmake -DCOMPONENTS=<package licence in|beside>|... -DVERSION=... -DDATE=<seconds> -DLICENCE=<file> -DFOLDER=<folder> -P write_notices.cmake
#
# Writes NOTICE and mo-host.spdx.json. On Debian a licence that is not there stops the build, for shipping without it is what
# it forbids. On other systems the texts may be elsewhere: the variable MO_LICENCES names a folder with files that are called
# like the packages.
cmake_minimum_required(VERSION 3.25)

function(version_of package result)
  execute_process(COMMAND dpkg-query -W -f "\${Version}" "${package}"
    OUTPUT_VARIABLE version ERROR_QUIET RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    set(version "NOASSERTION")
  endif()
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

function(licence_of package result)
  foreach(file "$ENV{MO_LICENCES}/${package}" "/usr/share/doc/${package}/copyright")
    if(EXISTS "${file}")
      file(READ "${file}" text)
      set(${result} "${text}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(severity WARNING)
  if(EXISTS /etc/debian_version)
    set(severity FATAL_ERROR)
  endif()
  set(${result} "Its licence was not found where this was built. It has to be added before this is handed on.\n" PARENT_SCOPE)
  message(${severity} "the licence of ${package} is not found: /usr/share/doc/${package}/copyright, or a file ${package} in the "
    "folder that the variable MO_LICENCES names")
endfunction()

# A member of JSON after those that are there.
function(append_json text result)
  if(NOT "${${result}}" STREQUAL "")
    set(text "${${result}},\n  ${text}")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

string(REPLACE "|" ";" COMPONENTS "${COMPONENTS}")
set(notice "mo-host ${VERSION}\nCopyright 2026 The mo-host authors, Apache License 2.0\n
The program and its plugins contain parts of the following. Their licences are below.\n\n")
set(texts "")
set(packages "")
set(relations "")
foreach(component IN LISTS COMPONENTS)
  string(REPLACE " " ";" words "${component}")
  list(GET words 0 package)
  list(GET words 1 licence)
  list(GET words 2 how)
  version_of("${package}" version)
  if(how STREQUAL "in")
    licence_of("${package}" text)
    string(APPEND notice "  ${package} ${version}: ${licence}\n")
    string(APPEND texts "\n--- ${package}\n\n${text}")
    set(relation "STATIC_LINK")
  else()
    set(relation "DYNAMIC_LINK")
  endif()
  string(REGEX REPLACE "[^A-Za-z0-9.-]" "-" id "SPDXRef-${package}")
  append_json("{\"SPDXID\": \"${id}\", \"name\": \"${package}\", \"versionInfo\": \"${version}\", \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseConcluded\": \"NOASSERTION\", \"licenseDeclared\": \"${licence}\", \"copyrightText\": \"NOASSERTION\", \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \"referenceType\": \"purl\", \"referenceLocator\": \"pkg:deb/debian/${package}@${version}\"}]}" packages)
  append_json("{\"spdxElementId\": \"SPDXRef-mo-host\", \"relationshipType\": \"${relation}\", \"relatedSpdxElement\": \"${id}\"}" relations)
endforeach()
file(WRITE "${FOLDER}/NOTICE" "${notice}${texts}")

set(ENV{SOURCE_DATE_EPOCH} "${DATE}")
string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)
string(SHA256 hash "${packages}")
file(WRITE "${FOLDER}/mo-host.spdx.json" "{\"spdxVersion\": \"SPDX-2.3\", \"dataLicense\": \"CC0-1.0\", \"SPDXID\": \"SPDXRef-DOCUMENT\",
 \"name\": \"mo-host-${VERSION}\", \"documentNamespace\": \"https://mo-host.org/spdx/mo-host-${VERSION}-${hash}\",
 \"creationInfo\": {\"created\": \"${created}\", \"creators\": [\"Organization: The mo-host authors\", \"Tool: write_notices.cmake\"]},
 \"packages\": [
  {\"SPDXID\": \"SPDXRef-mo-host\", \"name\": \"mo-host\", \"versionInfo\": \"${VERSION}\", \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseConcluded\": \"Apache-2.0\", \"licenseDeclared\": \"Apache-2.0\", \"copyrightText\": \"2026 The mo-host authors\"},
  ${packages}],
 \"relationships\": [
  {\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \"relatedSpdxElement\": \"SPDXRef-mo-host\"},
  ${relations}]}
")
