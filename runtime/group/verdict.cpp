#include "runtime/group/verdict.h"

#include <algorithm>

#include "runtime/group/json_text.h"
#include "runtime/group/signature.h"

namespace ranklint::runtime {

namespace {

std::string_view name_of(RankPhase phase) {
  switch (phase) {
    case RankPhase::Running: return "running";
    case RankPhase::Waiting: return "waiting";
    case RankPhase::Finished: return "finished";
    case RankPhase::Threw: return "threw";
  }
  return "";
}

void write_call(JsonText& json, const RankState& state) {
  json.key("op").text(runtime::name_of(state.op));
  json.key("group").text(state.group);
  json.key("sequence").number(state.sequence);
  if (!state.detail.empty()) json.key("detail").text(state.detail);
  json.key("site").text(to_string(state.site));
  if (!state.implicit_in.empty()) json.key("implicit_in").text(state.implicit_in);
  json.key("waits_for").begin_array();
  for (const int rank : state.waits_for) json.number(rank);
  json.end_array();
}

bool has_call(const RankState& state) {
  return state.phase == RankPhase::Waiting || (state.phase == RankPhase::Finished && !state.waits_for.empty());
}

void write_state(JsonText& json, const RankState& state) {
  json.begin_object();
  json.key("rank").number(state.rank);
  json.key("state").text(name_of(state.phase));
  if (has_call(state)) write_call(json, state);
  if (state.phase == RankPhase::Threw) json.key("error").text(state.error);
  json.end_object();
}

std::string call_text(const RankState& state) {
  const std::string how = state.phase == RankPhase::Waiting ? " in " : ", leaving ";
  std::string text = how + std::string(runtime::name_of(state.op)) + " on " + state.group + ", call " +
                     std::to_string(state.sequence) + ", " + to_string(state.site);
  if (!state.detail.empty()) text += " (" + state.detail + ")";
  if (!state.implicit_in.empty()) text += ", inside " + state.implicit_in;
  if (state.waits_for.empty()) return text;
  text += ", for";
  for (const int rank : state.waits_for) text += " " + std::to_string(rank);
  return text;
}

}  // namespace

std::string Verdict::to_json() const {
  JsonText json;
  json.begin_object();
  json.key("verdict").text(runtime::name_of(kind));
  json.key("message").text(message);
  json.key("odd_ranks").begin_array();
  for (const int rank : odd_ranks) json.number(rank);
  json.end_array();
  json.key("ranks").begin_array();
  // What the others do meanwhile says nothing about a reused buffer, and is another thing on every run.
  const auto is_odd = [&](int rank) { return std::find(odd_ranks.begin(), odd_ranks.end(), rank) != odd_ranks.end(); };
  for (const RankState& state : ranks)
    if (kind != VerdictKind::BufferReuse || is_odd(state.rank)) write_state(json, state);
  json.end_array();
  json.end_object();
  return json.take();
}

std::string Verdict::to_text() const {
  std::string text = std::string(runtime::name_of(kind)) + (message.empty() ? "" : ": " + message) + "\n";
  for (const RankState& state : ranks) {
    text += "  rank " + std::to_string(state.rank) + " " + std::string(name_of(state.phase));
    if (has_call(state)) text += call_text(state);
    if (state.phase == RankPhase::Threw) text += ": " + state.error;
    text += "\n";
  }
  return text;
}

}  // namespace ranklint::runtime
