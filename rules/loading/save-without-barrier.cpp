// What one rank writes or makes under its condition and all ranks use later: without a barrier in between, they may
// read a file half written, or find no folder to write into. Likewise what each rank writes and one of them reads.
#include <algorithm>

#include "analyzer/doubts/file_calls.h"
#include "analyzer/flow/reached.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/questions/reached_calls.h"
#include "analyzer/questions/value_numbers.h"
#include "analyzer/variance/satisfiable.h"
#include "rules/loading/file_deeds.h"
#include "rules/loading/meetings.h"
#include "rules/wording.h"

namespace ranklint::save_without_barrier {

constexpr RuleInfo kInfo{.id = "save-without-barrier",
                         .code = "RL505",
                         .summary = "a file or folder is used that another rank may not have finished",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "a file is read half written",
                         .premise = "the ranks read what others write at the same time"};

constexpr std::string_view kCalls[] = {"...<writes-file>", "...<reads-file>", "...<writes-folder>", "...<reads-folder>",
                                       "...<makes-folder>"};
constexpr auto kWrites = {Role::WritesFile, Role::WritesFolder};
constexpr auto kReads = {Role::ReadsFile, Role::ReadsFolder};
constexpr auto kWritesOneFile = {Role::WritesFile};
constexpr auto kOpened = {Role::ReadsFile, Role::WritesFile};

namespace {

enum class Early : uint8_t {
  Read,    // by all: what some write
  Filled,  // by all: the folder that some make
  Joined,  // by some: the files that all write
};

struct EarlyUse {
  Early early = Early::Read;
  std::vector<Site> used;                              // the calls that lead to the use, outermost first, and the use
  std::vector<Site> made;                              // likewise of what is used
  std::optional<ReachedByAll> reached = std::nullopt;  // where it was asked for
};

class EarlyUses {
 public:
  explicit EarlyUses(const Query& in)
      : in_(in), values_(in.values()), index_(in.index()), watched_(in.watched().calls) {}

  std::vector<EarlyUse> run() {
    in_.for_each_function_to_check(kInfo.id, [&](FunctionKey f) {
      if (const std::span<const FileDeed> deeds = deeds_.of(f); !deeds.empty()) check_reads(*in_.summary(f), deeds);
    });
    for_each_reached_call(in_, kInfo.id, [&](const Summary& s, const Site& site, const WatchedCall& call) {
      if (const ValueId path = path_written(in_, FunctionCode(index_, s), site, call.call); path.valid())
        check_shares(s, site, path);
      if (in_.roles().play(in_.callee_name(call.call.callee), Role::MakesFolder)) check_uses(s, site);
    });
    return std::move(found_);
  }

 private:
  static ProgramPoint point(const Site& site) { return {site.block, site.instruction}; }

  // What some write and all read, there or in what is called.
  void check_reads(const Summary& s, std::span<const FileDeed> deeds) {
    if (every_rank_.is_left_to_some(s.function)) return;
    std::set<Site> told;  // one finding for a place, whoever wrote
    for (const FileDeed& writer : deeds)
      for (const FileDeed& reader : deeds)
        if (writer.writes() && writer.by_some && !reader.writes() && !told.contains(reader.way.front()) &&
            comes_early(s, reader, writer))
          told.insert(reader.way.front());
  }

  // Whether ranks read what others may still write; adds it then.
  bool comes_early(const Summary& s, const FileDeed& reader, const FileDeed& writer) {
    const Site &from = writer.way.front(), &to = reader.way.front();
    if (!reader.path.valid() || reader.path != writer.path || !comes_after(s, from, to)) return false;
    std::vector<TermLiteral> both = writer.conditions;
    both.insert(both.end(), reader.conditions.begin(), reader.conditions.end());
    if (!can_hold_together(values_, both)) return false;
    if (meetings_.between(s, from, to) || waits_below(writer, &Meetings::after) ||
        waits_below(reader, &Meetings::before))
      return false;
    EarlyUse use{.used = reader.way, .made = writer.way};
    if (reader.way.size() + writer.way.size() > 2) {
      use.reached = every_rank_.at(s.function, point(to));
      if (!use.reached) return false;
    }
    found_.push_back(std::move(use));
    return true;
  }

