# Writes `output`, a source file that says of which commit `sources` are; it is left alone if it says so already. Run by each
# build, since a commit changes no file that a build system looks at.
#
#   cmake -Dsources=FOLDER -Doutput=FILE -P write_commit.cmake
#
# Sources that are no work tree of git have what `git archive` wrote into cmake/commit.txt, or no commit. A folder within the work
# tree of another project is not taken for a part of it.
set(commit "")
file(STRINGS "${sources}/cmake/commit.txt" archived LIMIT_COUNT 1)
if(archived MATCHES "^[0-9a-f]+$")
  string(SUBSTRING "${archived}" 0 12 commit)
elseif(EXISTS "${sources}/.git")
  find_program(git git)
  if(git)
    execute_process(COMMAND "${git}" -C "${sources}" describe --always --exclude=* --abbrev=12 "--dirty=, and changes"
      OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT [=[
// Written by cmake/write_commit.cmake.
namespace harrier {
const char* commit_built_from();
const char* commit_built_from() { return "@commit@"; }
}  // namespace harrier
]=])
