// Files that ranks share. What one rank writes under its condition and all read further down needs something to wait
// for in between; what is no part of the sharded model, a tokenizer say, is written by one rank or by all into the same
// file at once. That all ranks are there is taken from a collective in the same function that stands under no rank
// condition.
#include <algorithm>
#include <set>

#include "analyzer/compare/tensor_passes.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/communication.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/rank_guard.h"

namespace ranklint {
namespace {

class SharedFiles {
 public:
  SharedFiles(const Query& in, TensorFacts& facts)
      : in_(in), values_(in.values()), index_(in.index()), facts_(facts), watched_(in.watched().calls) {}

  void run() {
    for (const auto& [site, call] : watched_) {
      const Summary* s = in_.summary(site.function);
      if (!s || !s->graph.reachable(site.block)) continue;
      if (const ValueId path = path_of(call, Role::WritesFile); path.valid()) check_reads(*s, site, call, path);
      if (in_.roles().play(in_.callee_name(call.call.callee), Role::WritesFolder)) check_write(*s, site, call);
    }
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
          !s.graph.reachable(site.block))
        continue;
      if (rank_guard_of(in_, s, site.block).valid() || !lies_behind(code, writer.block, site.block)) continue;
      if (waits_between(s, writer, site)) continue;
      facts_.early_reads.push_back({site.function,
                                    reader.range,
                                    std::string(in_.callee_name(reader.call.callee)),
                                    site.function,
                                    call.range,
                                    {},
                                    Certainty::Likely});
      return;
    }
  }

  // Whether the writing rank itself gets from one to the other.
  static bool lies_behind(const FunctionCode& code, ir::BlockId first, ir::BlockId second) {
    std::set<ir::BlockId> seen{first};
    std::vector<ir::BlockId> work{first};
    while (!work.empty()) {
      const ir::BlockId b = work.back();
      work.pop_back();
      for (ir::BlockId next : FlowGraph::successors(code.ir.blocks[b]))
        if (code.graph.position(next) > code.graph.position(b) && seen.insert(next).second) work.push_back(next);
    }
    return first != second && seen.contains(second);
  }

  bool waits_between(const Summary& s, const Site& from, const Site& to) {
    for (ir::BlockId b : s.graph.order())
      for (const Step& step : s.blocks[b.index].steps) {
        const Site& at = in_.site(step.site);
        const bool behind =
            b == from.block ? at.instruction > from.instruction : s.graph.position(b) > s.graph.position(from.block);
        const bool before =
            b == to.block ? at.instruction < to.instruction : s.graph.position(b) < s.graph.position(to.block);
        if (behind && before && (step.leaves || communication_of(in_, step))) return true;
      }
    return calls_barrier_between(FunctionCode(index_, s), from, to);
  }

