// Tensors that are distributed from a source rank.
//
// `distribute_tensor` without `src_data_rank=None` scatters or broadcasts from the first rank of each mesh dimension, once
// for each tensor. That is right where one rank has the data, and a collective that nobody needs where all have it. So each
// such call is looked up, by its name or through a parameter that it was handed over as (`load(..., factory=
// distribute_tensor)`), and it is asked where its tensor comes from: backwards through the function that calls it
// (derivation.h), then through the calls that lead there, until something reads it from a file (weight_reads.h) or
// broadcasts it. What is not found out is not reported.
#include "analyzer/compare/distributions.h"

#include <algorithm>
#include <optional>

#include "analyzer/compare/derivation.h"
#include "analyzer/compare/weight_reads.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

constexpr size_t kDeepest = 6;
constexpr size_t kMostCallers = 8;

// One function on the way from where the function was handed over to where it is called.
struct Link {
  FunctionKey function;
  Place call;              // the call that leads to the next, or distributes
  bool has_receiver = false;
};

struct Source {
  Distribution::Held held;
  FunctionKey function;
  SourceRange range;
};

class Distributions {
 public:
  Distributions(Interpreter& in, TensorFacts& facts) : in_(in), values_(in.values()), index_(in.index()), facts_(facts), reads_(in) {}

  void run() {
    find_callers();
    for (uint32_t f = 0; f < index_.functions().size(); ++f) {
      const Summary* s = in_.summary(FunctionKey{f});
      if (!s) continue;
      for (ir::BlockId b : s->graph.order())
        for (const Step& step : s->blocks[b.index].steps) {
          const Link link{FunctionKey{f}, {b, in_.site(step.site).instruction}, false};
          if (step.event && distributes(*step.event->model)) check({link}, {}, {});
          if (!step.event && !step.call.implicit && passes_distribution(step.call)) follow_handed_over(*s, step, link);
        }
    }
  }

 private:
  static bool distributes(const Model& model) { return last_part(model.name) == "distribute_tensor"; }

  void find_callers() {
    for (uint32_t f = 0; f < index_.functions().size(); ++f) {
      const Summary* s = in_.summary(FunctionKey{f});
      if (!s) continue;
      for (ir::BlockId b : s->graph.order())
        for (const Step& step : s->blocks[b.index].steps) {
          if (step.event || step.leaves || step.yields || step.call.implicit) continue;
          for (const Target& target : in_.targets(step.call.callee)) {
            auto& callers = callers_[target.function];
            if (callers.size() < kMostCallers)
              callers.push_back({FunctionKey{f}, {b, in_.site(step.site).instruction}, target.receiver.valid()});
          }
        }
    }
  }

  // Whether the value is the function that distributes, with its source rank left as it is.
  bool is_distribution(ValueId v) {
    Call call;
    call.callee = v;
    in_.unfold_partial(call);
    if (values_[call.callee].kind != ValueKind::External) return false;
    const Model* model = in_.model_of(call.callee);
    if (!model || !distributes(*model)) return false;
    return std::none_of(call.keywords.begin(), call.keywords.end(),
                        [&](const auto& k) { return index_.names().text(k.first) == "src_data_rank"; });
  }

  bool passes_distribution(const Call& call) {
    return std::any_of(call.positional.begin(), call.positional.end(), [&](ValueId v) { return is_distribution(v); }) ||
           std::any_of(call.keywords.begin(), call.keywords.end(), [&](const auto& k) { return is_distribution(k.second); });
  }

  void follow_handed_over(const Summary& s, const Step& step, const Link& link) {
    visited_.clear();
    descend(step.call, {link}, s.function, step.range);
  }

