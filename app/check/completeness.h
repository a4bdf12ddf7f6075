// How much of what was asked for was checked: files that were not read, places that were not followed to the end, and
// what of that makes the run an error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/check/checked.h"
#include "app/report/report.h"

namespace ranklint::app {

// By kind and reason.
std::vector<UnreadFiles> unread_files(const Checked& checked);

// By path and line: what does not parse, functions and MPI programs that were given up.
std::vector<IncompletePlace> incomplete_places(const CheckRun& run, const Checked& checked);

// Why the run fails, a message each: a named file that could not be read as what it is, and what the settings ask for
// (`fail-on-unread`, `strict`). Empty: it does not.
std::vector<std::string> failures(const CheckRun& run, const Checked& checked);

}  // namespace ranklint::app
