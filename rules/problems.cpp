#include "rules/problems.h"

#include <algorithm>
#include <memory>

#include "analyzer/project/shared.h"

namespace ranklint {

namespace {

WitnessLane lane_of(const mpi_check::Lane& lane, const Sentences& own) {
  WitnessLane out{.ranks = "rank " + std::to_string(lane.rank), .steps = {}, .end = words_of(lane.end, own)};
  for (const mpi_check::Note& step : lane.steps)
    out.steps.push_back({.kind = WitnessStep::Kind::Call,
                         .location = {step.mark.file, step.mark.range},
                         .text = words_of(step.statement, own),
                         .function = {},
                         .op = {},
                         .group = {}});
  return out;
}

// Another run of the same operations, on other process groups than those of the world in which they were found.
class Rerun {
 public:
  Rerun(const mpi_check::Problem& problem, const Sentences& own) : problem_(problem), own_(own) {}

  std::shared_ptr<const Replay> replay() {
    Replay out;
    out.world_size = problem_.world_size;
    out.fails.assign(out.world_size, false);
    out.parts = false;  // what is posted need not be all that the ranks do: that all finish here refutes nothing
    out.path = problem_.mark.file;
    out.waits = problem_.mark.range;
    for (uint32_t rank = 0; rank < out.world_size; ++rank) {
      out.ranks.emplace_back();
      for (const mpi_check::Posted& posted : problem_.posted[rank]) out.ranks.back().push_back(step_of(posted, out));
    }
    return std::make_shared<const Replay>(std::move(out));
  }

 private:
  ReplayStep step_of(const mpi_check::Posted& posted, Replay& out) {
    ReplayStep step;
    step.op = posted.call;
    step.group = group_of(posted, out);
    step.root = posted.root;
    step.reduce = words_of(posted.reduce, own_);
    if (posted.term) step.tag = words_of(*posted.term, own_);
    step.path = posted.mark.file;
    step.range = posted.mark.range;
    if (posted.kind == mpi_check::Posted::Kind::Collective || posted.peer < 0) return step;
    step.message = {.kind = posted.kind == mpi_check::Posted::Kind::Send ? Message::Kind::Send : Message::Kind::Receive,
                    .peer = static_cast<uint32_t>(posted.peer),
                    .tag = static_cast<int32_t>(posted.tag),
                    .starts_only = posted.starts_only};
    return step;
  }

  uint32_t group_of(const mpi_check::Posted& posted, Replay& out) {
    const std::pair key{posted.channel, posted.members};
    const auto known = std::find(groups_.begin(), groups_.end(), key);
    if (known != groups_.end()) return static_cast<uint32_t>(known - groups_.begin());
    groups_.push_back(key);
    std::vector<uint32_t> ascending = posted.members;
    std::sort(ascending.begin(), ascending.end());
    const bool whole = ascending.size() == out.world_size;
    ReplayGroup group{whole ? "MPI_COMM_WORLD" : "a communicator of " + std::to_string(ascending.size()), {}};
    for (uint32_t rank = 0; rank < out.world_size; ++rank)
      group.ranks_of.push_back(
          std::binary_search(ascending.begin(), ascending.end(), rank) ? ascending : std::vector<uint32_t>{rank});
    out.groups.push_back(std::move(group));
    return static_cast<uint32_t>(groups_.size() - 1);
  }

  const mpi_check::Problem& problem_;
  const Sentences& own_;
  std::vector<std::pair<uint32_t, std::vector<uint32_t>>> groups_;
};

// Whether ranks wait for each other in it, or disagree in one call.
bool has_a_run(const mpi_check::Problem& problem) {
  using enum mpi_check::ProblemKind;
  const bool waits = problem.kind == CollectiveMismatch || problem.kind == CollectiveArguments ||
                     problem.kind == UnmatchedMessage || problem.kind == SendCycle;
  return waits && problem.posted.size() == problem.world_size && problem.world_size > 0;
}

// The call, or the name that a problem is about, distinguishes findings of one rule in one function. These facts have
// neither: a fixed word does, since people's baselines contain it.
constexpr std::string_view key_word(mpi_check::Fact fact) {
  using enum mpi_check::Fact;
  switch (fact) {
    case NeverFinalized: return "rank";
    case NeverReceived: return "what";
    case RivalReceive:
    case FatalRace: return "which";
    case WindowMemoryGone:
    case AttachedMemoryGone: return "memory";
    case NeverWaitedFor:
    case NeverFreed:
    case RequestNeverFreed:
    case MemoryNeverFreed:
    case KeyNeverFreed:
    case BufferReadEarly:
    case BufferWrittenEarly:
    case BufferEndsEarly:
    case EpochBufferRead:
    case EpochBufferWritten:
    case OwnRead:
    case OwnWrite: return "the";
    default: return {};
  }
}

static_assert(std::ranges::all_of(mpi_check::kFacts, [](const mpi_check::FactInfo& info) {
  return !info.is_problem || info.is_about_name || !key_word(info.fact).empty();
}));

std::string key_of(const mpi_check::Statement& statement) {
  if (const std::string_view word = key_word(statement.fact); !word.empty()) return std::string(word);
  const mpi_check::Argument& first = statement.arguments[0];
  const auto* phrase = std::get_if<std::vector<mpi_check::Statement>>(&first);
  return phrase ? key_of(phrase->front()) : "`" + std::get<std::string>(first) + "`";
}

Finding finding_of(const RuleInfo& rule, const mpi_check::Problem& problem, const Sentences& own) {
  Finding finding;
  finding.rule = rule.id;
  finding.code = rule.code;
  finding.severity = rule.severity;
  finding.confidence = Confidence::High;
  finding.evidence.push_back({{.kind = AssumptionKind::FewRanks, .subject = std::to_string(problem.world_size)}, {}});
  finding.primary = {problem.mark.file, problem.mark.range};
  finding.message = words_of(problem.statement, own);
  if (problem.is_with_buffers) finding.message += ", where the library buffers what is sent";
  finding.help = help_of(problem.statement, own);
  finding.function = problem.function;
  finding.fingerprint_key = key_of(problem.statement);
  for (const mpi_check::Note& note : problem.notes)
    finding.related.push_back({{note.mark.file, note.mark.range}, words_of(note.statement, own)});
  for (const mpi_check::Lane& lane : problem.lanes) finding.witness.lanes.push_back(lane_of(lane, own));
  if (!problem.lanes.empty())
    finding.witness.assumptions.push_back("the job has " + std::to_string(problem.world_size) + " ranks");
  if (has_a_run(problem)) finding.replay = Rerun(problem, own).replay();
  return finding;
}

bool is_reported(const Shared& shared, const std::string& path) {
  uint32_t at = 0;
  for (const ir::Module& module : shared.index->modules()) {
    if (module.path == path) return shared.reported[at];
    ++at;
  }
  return false;
}

}  // namespace

std::vector<Finding> problems_of(const RuleInfo& rule, const Shared& shared, const Sentences& sentences) {
  std::vector<Finding> findings;
  for (const auto& run : shared.runs)
    for (const mpi_check::Problem& problem : run->problems)
      if (problem.kind == sentences.kind && is_reported(shared, problem.mark.file))
        findings.push_back(finding_of(rule, problem, sentences));
  return findings;
}

}  // namespace ranklint