  // Into the callees of a call, in the terms of who handed the function over.
  void descend(const Call& call, const std::vector<Link>& chain, FunctionKey passed_by, SourceRange passed_at) {
    if (chain.size() > kDeepest) return;
    for (const Target& target : in_.targets(call.callee)) {
      const Summary* s = in_.summary(target.function);
      if (!s || !visited_.insert(target.function).second) continue;
      std::vector<Link> way = chain;
      way.back().has_receiver = target.receiver.valid();
      const Binding binding = in_.bind(target, call, 0);
      for (ir::BlockId b : s->graph.order())
        for (const Step& inner : s->blocks[b.index].steps) {
          if (inner.event || inner.leaves || inner.yields || inner.call.implicit) continue;
          const ValueId callee = in_.instantiate(inner.call.callee, binding);
          std::vector<Link> next = way;
          next.push_back({target.function, {b, in_.site(inner.site).instruction}, false});
          if (is_distribution(callee)) {
            if (values_[inner.call.callee].kind != ValueKind::External) check(next, passed_by, passed_at);
            continue;
          }
          const Call bound = in_.instantiate(inner.call, binding);
          if (hands_on(bound)) descend(bound, next, passed_by, passed_at);
        }
    }
  }

  // Whether the function may go along with the call, as an argument or in a closure.
  bool hands_on(const Call& call) {
    if (passes_distribution(call)) return true;
    const auto captured = values_[call.callee].kind == ValueKind::Function ? values_.children(call.callee) : std::span<const ValueId>();
    const std::vector<ValueId> list(captured.begin(), captured.end());
    return std::any_of(list.begin(), list.end(), [&](ValueId v) { return is_distribution(v); });
  }

  void check(const std::vector<Link>& chain, FunctionKey passed_by, SourceRange passed_at) {
    const Link& site = chain.back();
    const Summary& s = *in_.summary(site.function);
    const FunctionCode code(index_, s);
    const ir::Instruction& call = code.ir.blocks[site.call.block].instructions[site.call.instruction];
    const std::optional<Source> source = source_of(chain, chain.size() - 1, first_argument(code, call), 0);
    if (!source) return;
    Distribution d;
    d.function = site.function;
    d.range = call.range;
    d.called = last_part(index_.dotted(code.module, code.ir, call.value));
    d.copied = copy_of(code, site.call);
    d.own_placements = takes_placements(code, call);
    d.held = source->held;
    d.held_in = source->function;
    d.held_at = source->range;
    d.passed_by = passed_by;
    d.passed_at = passed_at;
    facts_.distributions.push_back(std::move(d));
  }

  // Where the expression's value comes from, seen from the function of chain[at].
  std::optional<Source> source_of(const std::vector<Link>& chain, size_t at, ir::ExprId e, size_t depth) {
    const Link& here = chain[at];
    const Summary* s = in_.summary(here.function);
    if (!s || !e.valid() || depth > kDeepest) return std::nullopt;
    const FunctionCode code(index_, *s);
    const Derivation from = derivation_of(code, e, here.call);
    if (std::optional<Source> found = broadcast_before(code, *s, from, here.call)) return found;
    if (std::optional<Source> found = read_in(code, *s, from)) return found;
    if (at == 0) return from_callers(here.function, from, depth);
    return from_argument(chain, at, from, depth);
  }

  std::optional<Source> from_argument(const std::vector<Link>& chain, size_t at, const Derivation& from, size_t depth) {
    const Link& caller = chain[at - 1];
    const Summary* s = in_.summary(caller.function);
    if (!s) return std::nullopt;
    const FunctionCode code(index_, *s);
    const ir::Instruction& call = code.ir.blocks[caller.call.block].instructions[caller.call.instruction];
    for (int parameter : from.parameters)
      if (std::optional<Source> found =
              source_of(chain, at - 1, argument_for(code, call, index_, chain[at].function, parameter, caller.has_receiver), depth + 1))
        return found;
    return std::nullopt;
  }

