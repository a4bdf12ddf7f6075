#include "analyzer/project/project.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "analyzer/compare/detached.h"
#include "analyzer/compare/judge.h"
#include "analyzer/compare/loose_handles.h"
#include "analyzer/compare/swallowed.h"
#include "analyzer/compare/unknown_callees.h"
#include "analyzer/compare/unordered.h"
#include "analyzer/summary/effects.h"

namespace ranklint {
namespace {

// Interpretation recurses along call chains; a thread of our own has room for the deepest we follow.
constexpr size_t kStackBytes = size_t{1} << 30;

void run_with_deep_stack(std::function<void()> body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  auto call = [](void* f) -> void* {
    (*static_cast<std::function<void()>*>(f))();
    return nullptr;
  };
  const bool started = pthread_create(&thread, &attributes, call, &body) == 0;
  pthread_attr_destroy(&attributes);
  if (started) pthread_join(thread, nullptr);
  else body();
}

std::vector<ir::Module> lower_all(const std::vector<SourceFile>& files, const Frontend& frontend,
                                  const AnalysisOptions& options) {
  std::vector<ir::Module> modules(files.size());
  std::atomic<size_t> next = 0;
  size_t done = 0;
  std::mutex progress;
  auto work = [&] {
    for (size_t i = next++; i < files.size(); i = next++) {
      modules[i] = frontend(files[i].path, files[i].bytes);
      if (options.progress) {
        const std::lock_guard lock(progress);
        options.progress(++done, files.size());
      }
    }
  };
  const unsigned threads = options.threads ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> others;
  for (unsigned t = 1; t < threads; ++t) others.emplace_back(work);
  work();
  others.clear();
  return modules;
}

}  // namespace

Analysis analyze(std::vector<SourceFile> files, const Models& models, const Frontend& frontend,
                 const AnalysisOptions& options) {
  std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  std::vector<ir::Module> modules = lower_all(files, frontend, options);

  Analysis analysis;
  auto facts = std::make_shared<Facts>();
  for (size_t i = 0; i < files.size(); ++i) {
    facts->reported.push_back(files[i].reported);
    analysis.files.push_back({.path = files[i].path, .pragmas = modules[i].pragmas,
                              .diagnostics = modules[i].diagnostics, .unknown_count = modules[i].unknown_count});
    analysis.function_count += modules[i].functions.size();
  }
  files.clear();
  facts->owner = std::make_shared<const ProjectIndex>(std::move(modules));
  facts->index = facts->owner.get();
  run_with_deep_stack([&] {
    Interpreter interpreter(*facts->index, models);
    complete_effects(interpreter);
    judge(interpreter, *facts);
    find_unordered_loops(interpreter, *facts);
    find_detached_collectives(interpreter, *facts);
    find_loose_handles(interpreter, *facts);
    find_swallowed_failures(interpreter, *facts);
    find_unknown_callees(interpreter, models, *facts);
    analysis.unresolved_call_count = interpreter.unresolved_calls();
  });
  analysis.facts = std::move(facts);
  return analysis;
}

}  // namespace ranklint
