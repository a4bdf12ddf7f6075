// What one rank writes or makes under its condition and all ranks use later: without a barrier in between, they may
// read a file half written, or find no folder to write into. Likewise what each rank writes and one of them reads.
#include <algorithm>

#include "analyzer/doubts/file_calls.h"
#include "analyzer/flow/reached.h"
#include "analyzer/questions/communication.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/questions/reached_calls.h"
#include "analyzer/questions/value_numbers.h"
#include "rules/loading/every_rank.h"
#include "rules/wording.h"

namespace ranklint::save_without_barrier {

constexpr RuleInfo kInfo{.id = "save-without-barrier",
                         .code = "RL505",
                         .summary = "a file or folder is used that another rank may not have finished",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "a file is read half written",
                         .premise = "the ranks read what others write at the same time"};

constexpr std::string_view kCalls[] = {"...<writes-file>",   "<reads-file>",   "<writes-weights>", "<reads-weights>",
                                       "...<writes-folder>", "<reads-folder>", "...<makes-folder>"};
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
  FunctionKey function;
  SourceRange used_at;
  std::string user;
  SourceRange made_at;
  Early early = Early::Read;
};

class EarlyUses {
 public:
  explicit EarlyUses(const Query& in)
      : in_(in), values_(in.values()), index_(in.index()), watched_(in.watched().calls) {}

  std::vector<EarlyUse> run() {
    for_each_reached_call(in_, kInfo.id, [&](const Summary& s, const Site& site, const WatchedCall& call) {
      if (const ValueId path = written(FunctionCode(index_, s), site, call); path.valid()) {
        check_reads(s, site, call, path);
        check_shares(s, site, call, path);
      }
      if (in_.roles().play(in_.callee_name(call.call.callee), Role::MakesFolder)) check_uses(s, site, call);
    });
    return std::move(found_);
  }

 private:
  // The path of what the call writes, or reads; a file that is opened is written or read by how it is opened. Invalid:
  // it does neither.
  ValueId written(const FunctionCode& code, const Site& site, const WatchedCall& call) const {
    return file_given(in_, call.call, opens_to_write(code, instruction_at(code, site)) ? kOpened : kWrites);
  }
  ValueId read(const FunctionCode& code, const Site& site, const WatchedCall& call) const {
    return opens_to_write(code, instruction_at(code, site)) ? ValueId{} : file_given(in_, call.call, kReads);
  }

  void check_reads(const Summary& s, const Site& writer, const WatchedCall& call, ValueId path) {
    if (!rank_guard_of(in_, s, writer.block).valid() || values_.diverges(path)) return;
    if (every_rank_.is_left_to_some(s.function)) return;
    const FunctionCode code(index_, s);
    for (const auto& [site, reader] : watched_in(writer.function)) {
      if (read(code, site, reader) != path || !s.graph().reachable(site.block)) continue;
      if (every_rank_.is_guarded(s, site.block) || !can_reach(code, writer.block, site.block)) continue;
      if (waits_between(s, writer, site)) continue;
      found_.push_back({site.function, reader.range, std::string(in_.callee_name(reader.call.callee)), call.range});
      return;
    }
  }

