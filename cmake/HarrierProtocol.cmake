include_guard(GLOBAL)

# harrier_protocol(<target> <file.dcj>
#   SESSION <name> [<argument>...] [MODE strict|liberal|liberal-checked] [HEADER <name.hpp>] [NAMESPACE <name>]
#   [TYPES <Name=c++ type>...] [TYPES_FILE <file>] [INCLUDES <"header">...])
#
# Generates, when <target> is built, the C++ module that enforces a session; the header can be included by its name from
# <target>'s sources. MODE is strict unless said; HEADER is the session's name with `_` for what is no letter or digit.
# A module needs headers only; what checks modules links to harrier::protocol itself. TYPES, TYPES_FILE and INCLUDES say which C++ types messages have: see docs/protocols.md. find_package(harrier) and
# add_subdirectory(harrier) both define this.
function(harrier_protocol target file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "MODE;HEADER;NAMESPACE;TYPES_FILE" "SESSION;TYPES;INCLUDES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SESSION)
    message(FATAL_ERROR "harrier_protocol(${target}): SESSION is missing, or what is `${arg_UNPARSED_ARGUMENTS}`?")
  endif()
  list(GET arg_SESSION 0 name)
  if(NOT arg_HEADER)
    string(REGEX REPLACE "[^A-Za-z0-9_]" "_" arg_HEADER "${name}")
    string(APPEND arg_HEADER ".hpp")
  endif()
  if(NOT arg_MODE)
    set(arg_MODE strict)
  endif()
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  set(depends "${file}")
  set(options --mode "${arg_MODE}")
  if(DEFINED arg_NAMESPACE)
    list(APPEND options --namespace "${arg_NAMESPACE}")
  endif()
  if(arg_TYPES_FILE)
    cmake_path(ABSOLUTE_PATH arg_TYPES_FILE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND options --types "${arg_TYPES_FILE}")
    list(APPEND depends "${arg_TYPES_FILE}")
  endif()
  foreach(type IN LISTS arg_TYPES)
    list(APPEND options --type "${type}")
  endforeach()
  foreach(include IN LISTS arg_INCLUDES)
    list(APPEND options --include "${include}")
  endforeach()
  harrier_protocol_program(program program_target)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}_protocols")
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT "${folder}/${arg_HEADER}"
    COMMAND ${program} protocol generate "${file}" --session ${arg_SESSION} ${options} --output "${folder}/${arg_HEADER}"
    DEPENDS ${depends} ${program_target}
    COMMENT "Generating ${arg_HEADER} from session ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE "${folder}/${arg_HEADER}")
  target_include_directories(${target} PRIVATE "${folder}")
  target_link_libraries(${target} PRIVATE harrier::protocol_runtime)
endfunction()

# Sets `command` to what runs `harrier`, and `dependency` to the target that builds it, if it is built here.
function(harrier_protocol_program command dependency)
  if(TARGET harrier_protocol_command)  # harrier's own build, or one that has it as a subdirectory
    set(${command} harrier_protocol_command PARENT_SCOPE)
    set(${dependency} harrier_protocol_command PARENT_SCOPE)
    return()
  endif()
  # The program that was installed with this file, before any other; another can be given as -DHARRIER_PROGRAM=...
  find_program(HARRIER_PROGRAM harrier HINTS "${harrier_PROGRAM_FOLDER}" NO_DEFAULT_PATH
    DOC "The program that generates protocol modules")
  find_program(HARRIER_PROGRAM harrier)
  if(NOT HARRIER_PROGRAM)
    message(FATAL_ERROR "harrier_protocol: there is no program `harrier` in ${harrier_PROGRAM_FOLDER} or on the PATH, which "
      "generates modules. Install harrier with HARRIER_BUILD_CLI=ON, or give one as -DHARRIER_PROGRAM=<path>")
  endif()
  set(${command} "${HARRIER_PROGRAM}" PARENT_SCOPE)
  set(${dependency} "${HARRIER_PROGRAM}" PARENT_SCOPE)
endfunction()
