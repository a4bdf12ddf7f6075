// Tensors that are distributed from a source rank.
//
// `distribute_tensor` without `src_data_rank=None` scatters or broadcasts from the first rank of each mesh dimension,
// once for each tensor. That is right where one rank has the data, and a superfluous collective where all have it. So
// for each such call, by its name or through a parameter (`load(..., factory=distribute_tensor)`), this traces where
// the tensor comes from: backwards through the calling function (derivation.h), then through its callers, until a read
// from a file (weight_reads.h) or a broadcast. A tensor without a known source is not reported.
#include "rules/dtensor/distributions.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/handed_over.h"
#include "analyzer/questions/weight_reads.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

constexpr size_t kDeepestMesh = 6;

class Distributions {
 public:
  explicit Distributions(const Query& in)
      : in_(in), values_(in.values()), index_(in.index()), callers_(in), reads_(in) {}

  std::vector<Distribution> run() {
    in_.for_each_function_to_check("distribution of tensors", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (!s) return;
      for (ir::BlockId b : s->graph().order())
        for (const Step& step : s->blocks[b.index].steps)
          if (step.event && distributes(*step.event->model))
            check({{f, {b, in_.site(step.site).instruction}, false}}, *step.event->model, {}, {});
    });
    callers_.each_handed_over([&](ValueId v) { return distribution(v) != nullptr; },
                              [&](const std::vector<Link>& way, const Call& call, SourceRange at) {
                                if (const Model* model = distribution(call.callee))
                                  check(way, *model, way.front().function, at);
                              });
    return std::move(found_);
  }

 private:
  // Null: it does not distribute from one rank.
  const RoleEntry* distributes(const Model& model) const { return in_.roles().find(model.name, Role::DealsOutTensor); }

  // The function that distributes, with its source rank left as it is; null: the value is another.
  const Model* distribution(ValueId v) {
    Call call;
    call.callee = v;
    in_.unfold_partial(call);
    if (values_[call.callee].kind != ValueKind::External) return nullptr;
    const Model* model = in_.model_of(call.callee);
    const RoleEntry* role = model ? distributes(*model) : nullptr;
    const bool is_left = role && std::ranges::none_of(call.keywords, [&](const auto& k) {
                           return index_.names().text(k.first) == role->argument.keyword;
                         });
    return is_left ? model : nullptr;
  }

  void check(const std::vector<Link>& chain, const Model& model, FunctionKey passed_by, SourceRange passed_at) {
    const Link& site = chain.back();
    const Summary& s = *in_.summary(site.function);
    const FunctionCode code(index_, s);
    const ir::Instruction& call = code.ir.blocks[site.call.block].instructions[site.call.instruction];
    const std::optional<TensorSource> source = source_of(chain, chain.size() - 1, first_argument(code, call), 0);
    if (!source) return;
    Distribution d;
    d.function = site.function;
    d.range = call.range;
    d.called = last_part(index_.dotted(code.module, code.ir, call.value));
    if (!cuts_by_itself(code)) d.copied = copy_of(code, site.call);
    d.own_placements = takes_placements(code, call, model);
    d.source = *source;
    d.passed_by = passed_by;
    d.passed_at = passed_at;
    found_.push_back(std::move(d));
  }

  // Where the expression's value comes from, seen from the function of chain[at].
  std::optional<TensorSource> source_of(const std::vector<Link>& chain, size_t at, ir::ExprId e, size_t depth) {
    const Link& here = chain[at];
    const Summary* s = in_.summary(here.function);
    if (!s || !e.valid() || depth > kDeepestMesh) return std::nullopt;
    const FunctionCode code(index_, *s);
    const Derivation from = derivation_of(code, e, here.call);
    if (std::optional<TensorSource> found = broadcast_before(code, *s, from, here.call)) return found;
    if (is_empty_somewhere(code, from)) return std::nullopt;
    if (std::optional<TensorSource> found = read_in(code, *s, from)) return found;
    if (at == 0) return from_callers(here.function, from, depth);
    return from_argument(chain, at, from, depth);
  }

  std::optional<TensorSource> from_argument(const std::vector<Link>& chain, size_t at, const Derivation& from,
                                            size_t depth) {
    const Link& caller = chain[at - 1];
    const Summary* s = in_.summary(caller.function);
    if (!s) return std::nullopt;
    const FunctionCode code(index_, *s);
    const ir::Instruction& call = code.ir.blocks[caller.call.block].instructions[caller.call.instruction];
    for (int parameter : from.parameters)
      if (std::optional<TensorSource> found = source_of(
              chain, at - 1, argument_for(code, call, index_, chain[at].function, parameter, caller.has_receiver),
              depth + 1))
        return found;
    return std::nullopt;
  }

  std::optional<TensorSource> from_callers(FunctionKey f, const Derivation& from, size_t depth) {
    if (depth > 2) return std::nullopt;
    for (const Callers::Caller& caller : callers_.of(f))
      if (std::optional<TensorSource> found = from_argument({caller.link, {f, {}, false}}, 1, from, depth))
        return found;
    return std::nullopt;
  }

  std::optional<TensorSource> read_in(const FunctionCode& code, const Summary& s, const Derivation& from) {
    for (const ProgramPoint& at : from.calls)
      if (!makes_a_model(code, at) && reads_.of_call(code, s, at) == WeightReads::By::EveryRank)
        return TensorSource{TensorSource::Kind::ReadByEveryRank, code.key,
                            code.ir.blocks[at.block].instructions[at.instruction].range};
    return std::nullopt;
  }

  // `full = read() if rank == 0 else torch.empty(...)`: some ranks have nothing but the room for it.
  bool is_empty_somewhere(const FunctionCode& code, const Derivation& from) const {
    return std::ranges::any_of(from.calls, [&](const ProgramPoint& at) {
      const ir::Instruction& call = code.ir.blocks[at.block].instructions[at.instruction];
      return plays(in_, code, call, Role::LeavesUnfilled) || plays(in_, code, call, Role::MakesTensor) ||
             plays(in_, code, call, Role::MakesTensorLike);
    });
  }

  // What is taken from a model has passed through the code that made it: a file that was read there says nothing.
  bool makes_a_model(const FunctionCode& code, ProgramPoint at) const {
    const ir::Expr& callee = code.ir.exprs[code.ir.blocks[at.block].instructions[at.instruction].value];
    if (callee.kind != ir::ExprKind::Name && callee.kind != ir::ExprKind::Attribute) return false;
    const std::string_view word = code.text.text(callee.symbol);
    return in_.priors().suggest(word, NameMeaning::Builder) && in_.priors().suggest(word, NameMeaning::Model);
  }

  // A broadcast that fills one of the names, run before the place.
  std::optional<TensorSource> broadcast_before(const FunctionCode& code, const Summary& s, const Derivation& from,
                                               ProgramPoint place) {
    for (ir::BlockId b : s.graph().order())
      for (const Step& step : s.blocks[b.index].steps) {
        if (!step.event || !step.event->model->fills_tensor ||
            !in_.roles().play(step.event->model->op, Role::BringsToOthers))
          continue;
        const ProgramPoint at{b, in_.site(step.site).instruction};
        const bool before =
            at.block == place.block ? at.instruction < place.instruction : s.graph().dominates(at.block, place.block);
        if (!before || at.instruction >= code.ir.blocks[b].instructions.size()) continue;
        const ir::ExprId filled = first_argument(code, code.ir.blocks[b].instructions[at.instruction]);
        if (filled.valid() && !code.name(filled).empty() && from.names.contains(code.ir.exprs[filled].symbol))
          return TensorSource{TensorSource::Kind::Broadcast, code.key, step.range};
      }
    return std::nullopt;
  }

  // `p.data.copy_(factory(...))`: the copy_ that takes what the call gives.
  SourceRange copy_of(const FunctionCode& code, ProgramPoint at) const {
    const ir::Block& block = code.ir.blocks[at.block];
    const std::string_view made = code.name(block.instructions[at.instruction].target);
    for (uint32_t i = at.instruction + 1; i < block.instructions.size() && !made.empty(); ++i) {
      const ir::Instruction& next = block.instructions[i];
      if (next.kind == ir::InstructionKind::Call && plays(in_, code, next, Role::WritesTensor) &&
          code.name(first_argument(code, next)) == made)
        return next.range;
    }
    return {};
  }

  // `local = p.to_local(); local.copy_(part)` on another branch: the author distinguishes the two cases.
  bool cuts_by_itself(const FunctionCode& code) const {
    std::set<std::string_view> locals;
    for (ir::BlockId b : code.graph().order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions) {
        if (i.kind != ir::InstructionKind::Call || code.ir.exprs[i.value].kind != ir::ExprKind::Attribute) continue;
        if (plays(in_, code, i, Role::GivesOwnPart) && !code.name(i.target).empty()) locals.insert(code.name(i.target));
        if (plays(in_, code, i, Role::WritesTensor) && locals.contains(code.name(ir::children(code.ir, i.value)[0])))
          return true;
      }
    return false;
  }

  // Whether the placements are read off a tensor: `x.placements`, or a name that holds them.
  bool takes_placements(const FunctionCode& code, const ir::Instruction& call, const Model& model) const {
    const RoleEntry* lays_out = in_.roles().find(model.name, Role::LaysOut);
    const ir::ExprId placements = lays_out ? given_for(code, call, *lays_out) : ir::ExprId{};
    return placements.valid() && reads_placements(code, placements);
  }

  bool reads_placements(const FunctionCode& code, ir::ExprId e) const {
    const ir::Expr& expr = code.ir.exprs[e];
    const auto are_placements = [&](const ir::Expr& given) {
      return given.kind == ir::ExprKind::Attribute &&
             in_.roles().play(code.text.text(given.symbol), Role::GivesPlacements);
    };
    if (are_placements(expr)) return true;
    if (expr.kind != ir::ExprKind::Name) return false;
    for (const ir::Block& block : code.ir.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (i.kind == ir::InstructionKind::Assign && code.defines(i, expr.symbol) &&
            are_placements(code.ir.exprs[i.value]))
          return true;
    return false;
  }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  std::vector<Distribution> found_;
  Callers callers_;
  WeightReads reads_;
};

}  // namespace

std::vector<Distribution> distributions(const Query& in) { return Distributions(in).run(); }

}  // namespace ranklint
