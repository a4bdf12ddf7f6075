// The progress of reading a folder and checking it for the first time, which the user waits for.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "analyzer/project/workspace.h"

namespace ranklint::app::lsp {

using TellProgress = std::function<void(unsigned percent, std::string message)>;

// A stage of the work on a folder, and which part of the whole it is, in percent.
struct Share {
  unsigned begin, end;
  unsigned at(size_t done, size_t all) const {
    return begin + static_cast<unsigned>((end - begin) * std::min(done, all) / std::max<size_t>(1, all));
  }
};
inline constexpr Share kRead{0, 35}, kSummarised{35, 70}, kCompared{70, 99};

inline std::string counted(size_t done, size_t all, std::string_view what) {
  return std::to_string(done) + " of " + std::to_string(all) + " " + std::string(what);
}

// Counts the functions that a check has come to.
class Stages {
 public:
  Stages(const Workspace::Snapshot& files, TellProgress tell) : tell_(std::move(tell)), is_over_(!tell_) {
    if (is_over_) return;
    for (const auto& [path, file] : files.files)
      for (const ir::Module& module : *file.modules) functions_ += module.functions.size();
  }

  // For AnalysisOptions::probe.
  void begin(std::string_view stage, std::string_view function) {
    if (is_over_ || function.empty()) return;
    if (stage == "summary")
      count(summarised_, functions_, kSummarised, "functions summarised");
    else if (stage == "needs of conditions")
      ++to_compare_;
    else if (stage == "comparison of ranks")
      count(compared_, to_compare_, kCompared, "functions compared between ranks");
  }
  // After the check the session judges edits, for which no progress is shown.
  void end() { is_over_ = true; }

 private:
  void count(std::atomic<size_t>& counter, size_t all, const Share& share, std::string_view what) {
    constexpr size_t kStep = 256;
    if (const size_t done = ++counter; done % kStep == 0) tell_(share.at(done, all), counted(done, all, what));
  }

  const TellProgress tell_;
  std::atomic<bool> is_over_;
  size_t functions_ = 0;
  std::atomic<size_t> summarised_ = 0, to_compare_ = 0, compared_ = 0;
};

}  // namespace ranklint::app::lsp