  std::optional<Source> from_callers(FunctionKey f, const Derivation& from, size_t depth) {
    if (depth > 2) return std::nullopt;
    const auto callers = callers_.find(f);
    if (callers == callers_.end()) return std::nullopt;
    for (const Link& caller : callers->second)
      if (std::optional<Source> found = from_argument({caller, {f, {}, false}}, 1, from, depth)) return found;
    return std::nullopt;
  }

  std::optional<Source> read_in(const FunctionCode& code, const Summary& s, const Derivation& from) {
    for (const Place& at : from.calls)
      if (reads_.of_call(code, s, at) == WeightReads::By::EveryRank)
        return Source{Distribution::Held::ReadByEveryRank, code.key, code.ir.blocks[at.block].instructions[at.instruction].range};
    return std::nullopt;
  }

  // A broadcast that fills one of the names, run before the place.
  std::optional<Source> broadcast_before(const FunctionCode& code, const Summary& s, const Derivation& from, Place place) {
    for (ir::BlockId b : s.graph.order())
      for (const Step& step : s.blocks[b.index].steps) {
        if (!step.event || step.event->model->op != "broadcast" || !step.event->model->fills_tensor) continue;
        const Place at{b, in_.site(step.site).instruction};
        const bool before = at.block == place.block ? at.instruction < place.instruction : s.graph.dominates(at.block, place.block);
        if (!before || at.instruction >= code.ir.blocks[b].instructions.size()) continue;
        const ir::ExprId filled = first_argument(code, code.ir.blocks[b].instructions[at.instruction]);
        if (filled.valid() && !code.name(filled).empty() && from.names.count(code.ir.exprs[filled].symbol))
          return Source{Distribution::Held::Broadcast, code.key, step.range};
      }
    return std::nullopt;
  }

  // `p.data.copy_(factory(...))`: the copy_ that takes what the call gives.
  static SourceRange copy_of(const FunctionCode& code, Place at) {
    const ir::Block& block = code.ir.blocks[at.block];
    const std::string_view made = code.name(block.instructions[at.instruction].target);
    for (uint32_t i = at.instruction + 1; i < block.instructions.size() && !made.empty(); ++i) {
      const ir::Instruction& next = block.instructions[i];
      if (next.kind != ir::InstructionKind::Call || code.ir.exprs[next.value].kind != ir::ExprKind::Attribute) continue;
      if (code.text.text(code.ir.exprs[next.value].symbol) == "copy_" && code.name(first_argument(code, next)) == made) return next.range;
    }
    return {};
  }

  // Whether the placements are read off a tensor: `x.placements`, or a name that holds them.
  bool takes_placements(const FunctionCode& code, const ir::Instruction& call) const {
    int position = 0;
    for (const ir::Argument& a : ir::arguments(code.ir, call)) {
      const bool placements = a.kind == ir::ArgumentKind::Keyword ? code.text.text(a.keyword) == "placements" : position++ == 2;
      if (placements) return reads_placements(code, a.value);
    }
    return false;
  }

  static bool reads_placements(const FunctionCode& code, ir::ExprId e) {
    const ir::Expr& expr = code.ir.exprs[e];
    if (expr.kind == ir::ExprKind::Attribute) return code.text.text(expr.symbol) == "placements";
    if (expr.kind != ir::ExprKind::Name) return false;
    for (const ir::Block& block : code.ir.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (i.kind == ir::InstructionKind::Assign && code.defines(i, expr.symbol) &&
            code.ir.exprs[i.value].kind == ir::ExprKind::Attribute && code.text.text(code.ir.exprs[i.value].symbol) == "placements")
          return true;
    return false;
  }

  Interpreter& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  TensorFacts& facts_;
  WeightReads reads_;
  std::map<FunctionKey, std::vector<Link>> callers_;
  std::set<FunctionKey> visited_;
};

}  // namespace

void find_distributions(Interpreter& interpreter, TensorFacts& facts) { Distributions(interpreter, facts).run(); }

}  // namespace ranklint
