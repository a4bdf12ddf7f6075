#include "analyzer/product/pending_mismatches.h"

#include <algorithm>
#include <iterator>

#include "analyzer/base/stack_room.h"
#include "analyzer/base/work_limit.h"
#include "analyzer/execution/per_rank_executor.h"
#include "analyzer/ir/shared_variable.h"
#include "analyzer/questions/code.h"
#include "analyzer/questions/other_way.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/leads_to.h"

namespace ranklint {

void PendingMismatches::clear() {
  pending_.clear();
  confirmed_.clear();
  divergences_.clear();
}

size_t FoundInFunction::keep(const Query& in, FunctionKey root, const World& world, LockstepResult result) {
  // A walk that ran out of budget has refuted nothing, and what ranks pass apart is in order only where all of it is.
  if (result.exhausted)
    in.note_incomplete(root, IncompleteReason::ManyPaths);
  else
    for (const DivergencePlace& guard : result.diverged) divergences_.emplace(guard, root);
  if (!result.exhausted && result.found.empty())
    for (const DivergencePlace& guard : result.passed_apart) divergences_.emplace(guard, root);
  for (LockstepResult::Found& f : result.found) {
    if (result.exhausted) f.mismatch.certainty.assume({.kind = AssumptionKind::BudgetReached});
    if (f.at_end) {
      open_.insert(root);
      pending_.emplace_back(f.guard, found(in, root, world, std::move(f.mismatch), f.trace));
    } else {
      confirm(in, root, world, f.guard, std::move(f.mismatch), f.trace);
    }
  }
  return result.found.size() + result.exhausted;
}

void FoundInFunction::confirm(const Query& in, FunctionKey root, const World& world, const DivergencePlace& at,
                              Mismatch mismatch, const DecisionTrace& trace) {
  confirmed_.emplace_back(at, found(in, root, world, std::move(mismatch), trace));
}

FoundMismatch FoundInFunction::found(const Query& in, FunctionKey root, const World& world, Mismatch mismatch,
                                     const DecisionTrace& trace) const {
  if (replays_) {
    const auto& steps = mismatch.first.steps;
    const FunctionKey function = steps.empty() ? mismatch.function : steps.back().function;
    mismatch.replay = std::make_shared<const Replay>(
        replay_at(in, trace, world, function, steps.empty() ? mismatch.guard : steps.back().range));
  }
  return {std::move(mismatch), root};
}

void PendingMismatches::add(FoundInFunction found) {
  for (const auto& [guard, root] : found.divergences_) divergences_[guard].insert(root.index);
  for (auto& [guard, mismatch] : found.pending_) pending_[guard].push_back(std::move(mismatch));
  for (auto& [guard, mismatch] : found.confirmed_) confirmed_[guard].push_back(std::move(mismatch));
}

// Orders witnesses: the surest first; then those that follow from the numbers of ranks before those that follow from
// what one sees by itself; then fewest assumptions; then the shortest.
static auto quality(const Mismatch& m) {
  const bool by_itself = m.cause == Mismatch::Cause::LocalBranch || m.cause == Mismatch::Cause::LocalLoop;
  const auto length = std::ranges::count_if(m.first.steps, [](const PathStep& step) {
    return step.kind == PathStep::Kind::Call || step.kind == PathStep::Kind::Collective;
  });
  const auto taken = std::ranges::count(m.certainty.assumptions(), AssumptionKind::BranchTaken, &Assumption::kind);
  return std::tuple(-static_cast<int>(m.certainty.degree()), by_itself, m.first.creates_group, taken, length,
                    m.first.op, m.group);
}

// What one finding is made of: all that is found at a guard, or at a place that passes what makes the ranks diverge
// there.
static DivergencePlace reported_at(const DivergencePlace& guard, const Mismatch& m) {
  return m.handed_over_by.valid()
             ? DivergencePlace{m.handed_over_by.index, ~m.handed_over_at.line, m.handed_over_at.column}
             : guard;
}

static bool ends_alike(const Arrival& a, const Arrival& b) {
  return a.op == b.op && (a.steps.empty() ? b.steps.empty()
                                          : !b.steps.empty() && a.steps.back().function == b.steps.back().function &&
                                                a.steps.back().range == b.steps.back().range);
}

// `if bad(x) or bad(y): return`: the ranks diverge at both halves on one line, and nothing else differs.
static bool is_reported(const std::vector<Mismatch>& reported, const Mismatch& m) {
  return m.guard.line != 0 && std::ranges::any_of(reported, [&](const Mismatch& other) {
           return other.handed_over_by == m.handed_over_by && other.function == m.function &&
                  other.guard.line == m.guard.line && other.cause == m.cause && other.group == m.group &&
                  other.left_early == m.left_early && other.exit == m.exit && ends_alike(other.first, m.first) &&
                  ends_alike(other.second, m.second);
         });
}

// A mismatch of a body that a decorator runs on some ranks only.
static bool is_of_body(const ProjectIndex& index, const Mismatch& m) {
  return m.guard == index.function(m.function).name_range;
}

// A call of such a body, where the same is reported of the body: the ranks diverge at the call itself.
static bool is_reported_of_body(const std::vector<Mismatch>& bodies, const Mismatch& m) {
  const bool parts_by_call = std::ranges::any_of(m.first.steps, [&](const PathStep& step) {
    return step.kind == PathStep::Kind::Call && step.function == m.function && step.range == m.guard;
  });
  return parts_by_call && m.guard.line != 0 &&
         std::ranges::any_of(bodies, [&](const Mismatch& body) { return ends_alike(body.first, m.first); });
}

// The block that ends in this question; invalid: none does.
static ir::BlockId block_asking(const ir::Function& f, SourceRange question) {
  for (ir::BlockId b{0}; b.index < f.blocks.size(); ++b.index)
    if (f.blocks[b].terminator.range == question) return b;
  return {};
}

// Whether the ranks diverge on their number at a branch around the one where this says so, before the same call. Not
// all of the group reach the inner branch, and so the call hangs there for any outcome of it.
static bool is_reported_around(const Query& in, const std::vector<Mismatch>& reported, const Mismatch& m) {
  if (m.cause != Mismatch::Cause::LocalBranch) return false;
  const ir::Function& f = in.index().function(m.function);
  const ir::BlockId inner = block_asking(f, m.guard);
  const Summary* s = in.summary(m.function);
  return inner.valid() && s && std::ranges::any_of(reported, [&](const Mismatch& other) {
           if (other.cause != Mismatch::Cause::RankBranch || other.function != m.function ||
               other.certainty.degree() < m.certainty.degree() || !ends_alike(other.first, m.first))
             return false;
           const ir::BlockId outer = block_asking(f, other.guard),
                             join = outer.valid() ? s->graph().join(outer) : outer;
           return outer.valid() && outer != inner && s->graph().dominates(outer, inner) && join.valid() &&
                  !s->graph().dominates(join, inner);
         });
}

// Whether one of the ranks is in the function after calls from where they diverge.
static bool comes_by(const Mismatch& m, FunctionKey f) {
  const auto stands_in = [&](const PathStep& step) { return step.nesting > 0 && step.function == f; };
  return std::ranges::any_of(m.first.steps, stands_in) || std::ranges::any_of(m.second.steps, stands_in);
}

// Whether the ranks diverge before on the same value that each sees by itself, in this function or in one that it
// calls: `if self.stop: return` in the function that runs an epoch, and `if self.stop: break` around its call. An
// agreement on the value mends both.
static bool is_reported_of_flag(const std::vector<Mismatch>& reported, const Mismatch& m) {
  if (!m.flag.site.function.valid()) return false;
  return std::ranges::any_of(reported, [&](const Mismatch& other) {
    if (other.flag != m.flag || other.group != m.group || other.certainty.degree() < m.certainty.degree()) return false;
    return other.function == m.function ? other.guard < m.guard
                                        : comes_by(m, other.function) && !comes_by(other, m.function);
  });
}

// Whether the ranks of a class that diverge at the first step leave a loop or the function there.
static const PathStep* leaves_at(const Arrival& a, SourceRange question) {
  for (size_t i = 0; i + 1 < a.steps.size(); ++i)
    if (a.steps[i].kind == PathStep::Kind::Branch && a.steps[i].range == question)
      return a.steps[i + 1].kind == PathStep::Kind::Exit ? &a.steps[i] : nullptr;
  return nullptr;
}

// The call whose result a temporary is; null: it is something else.
static const ir::Instruction* call_behind(const ir::Function& f, ir::ExprId e) {
  if (f.exprs[e].kind != ir::ExprKind::Name || !SymbolTable::is_temporary(f.exprs[e].symbol)) return nullptr;
  for (const ir::Block& block : f.blocks)
    for (const ir::Instruction& i : block.instructions)
      if (i.kind == ir::InstructionKind::Call && i.target.valid() && f.exprs[i.target] == f.exprs[e]) return &i;
  return nullptr;
}

static bool asks_the_same(const ir::Function& f, ir::ExprId one, ir::ExprId other);

static bool calls_the_same(const ir::Function& f, const ir::Instruction& one, const ir::Instruction& other) {
  return asks_the_same(f, one.value, other.value) &&
         std::ranges::equal(ir::arguments(f, one), ir::arguments(f, other),
                            [&](const ir::Argument& a, const ir::Argument& b) {
                              return a.kind == b.kind && a.keyword == b.keyword && asks_the_same(f, a.value, b.value);
                            });
}

// Whether two questions of a function are one, of what its variables hold where each is asked. `a and b` asks the same
// as `b and a`.
static bool asks_the_same(const ir::Function& f, ir::ExprId one, ir::ExprId other) {
  if (one == other) return true;
  if (!one.valid() || !other.valid()) return false;
  require_stack_room();
  charge_work();
  const ir::Expr &a = f.exprs[one], &b = f.exprs[other];
  const ir::Instruction *of_a = call_behind(f, one), *of_b = call_behind(f, other);
  if (of_a && of_b) return calls_the_same(f, *of_a, *of_b);
  if (a.kind != b.kind || a.op != b.op || a.symbol != b.symbol) return false;
  const auto same = [&](ir::ExprId part, ir::ExprId another) { return asks_the_same(f, part, another); };
  const auto parts = ir::children(f, one), others = ir::children(f, other);
  return a.kind == ir::ExprKind::And || a.kind == ir::ExprKind::Or ? std::ranges::is_permutation(parts, others, same)
                                                                   : std::ranges::equal(parts, others, same);
}

// Whether the question asks more than for the rank: of two that ask for the rank alone an agreement on one leaves the
// other as it is.
static bool asks_more_than_rank(const Query& in, FunctionKey f, ir::BlockId asking) {
  const ValueStore& values = in.values();
  const Summary* s = in.summary(f);
  const ValueId question = s ? s->blocks[asking.index].condition : ValueId{};
  return question.valid() && leads_to(question, [&](ValueId part, std::vector<ValueId>& next) {
           const ValueKind kind = values[part].kind;
           if (kind != ValueKind::Believed) add_parts(next, values.children(part));
           return kind == ValueKind::Attribute || kind == ValueKind::Parameter || kind == ValueKind::Opaque ||
                  kind == ValueKind::Free || kind == ValueKind::Global || kind == ValueKind::LoopPhi;
         });
}

// `if (done or over) and rank == 0: break` in the inner loop and again in the outer one: who leaves there passes the
// second question with the same answer, and the ranks are reported to diverge at it. An agreement on what is asked
// mends both.
static bool is_reported_of_next_exit(const Query& in, const std::vector<Mismatch>& reported, const Mismatch& m) {
  const ir::Function& f = in.index().function(m.function);
  const ir::BlockId asking = block_asking(f, m.guard);
  if (!asking.valid() || !asks_more_than_rank(in, m.function, asking)) return false;
  const auto leaves_again = [&](const Arrival& a, const Mismatch& other) {
    const PathStep* here = leaves_at(a, m.guard);
    const PathStep* next = here ? leaves_at(a, other.guard) : nullptr;
    return next && here < next && here->outcome == next->outcome;
  };
  return std::ranges::any_of(reported, [&](const Mismatch& other) {
    if (other.function != m.function || other.guard == m.guard || other.group != m.group ||
        other.certainty.degree() < m.certainty.degree())
      return false;
    const ir::BlockId asked = block_asking(f, other.guard);
    return asked.valid() && asks_the_same(f, f.blocks[asking].terminator.value, f.blocks[asked].terminator.value) &&
           leaves_at(other.second, other.guard) && (leaves_again(m.first, other) || leaves_again(m.second, other));
  });
}

void PendingMismatches::resolve(std::vector<Mismatch>& reported) {
  std::map<DivergencePlace, std::vector<FoundMismatch>> all;
  auto take = [&](const DivergencePlace& guard, const FoundMismatch& p) {
    if (!is_senders_own(p)) all[reported_at(guard, p.mismatch)].push_back(p);
  };
  for (const auto& [guard, list] : confirmed_)
    for (const FoundMismatch& p : list) take(guard, p);
  for (const auto& [guard, list] : pending_) {
    std::map<uint32_t, bool> known;
    for (const FoundMismatch& p : list)
      if (holds_for_callers(p.root.index, guard, known)) take(guard, p);
  }
  for (auto& [guard, list] : all)
    in_.contain(list.front().root, "witness", [&] {
      // Of equals the one found first: its witness has rank 0.
      std::stable_sort(list.begin(), list.end(), [](const FoundMismatch& x, const FoundMismatch& y) {
        return quality(x.mismatch) < quality(y.mismatch);
      });
      if (is_reported(reported, list.front().mismatch)) return;
      reported.push_back(list.front().mismatch);
    });
  std::vector<Mismatch> bodies;
  std::ranges::copy_if(reported, std::back_inserter(bodies),
                       [&](const Mismatch& m) { return is_of_body(in_.index(), m); });
  std::erase_if(reported, [&](const Mismatch& m) { return is_reported_of_body(bodies, m); });
  std::vector<Mismatch> by_rank;
  std::ranges::copy_if(reported, std::back_inserter(by_rank),
                       [](const Mismatch& m) { return m.cause == Mismatch::Cause::RankBranch; });
  std::erase_if(reported, [&](const Mismatch& m) { return is_reported_around(in_, by_rank, m); });
  std::vector<Mismatch> by_flag;
  std::ranges::copy_if(reported, std::back_inserter(by_flag),
                       [](const Mismatch& m) { return m.flag.site.function.valid(); });
  std::erase_if(reported, [&](const Mismatch& m) { return is_reported_of_flag(by_flag, m); });
  const std::vector<Mismatch> left = reported;
  std::erase_if(reported, [&](const Mismatch& m) { return is_reported_of_next_exit(in_, left, m); });
}

static bool is_nested(const ProjectIndex& index, FunctionKey f) {
  const FunctionKey around = index.functions()[f].parent;
  return around.valid() && index.function(around).kind == ir::FunctionKind::Function;
}

// `broadcast(x, src=get_rank())` in a helper that only one rank calls. Each caller decides which rank that is: by a
// condition on the rank, or by a branch whose other side has the broadcast in which the other ranks name it.
bool PendingMismatches::is_senders_own(const FoundMismatch& p) {
  const Mismatch& m = p.mismatch;
  if (m.cause != Mismatch::Cause::RootDiffers || m.function != p.root || m.handed_over_by.valid()) return false;
  const std::set<uint32_t>* callers = order_.callers(p.root);
  if (!callers) return is_nested(in_.index(), p.root) && is_handed_on_one_way(p.root, m.first.op);
  return std::ranges::all_of(
      *callers, [&](uint32_t caller) { return calls_as_one_way(FunctionKey{caller}, p.root, m.first.op); });
}

// Of a function in a function of which no call is known. Its siblings, which capture it, may call it on one rank; or
// the function around it passes it on where only some ranks are.
bool PendingMismatches::is_handed_on_one_way(FunctionKey nested, std::string_view op) {
  const Summary* s = in_.summary(in_.index().functions()[nested].parent);
  if (!s) return true;
  const FunctionCode code(in_.index(), *s);
  const auto is_it = [name = in_.index().function(nested).name](Symbol named) { return named == name; };
  if (is_shared_variable(code.text, code.ir, is_it)) return true;
  const auto hands_on = [&](ir::BlockId b) {
    return std::ranges::any_of(code.ir.blocks[b].instructions, [&](const ir::Instruction& i) {
      return i.kind == ir::InstructionKind::Call && code.reads(i, is_it);
    });
  };
  return std::ranges::all_of(s->graph().order(), [&](ir::BlockId b) {
    return !hands_on(b) || diverging_guard_of(in_.values(), *s, b).valid() || has_on_another_way(in_, *s, b, op);
  });
}

bool PendingMismatches::calls_as_one_way(FunctionKey caller, FunctionKey callee, std::string_view op) {
  const Summary& s = *in_.summary(caller);
  for (ir::BlockId b : s.graph().order())
    for (const Step& step : s.blocks[b.index].steps) {
      const std::vector<Target> targets =
          step.call.callee.valid() ? in_.targets(step.call.callee) : std::vector<Target>();
      const bool calls =
          std::any_of(targets.begin(), targets.end(), [&](const Target& t) { return t.function == callee; });
      if (calls && !diverging_guard_of(in_.values(), s, b).valid() && !has_on_another_way(in_, s, b, op)) return false;
    }
  return true;
}

// Whether an unfinished mismatch found from `root` survives its callers. `known` holds the answers found for the
// guard, and yes for functions in progress: a recursive call refutes nothing.
bool PendingMismatches::holds_for_callers(uint32_t root, const DivergencePlace& guard,
                                          std::map<uint32_t, bool>& known) {
  if (const auto [place, fresh] = known.emplace(root, true); !fresh) return place->second;
  return known[root] = survives_callers(root, guard, known);
}

bool PendingMismatches::survives_callers(uint32_t root, const DivergencePlace& guard, std::map<uint32_t, bool>& known) {
  const std::set<uint32_t>* callers = order_.callers(FunctionKey{root});
  const std::string_view name = in_.index().qualified_name(FunctionKey{root});
  // Half of a pair: what enters is judged with what leaves, where it is used.
  if (is_builtin(last_part(name), {Builtin::Enter, Builtin::Exit, Builtin::AsyncEnter, Builtin::AsyncExit}))
    return false;
  if (!callers) return true;
  auto met = divergences_.find(guard);
  bool refuted = false;
  for (uint32_t caller : *callers) {
    if (met == divergences_.end() || !met->second.contains(caller)) continue;
    auto found_by = [&](const std::map<DivergencePlace, std::vector<FoundMismatch>>& found) {
      auto at = found.find(guard);
      return at != found.end() && std::any_of(at->second.begin(), at->second.end(),
                                              [&](const FoundMismatch& p) { return p.root.index == caller; });
    };
    if (found_by(confirmed_)) return true;
    if (found_by(pending_)) {
      if (holds_for_callers(caller, guard, known)) return true;
    }
    refuted = true;
  }
  return !refuted;
}

}  // namespace ranklint
