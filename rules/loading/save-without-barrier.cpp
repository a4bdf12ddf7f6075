// A file that one rank writes under its condition and all ranks read later: without a barrier in between, they may read
// it half written.
#include <algorithm>
#include <set>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/communication.h"
#include "analyzer/questions/rank_guard.h"
#include "rules/wording.h"

namespace ranklint::save_without_barrier {

constexpr RuleInfo kInfo{.id = "save-without-barrier",
                         .code = "RL505",
                         .summary = "all ranks read a file that one of them may still be writing",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "a file is read half written",
                         .premise = "the ranks read what one of them writes at the same time"};

constexpr std::string_view kCalls[] = {"<writes-weights>", "<reads-weights>"};

namespace {

struct EarlyRead {
  FunctionKey function;
  SourceRange read_at;
  std::string reader;
  SourceRange written_at;
};

class EarlyReads {
 public:
  explicit EarlyReads(const Query& in)
      : in_(in), values_(in.values()), index_(in.index()), watched_(in.watched().calls) {}

  std::vector<EarlyRead> run() {
    in_.for_each_watched(kInfo.id, [&](FunctionKey f, const auto& calls) {
      const Summary* s = in_.summary(f);
      for (const auto& [site, call] : calls) {
        if (!s || !s->graph().reachable(site.block)) continue;
        if (const ValueId path = path_of(call, Role::WritesFile); path.valid()) check_reads(*s, site, call, path);
      }
    });
    return std::move(found_);
  }

 private:
  ValueId path_of(const WatchedCall& call, Role role) {
    const RoleEntry* entry = in_.roles().find(in_.callee_path(call.call.callee), role);
    return entry ? in_.argument(call.call, entry->argument) : ValueId{};
  }

  void check_reads(const Summary& s, const Site& writer, const WatchedCall& call, ValueId path) {
    if (!rank_guard_of(in_, s, writer.block).valid() || values_.diverges(path)) return;
    const FunctionCode code(index_, s);
    for (const auto& [site, reader] : watched_) {
      if (site.function != writer.function || path_of(reader, Role::ReadsFile) != path ||
          !s.graph().reachable(site.block))
        continue;
      if (rank_guard_of(in_, s, site.block).valid() || !can_reach(code, writer.block, site.block)) continue;
      if (waits_between(s, writer, site)) continue;
      found_.push_back({site.function, reader.range, std::string(in_.callee_name(reader.call.callee)), call.range});
      return;
    }
  }

  // Whether the writing rank itself gets from one to the other.
  static bool can_reach(const FunctionCode& code, ir::BlockId first, ir::BlockId second) {
    std::set<ir::BlockId> seen{first};
    std::vector<ir::BlockId> work{first};
    while (!work.empty()) {
      const ir::BlockId b = work.back();
      work.pop_back();
      for (ir::BlockId next : FlowGraph::successors(code.ir.blocks[b]))
        if (code.graph().position(next) > code.graph().position(b) && seen.insert(next).second) work.push_back(next);
    }
    return first != second && seen.contains(second);
  }

  bool waits_between(const Summary& s, const Site& from, const Site& to) {
    for (ir::BlockId b : s.graph().order())
      for (const Step& step : s.blocks[b.index].steps) {
        const Site& at = in_.site(step.site);
        const bool after = b == from.block ? at.instruction > from.instruction
                                           : s.graph().position(b) > s.graph().position(from.block);
        const bool before =
            b == to.block ? at.instruction < to.instruction : s.graph().position(b) < s.graph().position(to.block);
        if (after && before && (step.ending != Ending::None || communication_of(in_, step))) return true;
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
  std::vector<EarlyRead> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const EarlyRead& read : EarlyReads(in).run()) {
    if (!is_reported(shared, read.function)) continue;
    Finding finding = finding_at(kInfo, shared, read.function, read.read_at, Confidence::Likely);
    finding.message =
        "`" + read.reader +
        "` reads on every rank what one of them has just begun to write: nothing makes the others wait for it";
    finding.related.push_back({location_at(shared, read.function, read.written_at), "written here by some ranks"});
    finding.help = "put a barrier between the writing and the reading";
    finding.fingerprint_key = read.reader + "read";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::save_without_barrier
