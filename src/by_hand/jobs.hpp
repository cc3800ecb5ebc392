#pragma once

#include <functional>
#include <string>
#include <vector>

#include <harrier/report/json.hpp>

#include "explorable.hpp"

namespace harrier {

/// What a page can have done, in a process of its own (workshop::work). `job` has what to do, `"do"`, and the
/// `"schedule"` that leads to where it is done:
/// - `about`      what there is to know of the program before anything is done;
/// - `visit`      as visit() tells, from step `"from"` on;
/// - `visit-all`  as visit_all() tells, to `"depth"`, of at most `"most"` deliveries;
/// - `search`     by `"options"`, words as on the command line: `{"progress": ...}` now and then, at last `{"found":
/// ...}`;
/// - `trace`      the text of a trace file, `{"trace": ...}`, of finding number `"finding"` there, or of none.
/// @throws error  the job is none of these, or cannot be done.
void do_job(const explorable& of, const json_value& job, const std::function<void(const json_value&)>& tell,
            const std::function<bool()>& is_wanted);

/// The options that `search` takes.
const std::vector<std::string>& options_of_a_page();

}  // namespace harrier
