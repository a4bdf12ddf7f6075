// A file or folder that every rank names after the time. What one rank writes there the others do not find, and mostly
// nobody notices, for ranks often look at the clock in the same second.
#include <optional>
#include <set>

#include "analyzer/doubts/file_calls.h"
#include "analyzer/variance/terms.h"
#include "rules/loading/every_rank.h"
#include "rules/wording.h"

namespace ranklint::path_named_by_each_rank {

constexpr RuleInfo kInfo{.id = "path-named-by-each-rank",
                         .code = "RL508",
                         .summary = "every rank names a file or folder after its own clock",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "ranks use different folders",
                         .premise = "what the ranks of a job write belongs together"};

constexpr std::string_view kCalls[] = {"<makes-folder>", "<writes-file>", "<reads-file>"};

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
    in_.for_each_watched(kInfo.id, [&](FunctionKey f, const auto& calls) {
      const Summary* s = in_.summary(f);
      for (const auto& [site, call] : calls)
        if (s && s->graph().reachable(site.block)) check(*s, site, call);
    });
    return std::move(found_);
  }

 private:
  void check(const Summary& s, const Site& site, const WatchedCall& call) {
    const FunctionCode code(index_, s);
    const ProgramPoint place{site.block, site.instruction};
    const ir::Instruction& i = code.ir.blocks[site.block].instructions[site.instruction];
    if (i.kind != ir::InstructionKind::Call) return;
    const bool is_folder = plays(in_, code, i, Role::MakesFolder);
    const ir::ExprId path = is_folder ? path_told(in_, code, i) : file_of(code, i);
    if (!path.valid()) return;
    const Site* clock = clock_in(is_folder ? folder_of(call.call) : file_of(call.call));
    if (!clock || !named_.insert(*clock).second || every_rank().names_rank(code, path, place)) return;
    if (std::optional<ReachedByAll> reached = every_rank().at(s.function, place))
      found_.push_back({s.function, call.range, is_folder, {clock->function, range_of(*clock)}, std::move(*reached)});
  }

  ir::ExprId file_of(const FunctionCode& code, const ir::Instruction& i) const {
    for (const Role role : {Role::WritesFile, Role::ReadsFile})
      if (const RoleEntry* entry = role_of(in_, code, i, role)) return given_for(code, i, *entry);
    return {};
  }
  ValueId file_of(const Call& call) const {
    for (const Role role : {Role::WritesFile, Role::ReadsFile})
      if (const RoleEntry* entry = in_.roles().find(in_.callee_path(call.callee), role))
        return in_.argument(call, entry->argument);
    return {};
  }
  // `os.makedirs(path)`; of `path.mkdir()` the callee is the path's.
  ValueId folder_of(const Call& call) const {
    return call.positional.empty() ? in_.receiver_of(call.callee) : call.positional[0];
  }

  // Where the time in a path was asked for. Null: there is none, or the rank, the host, the process or a random number
  // beside it makes the path the rank's own on purpose.
  const Site* clock_in(ValueId path) const {
    if (!path.valid() || !values_[path].local) return nullptr;
    const auto find = [&](auto&& is_such) { return values_.find_part(path, is_such); };
    const ValueId clock = find([&](ValueId part) { return source_of(part) == LocalSource::Clock; });
    const ValueId other = find([&](ValueId part) { return tells_whose(part); });
    return clock.valid() && !other.valid() ? in_.made_at(clock) : nullptr;
  }
  bool tells_whose(ValueId part) const {
    const ValueKind kind = values_[part].kind;
    return kind == ValueKind::Coordinate || kind == ValueKind::RankIn || kind == ValueKind::Believed ||
           source_of(part) == LocalSource::Host || source_of(part) == LocalSource::Random;
  }
  LocalSource source_of(ValueId part) const { return ranklint::source_of(values_[part], index_.names()); }

  SourceRange range_of(const Site& site) const {
    return index_.function(site.function).blocks[site.block].instructions[site.instruction].range;
  }

  const EveryRank& every_rank() {
    if (!every_rank_) every_rank_.emplace(in_);
    return *every_rank_;
  }

  const Query& in_;
  const ValueStore& values_;
  const ProjectIndex& index_;
  std::optional<EveryRank> every_rank_;
  std::set<Site> named_;  // one use of a time says it for the others
  std::vector<OwnPath> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const OwnPath& own : OwnPaths(in).run()) {
    if (!is_reported(shared, own.function) || shared.jobless->asked_around(own.function)) continue;
    Finding finding = finding_at(kInfo, shared, own.function, own.range, Confidence::Likely);
    finding.message = std::string("every rank names this ") + (own.is_folder ? "folder" : "file") +
                      " after its own clock: ranks of one job may use different ones";
    finding.help = "make the name on one rank and broadcast it, or take it from what starts the job";
    finding.related.push_back({location_at(shared, own.clock.function, own.clock.range), "the time is asked for here"});
    for (const PlaceInFunction& call : own.reached.calls)
      finding.related.push_back({location_at(shared, call.function, call.range), "leads here"});
    const PlaceInFunction& together = own.reached.together;
    finding.related.push_back({location_at(shared, together.function, together.range), "all ranks get here"});
    finding.fingerprint_key = own.is_folder ? "folder" : "file";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::path_named_by_each_rank
