#include "analyzer/project/lowering.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "analyzer/base/contain.h"
#include "analyzer/base/current_work.h"
#include "analyzer/ir/builder.h"
#include "analyzer/machine/link.h"
#include "analyzer/project/relevance.h"
#include "analyzer/project/repeated.h"

namespace ranklint {
namespace {

ir::Module unread(const std::string& path) {
  ir::Module module;
  module.path = path;
  ir::FunctionBuilder top(module, ir::add_function(module, "<module>", ir::FunctionKind::Module));
  top.return_({}, {});
  return module;
}

class Lowering {
 public:
  Lowering(const std::vector<SourceFile>& files, const Frontend& frontend, const AnalysisOptions& options,
           Headers headers)
      : files_(files), frontend_(frontend), options_(options), headers_(headers), lowered_(files.size()) {}

  Lowered run(const Models& models) {
    std::vector<size_t> now;
    for (size_t i = 0; i < files_.size(); ++i)
      (frontend_.can_wait(files_[i].path, files_[i].bytes) ? waiting_ : now).push_back(i);
    lower_mentioned(models, std::move(now));
    lower_missing();
    for (size_t i : waiting_) lowered_[i].modules.push_back(unread(files_[i].path));
    return std::move(lowered_);
  }

 private:
  // Files that can wait are read when those read before define a function that communicates and they name it, until
  // no new name comes up.
  void lower_mentioned(const Models& models, std::vector<size_t> now) {
    CommunicatingNames names(models);
    while (!now.empty()) {
      lower(now);
      bool grew = false;
      if (!waiting_.empty())
        for (size_t i : now) grew |= names.add(lowered_[i].modules);
      if (!grew) return;
      now = end_wait([&](std::string_view bytes) { return names.mentioned_in(bytes); });
    }
  }

  // A program is run with the files that define what its units call: those that waited are read, until nothing more is
  // found.
  void lower_missing() {
    while (!waiting_.empty()) {
      machine::Units units;
      for (const LoweredSource& file : lowered_)
        if (file.program) units.push_back(file.program);
      if (std::none_of(units.begin(), units.end(), [](const auto& unit) { return unit->has_main(); })) return;
      const std::set<std::string> missing = machine::missing_functions(units);
      const std::vector<size_t> now = end_wait([&](std::string_view bytes) { return may_define(bytes, missing); });
      if (now.empty()) return;
      lower(now);
    }
  }

  // Those that waited for this.
  std::vector<size_t> end_wait(const std::function<bool(std::string_view)>& wanted) {
    std::vector<size_t> now;
    std::erase_if(waiting_, [&](size_t i) {
      if (!wanted(files_[i].bytes)) return false;
      now.push_back(i);
      return true;
    });
    return now;
  }

  // The files with these numbers, on several threads. What is repeated is dropped in their order, as soon as all before
  // are there.
  void lower(const std::vector<size_t>& wanted) {
    std::atomic<size_t> next = 0;
    size_t done = 0, settled = 0;
    std::vector<bool> is_there(wanted.size());
    std::mutex progress;
    auto work = [&] {
      for (size_t i = next++; i < wanted.size(); i = next++) {
        const SourceFile& file = files_[wanted[i]];
        lowered_[wanted[i]] = lower_contained(frontend_, file);
        const std::lock_guard lock(progress);
        is_there[i] = true;
        for (; settled < wanted.size() && is_there[settled]; ++settled) settle(lowered_[wanted[settled]]);
        if (options_.progress) options_.progress(++done, wanted.size());
      }
    };
    const unsigned threads = options_.thread_count();
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < std::min<size_t>(threads, wanted.size()); ++t)
      others.emplace_back([&] {
        const SignalStack signals;
        work();
      });
    work();
  }

  void settle(LoweredSource& file) {
    if (headers_ == Headers::Once) met_.drop_repeated(file.modules);
  }

  const std::vector<SourceFile>& files_;
  const Frontend& frontend_;
  const AnalysisOptions& options_;
  const Headers headers_;
  std::vector<size_t> waiting_;
  MetFunctions met_;
  Lowered lowered_;
};

}  // namespace

LoweredSource lower_contained(const Frontend& frontend, const SourceFile& file) {
  LoweredSource read;
  const CurrentWork work("reading", file.path);
  std::optional<std::string> broken = contain([&] { read = frontend(file.path, file.bytes); });
  if (!broken) return read;
  read = {};
  read.modules.push_back(unread(file.path));
  read.broken = std::move(*broken);
  return read;
}

Lowered lower_all(const std::vector<SourceFile>& files, const Models& models, const Frontend& frontend,
                  const AnalysisOptions& options, Headers headers) {
  return Lowering(files, frontend, options, headers).run(models);
}

}  // namespace ranklint
