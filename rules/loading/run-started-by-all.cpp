// Runs that every rank starts at a service that records experiments: as many runs as ranks, each with a part of what
// one rank sees or with the same once more.
#include <algorithm>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/reached_calls.h"
#include "rules/loading/every_rank.h"
#include "rules/wording.h"

namespace ranklint::run_started_by_all {

constexpr RuleInfo kInfo{.id = "run-started-by-all",
                         .code = "RL510",
                         .summary = "every rank starts a run of its own at a service that records runs",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "one job shows as many runs",
                         .premise = "the job is meant to be one run"};

constexpr std::string_view kCalls[] = {"...<starts-run>"};

namespace {

struct StartedRun {
  FunctionKey function;
  SourceRange range;
  std::string callee;
  ReachedByAll reached;
};

class StartedRuns {
 public:
  explicit StartedRuns(const Query& in) : in_(in) {}

  std::vector<StartedRun> run() {
    for_each_reached_call(in_, kInfo.id,
                          [&](const Summary& s, const Site& site, const WatchedCall& call) { check(s, site, call); });
    return std::move(found_);
  }

 private:
  void check(const Summary& s, const Site& site, const WatchedCall& call) {
    const FunctionCode code(in_.index(), s);
    const ir::Instruction& i = code.ir.blocks[site.block].instructions[site.instruction];
    const RoleEntry* starts = i.kind == ir::InstructionKind::Call ? role_of(in_, code, i, Role::StartsRun) : nullptr;
    if (!starts || call.call.open_ended || is_told_apart(call.call, *starts)) return;
    if (std::optional<ReachedByAll> reached = every_rank_.at(s.function, {site.block, site.instruction}))
      found_.push_back({s.function, call.range, in_.callee_path(call.call.callee), std::move(*reached)});
  }

  // Where runs are put into a group, or ranks hand over different things, each is meant to have its own.
  bool is_told_apart(const Call& call, const RoleEntry& starts) const {
    const ValueStore& values = in_.values();
    return in_.argument(call, starts.argument).valid() ||
           std::ranges::any_of(call.positional, [&](ValueId v) { return values.diverges(v); }) ||
           std::ranges::any_of(call.keywords, [&](const auto& k) { return values.diverges(k.second); });
  }

  const Query& in_;
  EveryRank every_rank_{in_};
  std::vector<StartedRun> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const StartedRun& run : StartedRuns(in).run()) {
    if (!is_reported(shared, run.function) || is_without_job(shared, run.function)) continue;
    Finding finding =
        finding_at(kInfo, shared, run.function, run.range, certainty_of_several_ranks(shared, run.function));
    finding.message = "every rank starts a run by `" + run.callee + "`: one job shows as many runs as it has ranks";
    finding.help = "start it on one rank, or give the runs of one job a group";
    add_way(finding, shared, run.reached);
    finding.fingerprint_key = run.callee;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::run_started_by_all
