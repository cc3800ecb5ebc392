# After `uninstall`: no file is left in the folder `prefix`.
file(GLOB_RECURSE left "${prefix}/*")
if(left)
  message(FATAL_ERROR "not uninstalled: ${left}")
endif()
