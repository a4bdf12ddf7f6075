// What one rank writes or makes under its condition and all ranks use later: without a barrier in between, they may
// read a file half written, or find no folder to write into. Likewise what each rank writes and one of them reads.
#include <algorithm>

#include "analyzer/flow/reached.h"
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

constexpr std::string_view kCalls[] = {"...<writes-file>",   "...<reads-file>",   "...<opens-path>",
                                       "...<writes-folder>", "...<reads-folder>", "...<makes-folder>"};

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
  explicit EarlyUses(const Query& in) : in_(in), values_(in.values()) {}

  std::vector<EarlyUse> run() {
    in_.for_each_function_to_check(kInfo.id, [&](FunctionKey f) {
      if (const std::span<const FileDeed> deeds = deeds_.of(f); deeds.size() > 1) check(*in_.summary(f), deeds);
    });
    return std::move(found_);
  }

 private:
  static ProgramPoint point(const Site& site) { return {site.block, site.instruction}; }

  void check(const Summary& s, std::span<const FileDeed> deeds) {
    if (every_rank_.is_left_to_some(s.function)) return;
    // One finding for what is made at a place, and one for what is used at one.
    std::set<std::pair<Site, Early>> told;
    for (const FileDeed& made : deeds)
      for (const FileDeed& used : deeds) {
        const std::optional<Early> early = use_of(deeds, made, used);
        if (!early || told.contains({made.way.front(), *early}) || told.contains({used.way.front(), *early})) continue;
        if (comes_early(s, *early, made, used)) told.insert({{made.way.front(), *early}, {used.way.front(), *early}});
      }
  }

  // What it would be if the one followed the other at once. Nothing: they have nothing to do with each other.
  std::optional<Early> use_of(std::span<const FileDeed> deeds, const FileDeed& made, const FileDeed& used) const {
    if (!made.path.valid() || !used.path.valid()) return std::nullopt;
    const bool by_some_first = made.by_some && !used.may_be_by_some;
    if (used.kind == FileDeed::Kind::Reads && by_some_first && made.writes() && made.path == used.path)
      return Early::Read;
    // What is read out of a folder is there already, and so is the folder.
    if (used.writes_file() && by_some_first && made.kind == FileDeed::Kind::MakesFolder &&
        beginning_of(in_, used.path) == made.path && !is_made_by_all(deeds, made.path))
      return Early::Filled;
    const bool by_all_first = !made.may_be_by_some && used.by_some;
    const bool is_joined = used.kind == FileDeed::Kind::Reads && by_all_first && made.writes() &&
                           values_.diverges(made.path) && is_repeated(made, used) &&
                           lie_in_one_folder(in_, made.path, used.path);
    return is_joined ? std::optional(Early::Joined) : std::nullopt;
  }

  // Whether every rank makes the folder, or one in it.
  bool is_made_by_all(std::span<const FileDeed> deeds, ValueId folder) const {
    return std::ranges::any_of(deeds, [&](const FileDeed& deed) {
      return deed.kind == FileDeed::Kind::MakesFolder && !deed.by_some && deed.path.valid() &&
             (deed.path == folder || beginning_of(in_, deed.path) == folder);
    });
  }

  // Whether it is used in a loop that is not around both.
  bool is_repeated(const FileDeed& made, const FileDeed& used) const {
    const ir::BlockId both = made.way.front().block;
    return std::ranges::any_of(used.way, [&](const Site& site) {
      const Summary* s = in_.summary(site.function);
      const ir::BlockId loop = s ? s->graph().loop_around(site.block) : ir::BlockId{};
      return loop.valid() && !(site == used.way.front() && s->graph().lies_in_loop(both, loop));
    });
  }

  // Whether nothing makes ranks wait between the two; adds it then.
  bool comes_early(const Summary& s, Early early, const FileDeed& made, const FileDeed& used) {
    const Site &from = made.way.front(), &to = used.way.front();
    if (!comes_after(s, from, to)) return false;
    std::vector<TermLiteral> both = made.conditions;
    both.insert(both.end(), used.conditions.begin(), used.conditions.end());
    if (!can_hold_together(values_, both)) return false;
    if (meetings_.between(s, from, to) || waits_below(made, &Meetings::after) || waits_below(used, &Meetings::before))
      return false;
    EarlyUse use{.early = early, .used = used.way, .made = made.way};
    if (used.way.size() + made.way.size() > 2) {
      use.reached = every_rank_.at(s.function, point(early == Early::Joined ? from : to));
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

  // Whether the rank that comes to one of the two goes on to the other, in the same round of the loops around both.
  bool comes_after(const Summary& s, const Site& first, const Site& second) const {
    if (first.block == second.block) return first.instruction < second.instruction;
    const ir::Function& f = in_.index().function(s.function);
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
  EveryRank every_rank_{in_};
  const FileDeeds deeds_{in_, every_rank_};
  const Meetings meetings_{in_};
  std::vector<EarlyUse> found_;
};

}  // namespace

// Of a call that leads to one that is watched for, or of that one.
static const WatchedCall& watched_at(const Query& in, const Site& site) {
  const auto& calls = in.watched().calls;
  const auto found = calls.find(site);
  return found != calls.end() ? found->second : in.watched().ways.at(site);
}

static void add_way(const Query& in, const Shared& shared, std::span<const Site> way, const std::string& does,
                    Finding& finding) {
  for (size_t i = 0; i < way.size(); ++i)
    finding.related.push_back({location_at(shared, way[i].function, watched_at(in, way[i]).range),
                               i + 1 < way.size() ? "leads there" : does});
}

static void say(const Query& in, const Shared& shared, const EarlyUse& use, Finding& finding) {
  const std::string name(in.callee_name(watched_at(in, use.used.front()).call.callee)), user = "`" + name + "` ";
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
  add_way(in, shared, std::span(use.used).subspan(1), use.early == Early::Filled ? "written here" : "read here",
          finding);
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const EarlyUse& use : EarlyUses(in).run()) {
    const Site& at = use.used.front();
    if (!is_reported(shared, at.function)) continue;
    Finding finding = finding_at(kInfo, shared, at.function, watched_at(in, at).range,
                                 certainty_of_several_ranks(shared, at.function));
    say(in, shared, use, finding);
    if (use.reached) add_way(finding, shared, *use.reached);
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::save_without_barrier
