# harrier_caf_file(<name> <source>): an executable file that uses CAF, and knows nothing of harrier.
function(harrier_caf_file name source)
  add_executable(caf_file_${name} ${source})
  target_link_libraries(caf_file_${name} PRIVATE CAF::core Threads::Threads ${CAF_io_LIBRARY})
  target_compile_options(caf_file_${name} PRIVATE -w)
  target_compile_features(caf_file_${name} PRIVATE cxx_std_17)
  set_target_properties(caf_file_${name} PROPERTIES OUTPUT_NAME ${name})
endfunction()
