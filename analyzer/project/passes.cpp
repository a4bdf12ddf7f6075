#include "analyzer/project/passes.h"

#include <vector>

#include "analyzer/base/deep_thread.h"

namespace ranklint {

void run_over_views(const Query& query, std::span<const ViewTask> tasks, unsigned threads) {
  std::vector<Query::Notes> notes(tasks.size());
  share_tasks(threads, Query::kStack, tasks.size(), [&](size_t i) {
    if (query.is_stopped()) return;
    Query view = Query::over(query);
    view.contain({}, tasks[i].name, [&] { tasks[i].run(view); });
    notes[i] = view.take_notes();
  });
  for (Query::Notes& n : notes) query.add_notes(std::move(n));
}

std::map<std::string, std::any> run_passes(const Query& query, std::span<const Pass> passes, unsigned threads,
                                           const Shared& shared, const ViewTask& search_for_messages) {
  std::vector<std::any> results(passes.size());
  std::vector<ViewTask> beside{search_for_messages}, after;
  for (size_t i = 0; i < passes.size(); ++i)
    (passes[i].reads_messages ? after : beside).push_back({passes[i].name, [&, i](const Query& in) {
                                                             results[i] = passes[i].find(in, shared);
                                                           }});
  run_over_views(query, beside, threads);
  run_over_views(query, after, threads);
  std::map<std::string, std::any> found;
  for (size_t i = 0; i < passes.size(); ++i)
    if (results[i].has_value()) found.emplace(passes[i].name, std::move(results[i]));
  return found;
}

}  // namespace ranklint
