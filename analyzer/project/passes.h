// Runs independent work on several threads, each task over its own view of the query. The passes that the caller
// hands in are run in this way; no pass sees what another found.
#pragma once

#include <any>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/interp/interpreter.h"
#include "analyzer/project/project.h"

namespace ranklint {

struct ViewTask {
  std::string_view name;  // as a stage
  std::function<void(const Query& in)> run;
};

// Runs them all over the functions that the interpreter is to judge, several at once. A bug in one, where it is about
// no single function, costs that one.
void run_over_views(Interpreter& interpreter, std::span<const ViewTask> tasks, unsigned threads);

// What each pass returned, by its name.
std::map<std::string, std::any> run_passes(Interpreter& interpreter, std::span<const Pass> passes, unsigned threads,
                                           const Shared& shared);

}  // namespace ranklint
