// Every rank makes a folder, or reads a file, whose name has the time of the rank's own clock in it. Ranks that start
// together mostly read the same second; if they do not, one does not find what another wrote.
#include <optional>
#include <set>

#include "analyzer/doubts/file_calls.h"
#include "analyzer/questions/reached_calls.h"
#include "analyzer/variance/terms.h"
#include "rules/loading/every_rank.h"
#include "rules/wording.h"

namespace ranklint::path_named_by_each_rank {

constexpr RuleInfo kInfo{.id = "path-named-by-each-rank",
                         .code = "RL508",
                         .summary = "every rank names a folder, or a file that it reads, after its own clock",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "ranks use different folders",
                         .premise = "what the ranks of a job write belongs together"};

constexpr auto kFiles = {Role::OpensPath, Role::ReadsFile};
constexpr std::string_view kCalls[] = {"...<makes-folder>", "...<reads-file>", "...<opens-path>"};

namespace {

struct OwnPath {
  FunctionKey function;
  SourceRange range;
  bool is_folder = false;
  PlaceInFunction clock;  // where it is looked at
  ReachedByAll reached;
};

class OwnPaths {
 public:
  explicit OwnPaths(const Query& in) : in_(in), values_(in.values()), index_(in.index()) {}

  std::vector<OwnPath> run() {
    for_each_reached_call(in_, kInfo.id,
                          [&](const Summary& s, const Site& site, const WatchedCall& call) { check(s, site, call); });
    return std::move(found_);
  }

 private:
  void check(const Summary& s, const Site& site, const WatchedCall& call) {
    const FunctionCode code(index_, s);
    const ProgramPoint place{site.block, site.instruction};
    const ir::Instruction& i = code.ir.blocks[site.block].instructions[site.instruction];
    if (i.kind != ir::InstructionKind::Call) return;
    const bool is_folder = plays(in_, code, i, Role::MakesFolder);
    // What each writes into a file of its own need not belong together.
    if (!is_folder && opens_to_write(code, i)) return;
    const ir::ExprId path = is_folder ? path_told(in_, code, i) : file_given(in_, code, i, call.call, kFiles);
    if (!path.valid()) return;
    const ValueId value = is_folder ? path_told(in_, call.call) : file_given(in_, call.call, kFiles);
    const Site* clock = clock_in(value);
    if (!clock || known_.contains({s.function, *clock})) return;
    std::optional<ReachedByAll> reached = every_rank_.at(s.function, place, path, value);
    if (!reached) return;
    known_.emplace(s.function, *clock);
    found_.push_back(
        {s.function, call.range, is_folder, {clock->function, in_.call_at(*clock)->range}, std::move(*reached)});
  }

  // The call that asks for the time in a path. Null: there is none, or the rank, the host, the process or a random
  // number beside it makes the path the rank's own on purpose.
  const Site* clock_in(ValueId path) const {
    if (!path.valid() || !values_[path].local) return nullptr;
    const ValueId clock = time_in(path);
    const ValueId other = values_.find_part(path, [&](ValueId part) { return tells_whose(part); });
    const Site* made_at = clock.valid() && !other.valid() ? in_.made_at(clock) : nullptr;
    return made_at && in_.call_at(*made_at) ? made_at : nullptr;
  }
  // The time of which a text is put together, and not what is looked up or chosen by one. Invalid: there is none.
  ValueId time_in(ValueId text) const {
    std::set<ValueId> seen;
    std::vector<ValueId> work{text};
    while (!work.empty()) {
      const ValueId v = work.back();
      work.pop_back();
      if (!seen.insert(v).second) continue;
      if (source_of(v) == LocalSource::Clock) return v;
      const ValueKind kind = values_[v].kind;
      if (kind == ValueKind::Conditional && time_in(values_.child(v, 1)).valid()) work.push_back(values_.child(v, 2));
      if (kind == ValueKind::Binary || kind == ValueKind::Attribute ||
          derived_of(values_, index_, v) == Derived::FilledText ||
          in_.roles().play(function_of(values_, index_, v), Role::FollowsFromArguments))
        work.insert(work.end(), values_.children(v).begin(), values_.children(v).end());
    }
    return {};
  }
  bool tells_whose(ValueId part) const {
    const Value& value = values_[part];
    if (value.kind == ValueKind::Local) return source_of(part) != LocalSource::Clock;
    return value.kind == ValueKind::Coordinate || value.kind == ValueKind::RankIn || value.kind == ValueKind::Believed;
  }
  LocalSource source_of(ValueId part) const { return ranklint::source_of(values_[part], index_.names()); }

  const Query& in_;
  const ValueStore& values_;
  const ProjectIndex& index_;
  EveryRank every_rank_{in_};
  std::set<std::pair<FunctionKey, Site>> known_;  // one use of a time in a function says it for the others
  std::vector<OwnPath> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const OwnPath& own : OwnPaths(in).run()) {
    if (!is_reported(shared, own.function) || is_without_job(shared, own.function)) continue;
    Finding finding =
        finding_at(kInfo, shared, own.function, own.range, certainty_of_several_ranks(shared, own.function));
    finding.message = std::string("every rank names this ") + (own.is_folder ? "folder" : "file") +
                      " after its own clock: ranks of one job may use different ones";
    finding.help = "make the name on one rank and broadcast it, or take it from what starts the job";
    finding.related.push_back({location_at(shared, own.clock.function, own.clock.range), "the time is asked for here"});
    add_way(finding, shared, own.reached);
    finding.fingerprint_key = own.is_folder ? "folder" : "file";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::path_named_by_each_rank
