#pragma once

#include <functional>
#include <string>

#include <harrier/report/json.hpp>

#include "explorable.hpp"

/// A page goes through an ETEST by hand: whoever serves it runs the test's executable file for each job, which finds
/// the job in an open file that the environment names, and answers there.
namespace harrier {

struct test_in_file {
  std::string file;
  std::string name;  ///< `Suite.Name`, as GoogleTest lists it
};

/// As do_job() does it, in a process of that file.
/// @throws error  it cannot be run, it has no such test, or that is none of harrier's.
void have_done_by(const test_in_file& test, const json_value& job, const std::function<void(const json_value&)>& tell,
                  const std::function<bool()>& is_wanted);

/// The open file over which a job comes for the test that is run; -1: none does, it is to be run as always.
int job_for_test();

/// Does that job, and ends the process.
[[noreturn]] void do_job_for_page(const explorable& of, int over);

}  // namespace harrier