  // What some ranks read file by file, in a loop, in the folder in which every rank writes one.
  void check_shares(const Summary& s, const Site& writer, const WatchedCall& call, ValueId path) {
    if (!values_.diverges(path) || every_rank_.is_guarded(s, writer.block)) return;
    const FunctionCode code(index_, s);
    const ValueNumber folder = folder_of(code, writer, kWrites);
    if (!folder.valid()) return;
    for (const auto& [site, reader] : watched_in(writer.function)) {
      if (!s.graph().loop_around(site.block).valid() || folder_of(code, site, kReads) != folder ||
          number_of_path(code, site, kReads) == number_of_path(code, writer, kWrites) ||
          !rank_guard_of(in_, s, site.block).valid())
        continue;
      if (!can_reach(code, writer.block, site.block) || waits_between(s, writer, site)) continue;
      found_.push_back(
          {site.function, reader.range, std::string(in_.callee_name(reader.call.callee)), call.range, Early::Joined});
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
  void check_uses(const Summary& s, const Site& maker, const WatchedCall& call) {
    if (!rank_guard_of(in_, s, maker.block).valid() || every_rank_.is_left_to_some(s.function)) return;
    const FunctionCode code(index_, s);
    const ValueNumber folder = number_of(code, maker, path_told(in_, code, instruction_at(code, maker)));
    if (!folder.valid() || is_made_by_all(s, code, folder)) return;
    for (const auto& [site, user] : watched_in(maker.function)) {
      if (!s.graph().reachable(site.block)) continue;
      const ValueNumber path =
          number_of_path(code, site, opens_to_write(code, instruction_at(code, site)) ? kOpened : kWritesOneFile);
      if (!path.valid() || numbers_.beginning(path) != folder) continue;
      if (every_rank_.is_guarded(s, site.block) || !can_reach(code, maker.block, site.block)) continue;
      if (waits_between(s, maker, site)) continue;
      found_.push_back(
          {site.function, user.range, std::string(in_.callee_name(user.call.callee)), call.range, Early::Filled});
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

  // Whether the writing rank itself gets from one to the other.
  static bool can_reach(const FunctionCode& code, ir::BlockId first, ir::BlockId second) {
    const auto is_it = [&](ir::BlockId b) { return b == second; };
    return first != second && leads_to(code.ir, first, is_it, &code.graph());
  }

  bool waits_between(const Summary& s, const Site& from, const Site& to) {
    for (ir::BlockId b : s.graph().order())
      for (const Step& step : s.blocks[b.index].steps) {
        const Site& at = in_.site(step.site);
        const bool after = b == from.block ? at.instruction > from.instruction
                                           : s.graph().position(b) > s.graph().position(from.block);
        const bool before =
            b == to.block ? at.instruction < to.instruction : s.graph().position(b) < s.graph().position(to.block);
        // To set up the ranks is to meet, too.
        const bool meets = step.ending != Ending::None || step.event || communication_of(in_, step);
        if (after && before && meets) return true;
      }
    return calls_barrier_between(FunctionCode(index_, s), from, to);
  }

  // Recognises the barrier of an unknown library by its name, in a helper of the project as well.
  bool calls_barrier_between(const FunctionCode& code, const Site& from, const Site& to) const {
    for (ir::BlockId b : code.graph().order())
      for (uint32_t n = 0; n < code.ir.blocks[b].instructions.size(); ++n) {
        const bool after =
            b == from.block ? n > from.instruction : code.graph().position(b) > code.graph().position(from.block);
        const bool before =
            b == to.block ? n < to.instruction : code.graph().position(b) < code.graph().position(to.block);
        if (after && before && calls_barrier(code.module, code.ir, code.ir.blocks[b].instructions[n], 2)) return true;
      }
    return false;
  }

  bool calls_barrier(ModuleKey module, const ir::Function& f, const ir::Instruction& i, int depth) const {
    if (i.kind != ir::InstructionKind::Call) return false;
    if (in_.roles().play(index_.dotted(module, f, i.value), Role::WaitsForAll)) return true;
    const Entity callee = index_.resolve(module, f, i.value);
    if (callee.kind != Entity::Kind::Function || depth == 0) return false;
    const ir::Function& body = index_.function(callee.function);
    return std::ranges::any_of(body.blocks, [&](const ir::Block& block) {
      return std::ranges::any_of(block.instructions, [&](const ir::Instruction& inner) {
        return calls_barrier(index_.functions()[callee.function].module, body, inner, depth - 1);
      });
    });
  }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  const std::map<Site, WatchedCall>& watched_;
  EveryRank every_rank_{in_};
  ValueNumbers numbers_{in_};
  std::vector<EarlyUse> found_;
};

}  // namespace

static void say(const EarlyUse& use, Finding& finding, std::string& made) {
  const std::string user = "`" + use.user + "` ";
  finding.help = "put a barrier between the writing and the reading";
  switch (use.early) {
    case Early::Read:
      finding.message = user + "reads on every rank what one of them has just begun to write";
      made = "written here by some ranks";
      finding.fingerprint_key = use.user + "read";
      break;
    case Early::Filled:
      finding.message = user + "writes on every rank into a folder that one of them has just begun to make";
      made = "made here by some ranks";
      finding.help = "put a barrier after the making, or let every rank make it with `exist_ok=True`";
      finding.fingerprint_key = use.user + "folder";
      break;
    case Early::Joined:
      finding.message = user + "reads on some ranks what every rank has just begun to write";
      made = "each rank writes its own here";
      finding.fingerprint_key = use.user + "joined";
      break;
  }
  finding.message += use.early == Early::Joined ? ": nothing makes them wait for the others"
                                                : ": nothing makes the others wait for it";
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const EarlyUse& use : EarlyUses(in).run()) {
    if (!is_reported(shared, use.function)) continue;
    Finding finding = finding_at(kInfo, shared, use.function, use.used_at, Confidence::Likely);
    std::string made;
    say(use, finding, made);
    finding.related.push_back({location_at(shared, use.function, use.made_at), made});
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::save_without_barrier