  // Whether ranks meet on one of the calls that lead to the deed, on its side of it.
  bool waits_below(const FileDeed& deed, bool (Meetings::*meets)(const Summary&, const Site&) const) const {
    return std::ranges::any_of(deed.way.begin() + 1, deed.way.end(), [&](const Site& site) {
      const Summary* s = in_.summary(site.function);
      return !s || (meetings_.*meets)(*s, site);
    });
  }

  // What some ranks read file by file, in a loop, in the folder in which every rank writes one.
  void check_shares(const Summary& s, const Site& writer, ValueId path) {
    if (!values_.diverges(path) || every_rank_.is_guarded(s, writer.block)) return;
    const FunctionCode code(index_, s);
    const ValueNumber folder = folder_of(code, writer, kWrites);
    if (!folder.valid()) return;
    for (const auto& [site, reader] : watched_in(writer.function)) {
      if (!s.graph().loop_around(site.block).valid() || folder_of(code, site, kReads) != folder ||
          number_of_path(code, site, kReads) == number_of_path(code, writer, kWrites) ||
          !rank_guard_of(in_, s, site.block).valid())
        continue;
      if (!comes_after(s, writer, site) || meetings_.between(s, writer, site)) continue;
      found_.push_back({Early::Joined, {site}, {writer}});
      return;
    }
  }

  ValueNumber number_of_path(const FunctionCode& code, const Site& site, std::initializer_list<Role> roles) {
    const ir::Instruction& i = instruction_at(code, site);
    const auto call = watched_.find(site);
    return number_of(
        code, site,
        call == watched_.end() ? file_given(in_, code, i, roles) : file_given(in_, code, i, call->second.call, roles));
  }
  ValueNumber folder_of(const FunctionCode& code, const Site& site, std::initializer_list<Role> roles) {
    const ValueNumber path = number_of_path(code, site, roles);
    return path.valid() ? numbers_.beginning(path) : path;
  }

  // What is written into a folder that some ranks make. What is read out of one is there already, and so is the folder.
  void check_uses(const Summary& s, const Site& maker) {
    if (!is_for_some(in_, s, maker.block) || every_rank_.is_left_to_some(s.function)) return;
    const FunctionCode code(index_, s);
    const ValueNumber folder = number_of(code, maker, path_told(in_, code, instruction_at(code, maker)));
    if (!folder.valid() || is_made_by_all(s, code, folder)) return;
    for (const auto& [site, user] : watched_in(maker.function)) {
      if (!s.graph().reachable(site.block)) continue;
      const ValueNumber path =
          number_of_path(code, site, opens_to_write(code, instruction_at(code, site)) ? kOpened : kWritesOneFile);
      if (!path.valid() || numbers_.beginning(path) != folder) continue;
      if (every_rank_.is_guarded(s, site.block) || !comes_after(s, maker, site)) continue;
      if (meetings_.between(s, maker, site)) continue;
      found_.push_back({Early::Filled, {site}, {maker}});
      return;
    }
  }

  // Whether every rank makes the folder, or one in it.
  bool is_made_by_all(const Summary& s, const FunctionCode& code, ValueNumber folder) {
    return std::ranges::any_of(watched_in(s.function), [&](const auto& made) {
      const auto& [site, call] = made;
      if (rank_guard_of(in_, s, site.block).valid() ||
          !in_.roles().play(in_.callee_name(call.call.callee), Role::MakesFolder))
        return false;
      const ValueNumber path = number_of(code, site, path_told(in_, code, instruction_at(code, site)));
      return path == folder || (path.valid() && numbers_.beginning(path) == folder);
    });
  }

