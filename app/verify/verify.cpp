#include "app/verify/verify.h"

#include <algorithm>

#include "analyzer/mesh/rank_set.h"
#include "app/verify/play.h"

namespace ranklint::app {

namespace {

using runtime::RankPhase;
using runtime::RankState;
using runtime::VerdictKind;

constexpr uint32_t kMostRanks = 130;     // a thread each
constexpr uint32_t kMostRanksEach = 18;  // that have a line each; of more, those that do the same share one

Verdict not_replayable(std::string reason) { return {Verdict::Kind::NotReplayable, std::move(reason), {}}; }

std::string place(const RankState& state) {
  return std::string(state.site.file) + ":" + std::to_string(state.site.line);
}

std::string ranks_in_words(const std::vector<int>& ranks) {
  std::string out;
  for (int rank : ranks) out += (out.empty() ? "" : ", ") + std::to_string(rank);
  return (ranks.size() == 1 ? "rank " : "ranks ") + out;
}

std::string done_by(const RankState& state, bool many) {
  const std::string have = many ? "have " : "has ";
  switch (state.phase) {
    case RankPhase::Finished: return have + "finished";
    case RankPhase::Threw: return have + "failed: " + state.error;
    case RankPhase::Running: return many ? "go on" : "goes on";
    case RankPhase::Waiting: break;
  }
  const std::string call = state.implicit_in.empty() ? std::string(name_of(state.op)) : state.implicit_in;
  const std::string waits = state.waits_for.empty() ? "" : ", for " + ranks_in_words(state.waits_for);
  return (many ? "wait in `" : "waits in `") + call + "` on `" + state.group + "` at " + place(state) + waits;
}

std::vector<std::string> lines_of(const std::vector<RankState>& states) {
  std::vector<std::string> lines;
  if (states.size() <= kMostRanksEach) {
    for (const RankState& state : states)
      lines.push_back("rank " + std::to_string(state.rank) + " " + done_by(state, false));
    return lines;
  }
  std::vector<std::pair<const RankState*, std::vector<uint32_t>>> alike;
  for (const RankState& state : states) {
    const auto same = std::ranges::find_if(
        alike, [&](const auto& others) { return done_by(*others.first, true) == done_by(state, true); });
    if (same == alike.end())
      alike.push_back({&state, {static_cast<uint32_t>(state.rank)}});
    else
      same->second.push_back(static_cast<uint32_t>(state.rank));
  }
  for (const auto& [state, ranks] : alike)
    lines.push_back((ranks.size() == 1 ? "rank " : "ranks ") + in_runs(ranks) + " " +
                    done_by(*state, ranks.size() > 1));
  return lines;
}

// Whether a rank stands where the finding says.
bool stands_there(const Play& run, const Replay& replay) {
  for (size_t rank = 0; rank < replay.ranks.size(); ++rank) {
    if (replay.waiter >= 0 && replay.waiter != static_cast<int>(rank)) continue;
    if (run.at[rank] == replay.ranks[rank].size()) continue;
    const ReplayStep& step = replay.ranks[rank][run.at[rank]];
    if (step.path == replay.path && step.range == replay.waits) return true;
  }
  return false;
}

Verdict confirmed(const Play& run, std::string reason) {
  return {Verdict::Kind::Confirmed, std::move(reason), lines_of(run.report.verdict.ranks)};
}

std::string_view in_words(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::Ok: return "all ranks finish";
    case VerdictKind::Mismatch: return "the members of a group disagree about a call";
    case VerdictKind::Deadlock: return "ranks wait for each other, forever";
    case VerdictKind::PeerExited: return "ranks wait for one that has finished";
    case VerdictKind::PeerThrew: return "a rank fails, and the others wait for it";
    case VerdictKind::BufferReuse: return "a tensor is changed while an operation holds it";
    case VerdictKind::Timeout: return "the time is up";
  }
  return "";
}

std::string in_words(const Play& run, const Replay& replay) {
  const std::string basis = replay.basis == Replay::Basis::Told ? ", with the steps as told" : "";
  return std::string(in_words(run.report.verdict.kind)) + ", in a world of " + std::to_string(replay.world_size) +
         " ranks" + basis;
}

// How many steps each rank has done where the ranks diverge, or where they reach the place where they disagree.
std::vector<size_t> where_they_part(const Replay& replay) {
  if (!replay.diverged.empty()) return replay.diverged;
  std::vector<size_t> from;
  for (const std::vector<ReplayStep>& steps : replay.ranks)
    from.push_back(static_cast<size_t>(
        std::find_if(steps.begin(), steps.end(),
                     [&](const ReplayStep& step) { return step.path == replay.path && step.range == replay.waits; }) -
        steps.begin()));
  return from;
}

// Another hazard may lie on the way: then the run begins there.
Verdict from_where_they_part(const Replay& replay, const Play& whole) {
  const Play run = play(replay, where_they_part(replay));
  if (!run.report.ok() && stands_there(run, replay))
    return confirmed(run, in_words(run, replay) + ", from where they part");
  return not_replayable("another hazard stops the ranks before they come here: " + whole.report.verdict.message);
}

}  // namespace

Verdict verify(const Finding& finding) {
  if (!finding.replay) return not_replayable("no rank waits here: what it costs is a result, or time");
  const Replay& replay = *finding.replay;
  if (replay.ranks.empty() || replay.world_size == 0 || replay.world_size > kMostRanks)
    return not_replayable("no small world shows it");
  if (!replay.not_computed.empty())
    return not_replayable("which ranks meet the condition at " + replay.not_computed + " was not computed");
  const Play run = play(replay, std::vector<size_t>(replay.world_size, 0));
  if (run.report.ok()) {
    if (!replay.parts) return not_replayable("the ranks do not come to where they part");
    return {Verdict::Kind::Refuted, "all " + std::to_string(replay.world_size) + " ranks finish", {}};
  }
  if (stands_there(run, replay)) return confirmed(run, in_words(run, replay));
  return from_where_they_part(replay, run);
}

Verified verify_all(std::vector<Finding>& findings) {
  Verified result;
  std::vector<Finding> kept;
  for (Finding& finding : findings) {
    finding.verdict = verify(finding);
    const bool refuted = finding.verdict->kind == Verdict::Kind::Refuted;
    if (finding.verdict->kind == Verdict::Kind::Confirmed) ++result.confirmed;
    if (finding.verdict->kind == Verdict::Kind::NotReplayable) ++result.not_replayable;
    (refuted ? result.refuted : kept).push_back(std::move(finding));
  }
  findings = std::move(kept);
  return result;
}

}  // namespace ranklint::app