  // A barrier of a library that is not known, by its name; in a helper of the project as well.
  bool calls_barrier_between(const FunctionCode& code, const Site& from, const Site& to) const {
    for (ir::BlockId b : code.graph.order())
      for (uint32_t n = 0; n < code.ir.blocks[b].instructions.size(); ++n) {
        const bool behind =
            b == from.block ? n > from.instruction : code.graph.position(b) > code.graph.position(from.block);
        const bool before = b == to.block ? n < to.instruction : code.graph.position(b) < code.graph.position(to.block);
        if (behind && before && calls_barrier(code.module, code.ir, code.ir.blocks[b].instructions[n], 2)) return true;
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

  void check_write(const Summary& s, const Site& site, const WatchedCall& call) {
    const ir::Function& f = index_.function(site.function);
    const FunctionCode code(index_, s);
    const ir::Instruction& i = f.blocks[site.block].instructions[site.instruction];
    if (f.exprs[i.value].kind != ir::ExprKind::Attribute || call.call.positional.empty() || decides_itself(call.call))
      return;
    const std::string owner = index_.dotted(code.module, f, ir::children(f, i.value)[0]);
    if (!in_.priors().suggest(owner, NameMeaning::Preprocessor)) return;
    if (guarded(s, site.block) || values_.diverges(call.call.positional[0]) ||
        names_rank(code, first_argument(code, i), {site.block, site.instruction}))
      return;
    if (const Step* all = met_by_all(s))
      facts_.shared_writes.push_back(
          {site.function, call.range, owner, site.function, all->range, {}, Certainty::Likely});
  }

  bool decides_itself(const Call& call) const {
    return call.open_ended || std::any_of(call.keywords.begin(), call.keywords.end(), [&](const auto& k) {
             const std::string_view name = index_.names().text(k.first);
             return name == "is_main_process" || name == "save_function";
           });
  }

  // A rank condition, or one that is named like one.
  bool guarded(const Summary& s, ir::BlockId block) {
    if (rank_guard_of(in_, s, block).valid()) return true;
    const FunctionCode code(index_, s);
    // Of `not distributed or rank == 0` no part alone leads here: the ways in are asked.
    for (ir::BlockId above = block; above.valid(); above = s.graph.dominator(above))
      for (ir::BlockId before : s.graph.predecessors(above)) {
        const ir::Block& b = code.ir.blocks[before];
        if (b.terminator.kind == ir::TerminatorKind::Branch && b.terminator.value.valid() &&
            asks_rank(code, b.terminator.value, {before, static_cast<uint32_t>(b.instructions.size())}))
          return true;
      }
    return false;
  }

  // Whether the condition, or a call that it compares, is named like a rank.
  bool asks_rank(const FunctionCode& code, ir::ExprId condition, Place at) const {
    if (mentions_rank(code.ir, code.text, condition)) return true;
    const Derivation from = derivation_of(code, condition, at);
    return std::any_of(from.calls.begin(), from.calls.end(), [&](const Place& p) {
      return mentions_rank(code.ir, code.text, code.ir.blocks[p.block].instructions[p.instruction].value);
    });
  }

  bool mentions_rank(const ir::Function& f, const ir::Module& text, ir::ExprId e) const {
    return ir::any_part(f, e, [&](ir::ExprId part) {
      const ir::Expr& expr = f.exprs[part];
      return (expr.kind == ir::ExprKind::Name || expr.kind == ir::ExprKind::Attribute) &&
             in_.priors().suggest(text.text(expr.symbol), NameMeaning::SomeRanks);
    });
  }

  // Whether the path is made of something named after the rank, in this function.
  bool names_rank(const FunctionCode& code, ir::ExprId path, Place at) const {
    const Derivation from = derivation_of(code, path, at);
    const auto ranked = [&](Symbol s) { return in_.priors().suggest(code.text.text(s), NameMeaning::Rank); };
    if (std::any_of(from.names.begin(), from.names.end(), ranked)) return true;
    return std::any_of(from.calls.begin(), from.calls.end(), [&](const Place& p) {
      const ir::Instruction& call = code.ir.blocks[p.block].instructions[p.instruction];
      return std::any_of(ir::arguments(code.ir, call).begin(), ir::arguments(code.ir, call).end(),
                         [&](const ir::Argument& a) { return mentions_rank(code.ir, code.text, a.value); });
    });
  }

  // A communication of the function itself that no rank condition guards.
  // What communicates in some set-ups only may be called by one rank for a model of its own, and a framework's run may
  // be of one process.
  const Step* met_by_all(const Summary& s) {
    for (ir::BlockId b : s.graph.order())
      for (const Step& step : s.blocks[b.index].steps)
        if (step.event && step.event->model->kind == ModelKind::Collective && !step.event->model->conditional &&
            step.event->model->about != "run" && !guarded(s, b))
          return &step;
    return nullptr;
  }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  TensorFacts& facts_;
  const std::map<Site, WatchedCall> watched_;
};

}  // namespace

void find_shared_files(const Query& query, TensorFacts& facts) { SharedFiles(query, facts).run(); }

}  // namespace ranklint
