#include "app/trace/predicted.h"

#include <algorithm>

namespace ranklint::app {

namespace {

// A frame's line in the file that it is here.
struct Line {
  std::string_view path;
  uint32_t number = 0;
};

bool lies_at(const Line& line, const Location& place) {
  const SourceRange& range = place.range;
  return range.known() && line.number >= range.line && line.number <= std::max(range.line, range.end_line) &&
         line.path == place.path;
}

// What the recorder calls the same: "allreduce_coalesced" is none of ours, "all_reduce_barrier" is a barrier.
bool is_same_op(std::string_view recorded, std::string_view op) {
  const auto letters = [](std::string_view text) {
    std::string out;
    for (const char c : text)
      if (c != '_') out += c;
    return out;
  };
  const std::string a = letters(recorded), b = letters(op);
  return !b.empty() && (a.find(b) != std::string::npos || b.find(a) != std::string::npos);
}

int fit_of_frame(const Finding& finding, const Line& frame, const std::string& op) {
  for (const WitnessLane& lane : finding.witness.lanes)
    for (const WitnessStep& step : lane.steps)
      if (step.kind == WitnessStep::Kind::Collective && is_same_op(op, step.op) && lies_at(frame, step.location))
        return 3;
  if (lies_at(frame, finding.primary)) return 2;
  for (const RelatedLocation& related : finding.related)
    if (lies_at(frame, related.location)) return 1;
  return 0;
}

}  // namespace

int fit(const Finding& finding, const Stuck& stuck, const FrameFiles& files) {
  int best = 0;
  for (const Standing& standing : stuck.members) {
    if (standing.entry == nullptr) continue;
    // A rank that has not come counts for less: it is somewhere else, perhaps for another reason.
    const bool is_there = standing.where != Standing::Where::NotThere;
    for (const Frame& frame : standing.entry->frames) {
      const Line line{files.file_of(frame.file), frame.line};
      const int found = line.path.empty() ? 0 : fit_of_frame(finding, line, standing.entry->op);
      best = std::max(best, is_there || found == 0 ? found * 2 : found * 2 - 1);
    }
  }
  return best;
}

}  // namespace ranklint::app
