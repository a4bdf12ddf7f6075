#include "analyzer/project/lowering.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "analyzer/ir/builder.h"
#include "analyzer/machine/link.h"
#include "analyzer/project/relevance.h"
#include "analyzer/project/repeated.h"

namespace ranklint {
namespace {

// The files with these numbers, on several threads. What is repeated is dropped in their order, as soon as all before are there.
void lower(const std::vector<SourceFile>& files, const std::vector<size_t>& wanted, const Frontend& frontend,
           const AnalysisOptions& options, Lowered& lowered, MetFunctions* met = nullptr) {
  std::atomic<size_t> next = 0;
  size_t done = 0, settled = 0;
  std::vector<bool> is_there(wanted.size());
  std::mutex progress;
  auto work = [&] {
    for (size_t i = next++; i < wanted.size(); i = next++) {
      const SourceFile& file = files[wanted[i]];
      lowered[wanted[i]] = frontend(file.path, file.bytes);
      const std::lock_guard lock(progress);
      is_there[i] = true;
      for (; met && settled < wanted.size() && is_there[settled]; ++settled) met->drop_repeated(lowered[wanted[settled]].modules);
      if (options.progress) options.progress(++done, wanted.size());
    }
  };
  const unsigned threads = options.threads ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> others;
  for (unsigned t = 1; t < std::min<size_t>(threads, wanted.size()); ++t) others.emplace_back(work);
  work();
}

ir::Module unread(const std::string& path) {
  ir::Module module;
  module.path = path;
  ir::FunctionBuilder top(module, ir::add_function(module, "<module>", ir::FunctionKind::Module));
  top.return_({}, {});
  return module;
}

}  // namespace

// A program is run with the files that define what its units call: those that waited are read, until nothing more is found.
static void lower_missing(const std::vector<SourceFile>& files, std::vector<size_t>& waiting, const Frontend& frontend,
                          const AnalysisOptions& options, Lowered& lowered) {
  for (bool again = !waiting.empty(); again;) {
    machine::Units units;
    for (const LoweredSource& file : lowered)
      if (file.program) units.push_back(file.program);
    if (std::none_of(units.begin(), units.end(), [](const auto& unit) { return unit->has_main(); })) return;
    const std::set<std::string> missing = machine::missing_functions(units);
    std::vector<size_t> now;
    std::erase_if(waiting, [&](size_t i) {
      if (!may_define(files[i].bytes, missing)) return false;
      now.push_back(i);
      return true;
    });
    lower(files, now, frontend, options, lowered);
    again = !now.empty();
  }
}

// Files that can wait are read when those read before define a function that communicates and they name it, until
// no new name comes up.
Lowered lower_all(const std::vector<SourceFile>& files, const Models& models, const Frontend& frontend,
                  const AnalysisOptions& options, Headers headers) {
  Lowered lowered(files.size());
  MetFunctions met;
  std::vector<size_t> now, waiting;
  for (size_t i = 0; i < files.size(); ++i)
    (options.can_wait && options.can_wait(files[i].path, files[i].bytes) ? waiting : now).push_back(i);
  CommunicatingNames names(models);
  while (!now.empty()) {
    lower(files, now, frontend, options, lowered, headers == Headers::Once ? &met : nullptr);
    bool grew = false;
    if (!waiting.empty())
      for (size_t i : now) grew |= names.add(lowered[i].modules);
    now.clear();
    if (!grew) break;
    std::erase_if(waiting, [&](size_t i) {
      if (!names.mentioned_in(files[i].bytes)) return false;
      now.push_back(i);
      return true;
    });
  }
  lower_missing(files, waiting, frontend, options, lowered);
  for (size_t i : waiting) lowered[i].modules.push_back(unread(files[i].path));
  return lowered;
}

}  // namespace ranklint
