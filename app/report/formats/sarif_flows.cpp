// The witness in SARIF's terms: one code flow, in it one thread flow per rank class.
//
// Some viewers show the first thread flow alone. So the lane that waits comes first, as in the witness, and its
// last step also says what becomes of the other ranks.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "app/report/formats/sarif.h"

namespace ranklint::report::sarif {

namespace {

// "ranks 1..3" -> "ranks-1..3"
std::string thread_id(const std::string& ranks) {
  std::string out = ranks;
  std::replace_if(out.begin(), out.end(), [](char c) { return c == ' ' || c == '`'; }, '-');
  return out;
}

std::string how_it_ends(const WitnessLane& lane) { return lane.ranks + (lane.end.empty() ? "" : ": ") + lane.end; }

std::string ends_of_all(const Witness& witness, const WitnessLane& first) {
  std::string out = how_it_ends(first);
  for (const WitnessLane& lane : witness.lanes)
    if (&lane != &first) out += "; " + how_it_ends(lane);
  return out;
}

std::vector<std::string_view> kinds_of(WitnessStep::Kind kind) {
  switch (kind) {
    case WitnessStep::Kind::Branch: return {"branch"};
    case WitnessStep::Kind::Call: return {"call"};
    case WitnessStep::Kind::Collective: return {"call", "resource"};
    case WitnessStep::Kind::Exit: return {"exit"};
  }
  return {};
}

std::string_view importance_of(const WitnessStep& step, bool last) {
  if (last || step.kind == WitnessStep::Kind::Collective) return "essential";
  return step.kind == WitnessStep::Kind::Call ? "unimportant" : "important";
}

// Lanes run at the same time: steps with the same number may happen in any order.
Json thread_flow(const Finding& finding, const WitnessLane& lane, Sources& sources) {
  Json locations = Json::array();
  const bool first = &lane == &finding.witness.lanes.front();
  const std::string end = first ? ends_of_all(finding.witness, lane) : how_it_ends(lane);
  for (size_t i = 0; i < lane.steps.size(); ++i) {
    const WitnessStep& step = lane.steps[i];
    const bool last = i + 1 == lane.steps.size();
    locations.push_back(
        {{"location", location(step.location, sources, last ? step.text + ": " + end : step.text, step.function)},
         {"kinds", kinds_of(step.kind)},
         {"nestingLevel", std::max(step.nesting, 0)},
         {"executionOrder", i + 1},
         {"importance", importance_of(step, last)}});
  }
  if (locations.empty())
    locations.push_back({{"location", location(finding.primary, sources, end, finding.function)},
                         {"nestingLevel", 0},
                         {"executionOrder", 1},
                         {"importance", "essential"}});
  return {
      {"id", thread_id(lane.ranks)}, {"message", {{"text", how_it_ends(lane)}}}, {"locations", std::move(locations)}};
}

}  // namespace

Json code_flow(const Finding& finding, Sources& sources) {
  if (finding.witness.lanes.empty()) return nullptr;
  Json threads = Json::array();
  for (const WitnessLane& lane : finding.witness.lanes) threads.push_back(thread_flow(finding, lane, sources));
  std::string message = "What each rank does until one waits forever";
  for (size_t i = 0; i < finding.witness.assumptions.size(); ++i)
    message += (i == 0 ? ", assuming " : "; ") + finding.witness.assumptions[i];
  return {{"message", {{"text", message + "."}}}, {"threadFlows", std::move(threads)}};
}

}  // namespace ranklint::report::sarif
