// Runs independent work on several threads, each task over its own view of the query. The passes that the caller
// hands in are run in this way; no pass sees what another found.
#pragma once

#include <any>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/project/project.h"
#include "analyzer/summary/query.h"

namespace ranklint {

struct ViewTask {
  std::string_view name;  // as a stage
  std::function<void(const Query& in)> run;
};

// Runs them all over the functions to check, several at once, and adds to the query's notes what went wrong. A bug in
// one, where it is about no single function, costs that one.
void run_over_views(const Query& query, std::span<const ViewTask> tasks, unsigned threads);

// What each pass returned, by its name. The search for messages, which takes as long as many of them, runs beside those
// that do not read what it finds.
std::map<std::string, std::any> run_passes(const Query& query, std::span<const Pass> passes, unsigned threads,
                                           const Shared& shared, const ViewTask& search_for_messages);

}  // namespace ranklint
