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

# harrier_library(<name> [INTERFACE] [COMPONENT <component>]
#   [HEADERS <relative to include/harrier>...] [SOURCES <relative to this folder>...]
#   [LINKS <public targets>...] [PRIVATE_LINKS <targets>...])
#
# Makes target harrier_<name>, used everywhere as harrier::<name>, with its headers, warnings, install and export. Without
# SOURCES it is an INTERFACE library. A library in a COMPONENT is loaded only by find_package(harrier COMPONENTS <component>),
# so that what it needs (GTest, say) is asked only of those who want it.
function(harrier_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INTERFACE" "COMPONENT" "HEADERS;SOURCES;LINKS;PRIVATE_LINKS")
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
    target_sources(${target} PRIVATE ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:harrier_warnings> ${arg_PRIVATE_LINKS})
  endif()
  add_library(harrier::${name} ALIAS ${target})

  list(TRANSFORM arg_HEADERS PREPEND "${harrier_SOURCE_DIR}/include/harrier/")
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS "${harrier_SOURCE_DIR}/include" FILES ${arg_HEADERS})
  target_compile_features(${target} ${scope} cxx_std_20)
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
    set(export harrier)
    if(arg_COMPONENT)
      set(export harrier-${arg_COMPONENT})
    endif()
    install(TARGETS ${target} EXPORT ${export}-targets FILE_SET HEADERS)
    set_property(GLOBAL APPEND PROPERTY harrier_exports ${export})
    set_property(GLOBAL APPEND PROPERTY ${export}_links ${arg_LINKS} ${arg_PRIVATE_LINKS})
    if(scope STREQUAL "PUBLIC" AND NOT arg_COMPONENT)
      set_property(GLOBAL APPEND PROPERTY harrier_archives ${target})
    endif()
  endif()
endfunction()

# harrier_test(<name> SOURCES <relative to this folder>... [LINKS <targets>...] [TIMEOUT <seconds a test>])
#
# Makes the executable test_<name> and one ctest test for each of its GoogleTest tests.
function(harrier_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LINKS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "harrier_test(${name}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(test_${name} ${arg_SOURCES})
  target_link_libraries(test_${name} PRIVATE harrier_warnings ${arg_LINKS} GTest::gmock_main)
  target_compile_features(test_${name} PRIVATE cxx_std_20)
  set_target_properties(test_${name} PROPERTIES CXX_EXTENSIONS OFF)
  gtest_discover_tests(test_${name}
    TEST_PREFIX ${name}.
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT ${arg_TIMEOUT})
endfunction()

# harrier_install_package(): what find_package(harrier) reads. Called once, after every harrier_library.
function(harrier_install_package)
  get_property(exports GLOBAL PROPERTY harrier_exports)
  if(NOT exports)
    return()
  endif()
  list(REMOVE_DUPLICATES exports)
  set(destination "${CMAKE_INSTALL_LIBDIR}/cmake/harrier")
  foreach(export IN LISTS exports)
    install(EXPORT ${export}-targets NAMESPACE harrier:: DESTINATION "${destination}")
    harrier_dependencies_of(${export} dependencies)
    file(CONFIGURE OUTPUT ${export}-dependencies.cmake CONTENT "${dependencies}" @ONLY)
    install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${export}-dependencies.cmake" DESTINATION "${destination}")
  endforeach()
  configure_package_config_file("${harrier_SOURCE_DIR}/cmake/harrierConfig.cmake.in" harrierConfig.cmake
    INSTALL_DESTINATION "${destination}" PATH_VARS CMAKE_INSTALL_BINDIR)
  write_basic_package_version_file(harrierConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES
    "${CMAKE_CURRENT_BINARY_DIR}/harrierConfig.cmake"
    "${CMAKE_CURRENT_BINARY_DIR}/harrierConfigVersion.cmake"
    DESTINATION "${destination}")
  harrier_install_pkg_config()
  if(TARGET harrier)
    install(TARGETS harrier)
  endif()
  install(FILES "${harrier_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
endfunction()

# harrier.pc, for builds without CMake. What is static needs its dependencies named, each before those that it needs itself.
function(harrier_install_pkg_config)
  get_property(archives GLOBAL PROPERTY harrier_archives)
  get_property(links GLOBAL PROPERTY harrier_links)
  list(REVERSE archives)
  list(TRANSFORM archives PREPEND "-l")
  list(JOIN archives " " libraries)
  set(requires "")
  if("fmt::fmt" IN_LIST links)
    list(APPEND requires fmt)
  endif()
  if("PkgConfig::xxhash" IN_LIST links)
    list(APPEND requires libxxhash)
  endif()
  list(JOIN requires ", " requires)
  set(definitions "")
  if(NOT HARRIER_INVARIANTS)
    set(definitions " -DHARRIER_NO_INVARIANTS")
  endif()
  # Relative to the file, so that what was installed can be moved.
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  file(CONFIGURE OUTPUT harrier.pc @ONLY CONTENT [=[
prefix=${pcfiledir}/@up@
bindir=${prefix}/@CMAKE_INSTALL_BINDIR@
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: harrier
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Requires: @requires@
Cflags: -I${includedir}@definitions@
Libs: -L${libdir} @libraries@ -ldl -pthread
]=])
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/harrier.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

# Sets `result` to the find_dependency calls for the packages that an export set's libraries link to.
function(harrier_dependencies_of export result)
  get_property(links GLOBAL PROPERTY ${export}_links)
  set(calls "")
  foreach(link IN LISTS links)
    if(link MATCHES "^\\$<BUILD_INTERFACE:")
      continue()  # needed to build only
    elseif(link MATCHES "^Boost::")
      list(APPEND calls "find_dependency(Boost 1.81)")
    elseif(link MATCHES "^taocpp::pegtl")
      list(APPEND calls "find_dependency(pegtl)")
    elseif(link STREQUAL "PkgConfig::xxhash")
      list(APPEND calls
        "find_dependency(PkgConfig)"
        "pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)")
    elseif(link MATCHES "^(.*)::" AND NOT CMAKE_MATCH_1 STREQUAL "harrier")
      list(APPEND calls "find_dependency(${CMAKE_MATCH_1})")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES calls)
  list(JOIN calls "\n" calls)
  set(${result} "${calls}\n" PARENT_SCOPE)
endfunction()
