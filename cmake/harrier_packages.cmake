# What CPack makes Debian packages of: one for each component, or for two that are of no use apart (`group`). Included after
# harrier_install_package, which says what the components are and what their libraries link to.

# The packages, each with the components in it, one line about it, and what is in it, behind what is said of all of them.
# `scripts/package` builds them, docs/installing.md lists them.
set(harrier_packages_more "Harrier runs a program of actors in every order of message deliveries that
can matter, and shows a shortest one in which it fails: a check that does
not hold, an exception, a deadlock, a message that is left.")
set(harrier_packages library command_line gtest protocol caf documentation)
set(harrier_package_library_name libharrier-dev)
set(harrier_package_library_about "systematic testing of actor programs in C++: actors and searches")
set(harrier_package_library_more "This package has the headers and static libraries to write actors in C++20,
to explore what they do, and to replay what was found.")
set(harrier_package_command_line_name harrier)
set(harrier_package_command_line_about "systematic testing of actor programs in C++: the command line")
set(harrier_package_command_line_more "This package has the program harrier, which explores, replays, explains and
analyses, with its manual page and completions, a catalogue of programs to
try it on, and the library that makes such a program of your own actors.")
set(harrier_package_gtest_name libharrier-gtest-dev)
set(harrier_package_gtest_about "systematic testing of actor programs in C++: tests with GoogleTest")
set(harrier_package_gtest_more "This package has the macro ETEST: a test of GoogleTest whose body sends
messages to actors, and which holds only if it holds in each order.")
set(harrier_package_protocol_name libharrier-protocol-dev)
set(harrier_package_protocol_components protocol transport)
set(harrier_package_protocol_about "systematic testing of actor programs in C++: properties and protocols")
set(harrier_package_protocol_more "This package has temporal properties of such executions, and protocols: a
definition of who may send what and when, from which C++ is generated that
keeps roles to it, in threads, in coroutines and in processes that are
connected by sockets.")
set(harrier_package_caf_name libharrier-caf-dev)
set(harrier_package_caf_components caf caf_fixture)
set(harrier_package_caf_about "systematic testing of actor programs in C++: programs of the actor library CAF")
set(harrier_package_caf_more "This package has what does so with programs that are written with the C++
Actor Framework (CAF), as they are: a library for tests, and what the
command 'harrier caf' loads before an executable file.")
set(harrier_package_documentation_name harrier-doc)
set(harrier_package_documentation_about "systematic testing of actor programs in C++: documentation and examples")
set(harrier_package_documentation_more "This package has its documentation, examples to copy, and a collection of
published bugs of real systems as programs that it explores.")

# Debian's package of what a library links to; empty: it is of the C++ toolchain, or of harrier.
set(harrier_debian_Boost::headers "libboost1.81-dev | libboost-dev (>= 1.81)")
set(harrier_debian_Boost::context "libboost-context1.81-dev | libboost-context-dev (>= 1.81)")
set(harrier_debian_CAF::core libcaf-dev)
set(harrier_debian_CAF::test libcaf-dev)
set(harrier_debian_GTest::gtest libgtest-dev)
set(harrier_debian_PkgConfig::xxhash "libxxhash-dev, pkg-config | pkgconf")
set(harrier_debian_cereal::cereal libcereal-dev)
set(harrier_debian_fmt::fmt libfmt-dev)
set(harrier_debian_nlohmann_json::nlohmann_json nlohmann-json3-dev)
set(harrier_debian_Threads::Threads "")

# The package that a component is in.
function(harrier_package_of component result)
  foreach(package IN LISTS harrier_packages)
    if(component STREQUAL package OR component IN_LIST harrier_package_${package}_components)
      set(${result} ${package} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "component ${component} is in no package of cmake/harrier_packages.cmake")
endfunction()

# What a package needs, as Debian writes it: of others, and of harrier's in the same version.
function(harrier_package_depends package result)
  set(depends "")
  foreach(component IN LISTS package harrier_package_${package}_components)
    get_property(links GLOBAL PROPERTY harrier_${component}_links)
    list(FILTER links EXCLUDE REGEX "^(harrier::|\\$<BUILD_INTERFACE:)")
    foreach(link IN LISTS links)
      if(DEFINED harrier_debian_${link})
        list(APPEND depends ${harrier_debian_${link}})
      elseif(link MATCHES "::")
        message(FATAL_ERROR "component ${component} links to ${link}, and cmake/harrier_packages.cmake does not know its package")
      endif()
    endforeach()
    harrier_components_needed_by(${component} others)
    foreach(other IN LISTS others)
      harrier_package_of(${other} other)
      if(NOT other STREQUAL package)
        list(APPEND depends "${harrier_package_${other}_name} (= ${PROJECT_VERSION})")
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES depends)
  list(JOIN depends ", " depends)
  set(${result} "${depends}" PARENT_SCOPE)
endfunction()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # else it is the first line of each, before its own
set(CPACK_PACKAGE_VENDOR "The harrier authors")
# Who made the packages, as Debian's own tools are told; else whoever has this computer.
set(contact "The harrier authors")
if(NOT "$ENV{DEBFULLNAME}" STREQUAL "")
  set(contact "$ENV{DEBFULLNAME}")
endif()
set(address harrier@localhost)
if(NOT "$ENV{DEBEMAIL}" STREQUAL "")
  set(address "$ENV{DEBEMAIL}")
endif()
set(CPACK_PACKAGE_CONTACT "${contact} <${address}>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE "${harrier_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES OFF)  # what is in archives is for the debugger
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_COMMAND_LINE_PACKAGE_SECTION devel)
# What is loaded when it is asked for.
set(CPACK_DEBIAN_COMMAND_LINE_PACKAGE_RECOMMENDS "harrier-doc, libclang1-19, libnats3.4")

get_property(components GLOBAL PROPERTY harrier_components)
list(APPEND components documentation)
list(REMOVE_DUPLICATES components)
set(CPACK_COMPONENTS_ALL ${components})
set(packages "")
foreach(component IN LISTS components)
  harrier_package_of(${component} package)
  list(APPEND packages ${package})
  string(TOUPPER "${component}" name)
  set(CPACK_COMPONENT_${name}_GROUP ${package})
endforeach()
list(REMOVE_DUPLICATES packages)
foreach(package IN LISTS packages)
  string(TOUPPER "${package}" name)
  harrier_package_depends(${package} CPACK_DEBIAN_${name}_PACKAGE_DEPENDS)
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME "${harrier_package_${package}_name}")
  set(CPACK_COMPONENT_GROUP_${name}_DESCRIPTION "${harrier_package_${package}_about}")
  set(CPACK_DEBIAN_${name}_DESCRIPTION "${harrier_package_${package}_about}\n${harrier_packages_more}\n\n${harrier_package_${package}_more}")
endforeach()
include(CPack)
