include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

# Warnings are ours alone: reached only through $<BUILD_INTERFACE:...>, never by a user of an installed or embedded harrier.
add_library(harrier_warnings INTERFACE)
target_compile_options(harrier_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  # GCC's own manual: sanitizers make this warning cry wolf.
  target_compile_options(harrier_warnings INTERFACE -Wno-maybe-uninitialized)
endif()

# harrier_add_folder(<folder>): adds a folder of the project if it has a CMakeLists.txt and HARRIER_FOLDERS lets it in.
function(harrier_add_folder folder)
  cmake_path(GET folder FILENAME name)
  if(HARRIER_FOLDERS AND NOT name IN_LIST HARRIER_FOLDERS AND NOT folder STREQUAL "tests")
    return()
  endif()
  if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt")
    add_subdirectory(${folder})
  endif()
endfunction()

# harrier_add_floor(<folder> [AFTER <floors>...] [PACKAGES <packages>...])
#
# harrier_add_folder for a floor, which links to the libraries of the floors AFTER which it comes and needs the packages. If one
# of them is missing, that is an error, or where harrier is a subdirectory of another project, a floor less. There, what nobody
# links to is not built either.
function(harrier_add_floor folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "AFTER;PACKAGES")
  cmake_path(GET folder FILENAME name)
  if((HARRIER_FOLDERS AND NOT name IN_LIST HARRIER_FOLDERS) OR NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt")
    return()
  endif()
  foreach(package IN LISTS arg_PACKAGES)
    separate_arguments(version UNIX_COMMAND "${package}")
    list(POP_FRONT version package)
    find_package(${package} ${version} QUIET)
    if(NOT ${package}_FOUND)
      list(APPEND missing "package ${package} ${version}")
    endif()
  endforeach()
  foreach(floor IN LISTS arg_AFTER)
    if(NOT TARGET harrier::${floor})
      list(APPEND missing "folder ${floor}")
    endif()
  endforeach()
  if(missing)
    list(JOIN missing ", " missing)
    if(harrier_IS_TOP_LEVEL)
      message(FATAL_ERROR "${folder} cannot be built without: ${missing}")
    endif()
    message(STATUS "harrier: ${folder} is left out, for want of: ${missing}")
  elseif(harrier_IS_TOP_LEVEL OR HARRIER_INSTALL)
    add_subdirectory(${folder})
  else()
    add_subdirectory(${folder} EXCLUDE_FROM_ALL)
  endif()
endfunction()

# harrier_library(<name> [INTERFACE] [CXX17] [COMPONENT <component>]
#   [HEADERS <relative to include/harrier>...] [SHARED <relative to this folder>...] [SOURCES <relative to this folder>...]
#   [LINKS <public targets>...] [PRIVATE_LINKS <targets>...])
#
# Makes target harrier_<name>, used everywhere as harrier::<name>, with its headers, warnings, install and export. SHARED are its
# headers that are not installed but that other floors include: scripts/check-includes lets them include no other. Without
# SOURCES it is an INTERFACE library. CXX17: its headers, and what they include, are C++17. The COMPONENT, `library` unless said,
# is what it is installed and found with: what one needs (CLI11, say) is asked only of those who want it.
function(harrier_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INTERFACE;CXX17" "COMPONENT" "HEADERS;SHARED;SOURCES;LINKS;PRIVATE_LINKS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "harrier_library(${name}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  set(target harrier_${name})
  if(arg_INTERFACE OR NOT arg_SOURCES)
    if(arg_SOURCES OR arg_PRIVATE_LINKS)
      message(FATAL_ERROR "harrier_library(${name}): an INTERFACE library has neither SOURCES nor PRIVATE_LINKS")
    endif()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  else()
    set(scope PUBLIC)
    add_library(${target})
    target_sources(${target} PRIVATE ${arg_SOURCES} ${arg_SHARED})
    harrier_compile_together(${target})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:harrier_warnings> ${arg_PRIVATE_LINKS})
  endif()
  add_library(harrier::${name} ALIAS ${target})

  list(TRANSFORM arg_HEADERS PREPEND "${harrier_SOURCE_DIR}/include/harrier/")
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS "${harrier_SOURCE_DIR}/include" FILES ${arg_HEADERS})
  if(arg_CXX17)
    target_compile_features(${target} PUBLIC cxx_std_17 PRIVATE cxx_std_20)
  else()
    target_compile_features(${target} ${scope} cxx_std_20)
  endif()
  target_link_libraries(${target} ${scope} ${arg_LINKS})
  if(NOT HARRIER_INVARIANTS)
    target_compile_definitions(${target} ${scope} HARRIER_NO_INVARIANTS)
  endif()
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name}
    CXX_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON
    VERIFY_INTERFACE_HEADER_SETS ${harrier_IS_TOP_LEVEL})

  if(HARRIER_INSTALL)
    if(NOT arg_COMPONENT)
      set(arg_COMPONENT library)
    endif()
    install(TARGETS ${target} EXPORT harrier-${arg_COMPONENT}-targets COMPONENT ${arg_COMPONENT}
      FILE_SET HEADERS COMPONENT ${arg_COMPONENT})
    set_property(GLOBAL APPEND PROPERTY harrier_components ${arg_COMPONENT})
    set_property(GLOBAL PROPERTY harrier_component_of_${name} ${arg_COMPONENT})
    set_property(GLOBAL APPEND PROPERTY harrier_${arg_COMPONENT}_libraries ${name})
    set_property(GLOBAL APPEND PROPERTY harrier_${arg_COMPONENT}_links ${arg_LINKS} ${arg_PRIVATE_LINKS})
    if(scope STREQUAL "PUBLIC")
      set_property(GLOBAL APPEND PROPERTY harrier_${arg_COMPONENT}_archives ${target})
    endif()
  endif()