  WatchedCalls watched_in(FunctionKey f) const {
    return {watched_.lower_bound(Site{.function = f, .block = ir::BlockId{0}}),
            watched_.lower_bound(Site{.function = FunctionKey{f.index + 1}, .block = ir::BlockId{0}})};
  }

  static const ir::Instruction& instruction_at(const FunctionCode& code, const Site& site) {
    return code.ir.blocks[site.block].instructions[site.instruction];
  }
  ValueNumber number_of(const FunctionCode& code, const Site& site, ir::ExprId e) {
    return e.valid() ? numbers_.of(code, e, {site.block, site.instruction}) : ValueNumber{};
  }

  // Whether the rank that comes to one of the two goes on to the other, in the same round of the loops around both.
  bool comes_after(const Summary& s, const Site& first, const Site& second) const {
    if (first.block == second.block) return first.instruction < second.instruction;
    const ir::Function& f = index_.function(s.function);
    const FlowGraph& graph = s.graph();
    const auto is_it = [&](ir::BlockId b) { return b == second.block; };
    if (!leads_to(f, first.block, is_it)) return false;
    ir::BlockId from = first.block;  // or where the loops are left that are around the first alone
    for (ir::BlockId above = from; above.valid(); above = graph.dominator(above))
      if (graph.is_loop_header(above) && graph.lies_in_loop(first.block, above) &&
          !graph.lies_in_loop(second.block, above))
        from = above;
    return leads_to(f, from, is_it, &graph);
  }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  const std::map<Site, WatchedCall>& watched_;
  EveryRank every_rank_{in_};
  const FileDeeds deeds_{in_, every_rank_};
  const Meetings meetings_{in_};
  ValueNumbers numbers_{in_};
  std::vector<EarlyUse> found_;
};

}  // namespace

// Of a call that leads to one that is watched for, or of that one.
static const WatchedCall& call_at(const Query& in, const Site& site) {
  const auto& calls = in.watched().calls;
  const auto found = calls.find(site);
  return found != calls.end() ? found->second : in.watched().ways.at(site);
}

static void add_way(const Query& in, const Shared& shared, std::span<const Site> way, const std::string& does,
                    Finding& finding) {
  for (size_t i = 0; i < way.size(); ++i)
    finding.related.push_back({location_at(shared, way[i].function, call_at(in, way[i]).range),
                               i + 1 < way.size() ? "leads to what is " + does : does});
}

static void say(const Query& in, const Shared& shared, const EarlyUse& use, Finding& finding) {
  const std::string name(in.callee_name(call_at(in, use.used.front()).call.callee)), user = "`" + name + "` ";
  finding.help = "put a barrier between the writing and the reading";
  std::string made = "written here by some ranks";
  switch (use.early) {
    case Early::Read:
      finding.message = user + "reads on every rank what one of them has just begun to write";
      finding.fingerprint_key = name + "read";
      break;
    case Early::Filled:
      finding.message = user + "writes on every rank into a folder that one of them has just begun to make";
      made = "made here by some ranks";
      finding.help = "put a barrier after the making, or let every rank make it with `exist_ok=True`";
      finding.fingerprint_key = name + "folder";
      break;
    case Early::Joined:
      finding.message = user + "reads on some ranks what every rank has just begun to write";
      made = "each rank writes its own here";
      finding.fingerprint_key = name + "joined";
      break;
  }
  finding.message += use.early == Early::Joined ? ": nothing makes them wait for the others"
                                                : ": nothing makes the others wait for it";
  add_way(in, shared, use.made, made, finding);
  add_way(in, shared, std::span(use.used).subspan(1), "read here", finding);
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const EarlyUse& use : EarlyUses(in).run()) {
    const Site& at = use.used.front();
    if (!is_reported(shared, at.function)) continue;
    Finding finding = finding_at(kInfo, shared, at.function, call_at(in, at).range, Confidence::Likely);
    say(in, shared, use, finding);
    if (use.reached) add_way(finding, shared, *use.reached);
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::save_without_barrier
