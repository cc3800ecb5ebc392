cmake_minimum_required(VERSION 3.25)

# What is installed without a component is in no package.
file(REMOVE_RECURSE "${prefix}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${build}" --component Unspecified --prefix "${prefix}" OUTPUT_QUIET
  COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE "${build}/install_manifest_Unspecified.txt")
file(GLOB_RECURSE files "${prefix}/*")
if(files)
  message(FATAL_ERROR "installed without a component: ${files}")
endif()
