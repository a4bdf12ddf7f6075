#include "analyzer/project/lowering.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "analyzer/ir/builder.h"
#include "analyzer/project/relevance.h"

namespace ranklint {
namespace {

// The files with these numbers, on several threads.
void lower(const std::vector<SourceFile>& files, const std::vector<size_t>& wanted, const Frontend& frontend,
           const AnalysisOptions& options, Lowered& lowered) {
  std::atomic<size_t> next = 0;
  size_t done = 0;
  std::mutex progress;
  auto work = [&] {
    for (size_t i = next++; i < wanted.size(); i = next++) {
      const SourceFile& file = files[wanted[i]];
      lowered[wanted[i]] = frontend(file.path, file.bytes);
      if (options.progress) {
        const std::lock_guard lock(progress);
        options.progress(++done, wanted.size());
      }
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

// Files that can wait are read when those read before define a function that communicates and they name it, until
// no new name comes up.
Lowered lower_all(const std::vector<SourceFile>& files, const Models& models, const Frontend& frontend, const AnalysisOptions& options) {
  Lowered lowered(files.size());
  std::vector<size_t> now, waiting;
  for (size_t i = 0; i < files.size(); ++i)
    (options.can_wait && options.can_wait(files[i].path, files[i].bytes) ? waiting : now).push_back(i);
  CommunicatingNames names(models);
  while (!now.empty()) {
    lower(files, now, frontend, options, lowered);
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
  for (size_t i : waiting) lowered[i].modules.push_back(unread(files[i].path));
  return lowered;
}

}  // namespace ranklint