endfunction()

# harrier_compile_together(<target> [<how many>]): HARRIER_FEWER_UNITS compiles its files a few at a time, which takes half the time.
function(harrier_compile_together target)
  set(how_many 8)
  if(ARGC GREATER 1)
    set(how_many "${ARGV1}")
  endif()
  if(HARRIER_FEWER_UNITS)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE "${how_many}")
  endif()
endfunction()

# harrier_compile_in_groups(<target> "<source> <source>..."...): the same, with the groups said. What is in none is compiled alone.
function(harrier_compile_in_groups target)
  if(NOT HARRIER_FEWER_UNITS)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(number 0)
  foreach(group IN LISTS ARGN)
    separate_arguments(files UNIX_COMMAND "${group}")
    set_source_files_properties(${files} PROPERTIES UNITY_GROUP "group_${number}")
    math(EXPR number "${number} + 1")
  endforeach()
endfunction()

# harrier_compile_quickly(<target>): what is compiled once and runs for a moment need not be optimised by HARRIER_FEWER_UNITS' builds
# for debugging: a quarter of the time that tests take to compile.
function(harrier_compile_quickly target)
  if(HARRIER_FEWER_UNITS AND CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# harrier_check_by_calls(<target>): AddressSanitizer's checks are calls there, and no code of their own in each place. They find the same,
# and compiling took 7 to 14 % less time, of three files that were measured; but what runs long would run longer.
function(harrier_check_by_calls target)
  if(HARRIER_FEWER_UNITS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*address")
    target_compile_options(${target} PRIVATE "SHELL:--param asan-instrumentation-with-call-threshold=0")
  endif()
endfunction()

# harrier_compile_alone(<sources of this folder>...): their names would stand in another file's way where HARRIER_FEWER_UNITS, or
# CMAKE_UNITY_BUILD, which the demo has, compiles files together.
function(harrier_compile_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# harrier_include_once(<target> <header>...): HARRIER_FEWER_UNITS reads these headers, which most of its files include, once.
function(harrier_include_once target)
  if(HARRIER_FEWER_UNITS)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# Read once for all tests that are compiled quickly, or that are not: <gmock/gmock.h> and <harrier/harrier.hpp>.
function(harrier_include_once_for_tests target is_quick)
  if(NOT HARRIER_FEWER_UNITS)
    return()
  endif()
  set(headers harrier_headers_of_tests)
  if(is_quick)
    string(APPEND headers _compiled_quickly)
  endif()
  if(NOT TARGET ${headers})
    file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/${headers}.cpp" CONTENT "// What has precompiled headers has a source.\n")
    add_library(${headers} STATIC "${CMAKE_BINARY_DIR}/${headers}.cpp")
    target_link_libraries(${headers} PRIVATE harrier_warnings harrier::harrier GTest::gmock)
    set_target_properties(${headers} PROPERTIES CXX_EXTENSIONS OFF)
    if(is_quick)
      harrier_compile_quickly(${headers})
    endif()
    target_precompile_headers(${headers} PRIVATE <gmock/gmock.h> <gtest/gtest.h> <harrier/harrier.hpp>)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()

# harrier_test(<name> SOURCES <relative to this folder>... [LINKS <targets>...] [TIMEOUT <seconds>] [RUNS_LONG] [INCLUDES_HARRIER])
#
# Makes the executable test_<name> and a ctest test for each suite of its GoogleTest tests, or for ten tests of a larger one.
# TIMEOUT: of such a group. RUNS_LONG: it spends so much time in code of its own that it is optimised like everything else.
# INCLUDES_HARRIER: most of its files include <harrier/harrier.hpp>, or most of what that includes.
function(harrier_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RUNS_LONG;INCLUDES_HARRIER" "TIMEOUT" "SOURCES;LINKS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "harrier_test(${name}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(test_${name} ${arg_SOURCES})
  target_link_libraries(test_${name} PRIVATE harrier_warnings ${arg_LINKS} GTest::gmock_main)
  target_compile_features(test_${name} PRIVATE cxx_std_20)
  set_target_properties(test_${name} PROPERTIES CXX_EXTENSIONS OFF)
  harrier_compile_together(test_${name})
  if(NOT arg_RUNS_LONG)
    harrier_compile_quickly(test_${name})
    harrier_check_by_calls(test_${name})
  endif()
  if(arg_INCLUDES_HARRIER)
    if(arg_RUNS_LONG)
      harrier_include_once_for_tests(test_${name} FALSE)
    else()
      harrier_include_once_for_tests(test_${name} TRUE)
    endif()
  endif()
  harrier_group_tests(test_${name} ${name}. ${arg_TIMEOUT})
endfunction()

# harrier_group_tests(<executable> <prefix of names> <seconds>): see harrier_grouped_tests.cmake.
function(harrier_group_tests target prefix timeout)
  set(registers "${CMAKE_CURRENT_BINARY_DIR}/${target}_groups.cmake")
  file(GENERATE OUTPUT "${registers}" CONTENT "set(executable \"$<TARGET_FILE:${target}>\")
set(prefix \"${prefix}\")
set(timeout ${timeout})
set(group_size 10)
include(\"${harrier_SOURCE_DIR}/cmake/harrier_grouped_tests.cmake\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${registers}")
endfunction()

# harrier_link_quickly(): with a linker that takes a third of the time, where there is one. For builds to be debugged.
function(harrier_link_quickly)
  find_program(HARRIER_MOLD mold)
  mark_as_advanced(HARRIER_MOLD)
  if(HARRIER_MOLD AND CMAKE_BUILD_TYPE STREQUAL "Debug" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_link_options(-fuse-ld=mold)
  endif()
endfunction()

# harrier_install_package(): what find_package(harrier) and pkg-config read. Called once, after every harrier_library.
function(harrier_install_package)
  get_property(components GLOBAL PROPERTY harrier_components)
  if(NOT components)
    return()
  endif()
  list(REMOVE_DUPLICATES components)
  set(destination "${CMAKE_INSTALL_LIBDIR}/cmake/harrier")
  set(component_of "")
  foreach(component IN LISTS components)
    install(EXPORT harrier-${component}-targets NAMESPACE harrier:: DESTINATION "${destination}" COMPONENT ${component})
    harrier_dependencies_of(${component} dependencies)
    file(CONFIGURE OUTPUT harrier-${component}-dependencies.cmake CONTENT "${dependencies}" @ONLY)
    install(FILES "${CMAKE_CURRENT_BINARY_DIR}/harrier-${component}-dependencies.cmake" DESTINATION "${destination}"
      COMPONENT ${component})
    harrier_install_pkg_config(${component})
    get_property(libraries GLOBAL PROPERTY harrier_${component}_libraries)
    foreach(library IN LISTS libraries)
      string(APPEND component_of "set(harrier_component_of_${library} ${component})\n")
    endforeach()
  endforeach()
  configure_package_config_file("${harrier_SOURCE_DIR}/cmake/harrierConfig.cmake.in" harrierConfig.cmake
    INSTALL_DESTINATION "${destination}" PATH_VARS CMAKE_INSTALL_BINDIR)
  write_basic_package_version_file(harrierConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES
    "${CMAKE_CURRENT_BINARY_DIR}/harrierConfig.cmake"
    "${CMAKE_CURRENT_BINARY_DIR}/harrierConfigVersion.cmake"
    DESTINATION "${destination}" COMPONENT library)
  if(HARRIER_BUILD_CAF)
    install(FILES "${harrier_SOURCE_DIR}/cmake/FindCAF.cmake" DESTINATION "${destination}" COMPONENT caf)
  endif()
  install(FILES "${harrier_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT library)
  # As they stand in the sources, so that links lead from one to another.
  install(FILES "${harrier_SOURCE_DIR}/README.md" "${harrier_SOURCE_DIR}/CHANGELOG.md" "${harrier_SOURCE_DIR}/CONTRIBUTING.md"
    DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT documentation)
  install(DIRECTORY "${harrier_SOURCE_DIR}/docs" "${harrier_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
    COMPONENT documentation PATTERN build EXCLUDE)
  install(DIRECTORY "${harrier_SOURCE_DIR}/subjects/zoo" DESTINATION "${CMAKE_INSTALL_DOCDIR}/subjects" COMPONENT documentation)
  foreach(file IN ITEMS action.yml bench/README.md bench/hunt.svg bench/npb/npb.svg packaging/ci/gitlab.yml)
    cmake_path(GET file PARENT_PATH folder)
    install(FILES "${harrier_SOURCE_DIR}/${file}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/${folder}" COMPONENT documentation)
  endforeach()
endfunction()

# Sets `result` to the other components that the libraries of one link to.
function(harrier_components_needed_by component result)
  get_property(links GLOBAL PROPERTY harrier_${component}_links)
  list(FILTER links INCLUDE REGEX "^harrier::")
  set(needed "")
  foreach(link IN LISTS links)
    string(REPLACE "harrier::" "" library "${link}")
    get_property(other GLOBAL PROPERTY harrier_component_of_${library})
    list(APPEND needed ${other})
  endforeach()
  list(REMOVE_DUPLICATES needed)
  list(REMOVE_ITEM needed ${component})
  set(${result} "${needed}" PARENT_SCOPE)
endfunction()

# The .pc file of a component, for builds without CMake: harrier.pc for the library, harrier-NAME.pc for another. What is static
# needs its dependencies named, each before those that it needs itself.
function(harrier_install_pkg_config component)
  get_property(archives GLOBAL PROPERTY harrier_${component}_archives)
  get_property(links GLOBAL PROPERTY harrier_${component}_links)
  list(REVERSE archives)
  list(TRANSFORM archives PREPEND "-l")
  list(JOIN archives " " libraries)
  harrier_components_needed_by(${component} requires)
  list(TRANSFORM requires PREPEND "harrier-")
  list(TRANSFORM requires REPLACE "^harrier-library$" "harrier")
  set(other_libraries "")
  if("CAF::test" IN_LIST links)
    string(APPEND other_libraries " -lcaf_test")
  endif()
  if("CAF::core" IN_LIST links)
    string(APPEND other_libraries " -lcaf_core")
  endif()
  if("Boost::context" IN_LIST links)
    string(APPEND other_libraries " -lboost_context")
  endif()
  if("nlohmann_json::nlohmann_json" IN_LIST links)
    list(APPEND requires nlohmann_json)
  endif()
  if("GTest::gtest" IN_LIST links)
    list(APPEND requires gtest)
  endif()
  if("fmt::fmt" IN_LIST links)
    list(APPEND requires fmt)
  endif()
  foreach(link IN LISTS links)
    if(link MATCHES "^PkgConfig::(.*)")
      list(APPEND requires "lib${CMAKE_MATCH_1}")
    endif()
  endforeach()
  list(JOIN requires ", " requires)
  set(name "harrier-${component}")
  if(component STREQUAL "library")
    set(name harrier)
  endif()
  set(definitions "")
  if(NOT HARRIER_INVARIANTS)
    set(definitions " -DHARRIER_NO_INVARIANTS")
  endif()
  # Relative to the file, so that what was installed can be moved.
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  file(CONFIGURE OUTPUT ${name}.pc @ONLY CONTENT [=[
prefix=${pcfiledir}/@up@
bindir=${prefix}/@CMAKE_INSTALL_BINDIR@
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: @name@
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Requires: @requires@
Cflags: -std=c++20 -I${includedir}@definitions@
Libs: -L${libdir} @libraries@@other_libraries@ -ldl -pthread
]=])
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT ${component})
endfunction()

# Sets `result` to what harrierConfig.cmake has to do before it loads a component.
function(harrier_dependencies_of component result)
  harrier_components_needed_by(${component} calls)
  list(TRANSFORM calls REPLACE "(.+)" "harrier_need_component(${component} \\1)")
  get_property(links GLOBAL PROPERTY harrier_${component}_links)
  foreach(link IN LISTS links)
    if(link MATCHES "^\\$<BUILD_INTERFACE:")
      continue()  # needed to build only
    elseif(link STREQUAL "Boost::context")
      list(APPEND calls "harrier_need(${component} Boost 1.81 COMPONENTS context)")
    elseif(link MATCHES "^Boost::")
      list(APPEND calls "harrier_need(${component} Boost 1.81)")
    elseif(link MATCHES "^PkgConfig::(.*)")
      set(name ${CMAKE_MATCH_1})
      list(APPEND calls
        "harrier_need(${component} PkgConfig)"
        "pkg_check_modules(${name} QUIET IMPORTED_TARGET lib${name})"
        "harrier_need_target(${component} PkgConfig::${name} lib${name})")
    elseif(link STREQUAL "CAF::test")
      list(APPEND calls "harrier_need(${component} CAF)" "harrier_need_target(${component} CAF::test libcaf_test)")
    elseif(link MATCHES "^(.*)::" AND NOT CMAKE_MATCH_1 STREQUAL "harrier")
      list(APPEND calls "harrier_need(${component} ${CMAKE_MATCH_1})")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES calls)
  list(JOIN calls "\n" calls)
  set(${result} "${calls}\n" PARENT_SCOPE)
endfunction()
