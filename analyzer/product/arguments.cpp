#include "analyzer/product/arguments.h"

#include "analyzer/execution/sizes.h"
#include "analyzer/questions/listed_ranks.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

class Comparison {
 public:
  Comparison(const Query& query, Frames& frames, const Issue& a, const Issue& b)
      : in_(query), values_(query.values()), frames_(frames), a_(a), b_(b) {}

  std::optional<Disagreement> run() {
    if (std::optional<Disagreement> found = roots()) return found;
    if (std::optional<Disagreement> found = reductions()) return found;
    if (std::optional<Disagreement> found = members()) return found;
    return sizes();
  }

 private:
  std::optional<Disagreement> roots() {
    const ValueId a = a_.step.event->root, b = b_.step.event->root;
    if (!a.valid() || !b.valid()) return std::nullopt;
    const ValueId in_a = on_rank(a_, a), in_b = on_rank(b_, b);
    if (in_a == in_b || !values_.is_constant(in_a) || !values_.is_constant(in_b)) return std::nullopt;
    return Disagreement{Mismatch::Cause::RootDiffers, values_.describe(in_a), values_.describe(in_b), a,
                        certainty(a, b)};
  }

  std::optional<Disagreement> reductions() {
    const ValueId a = in_.argument(a_.step.call, a_.step.event->model->reduce_op);
    const ValueId b = in_.argument(b_.step.call, b_.step.event->model->reduce_op);
    if (!a.valid() && !b.valid()) return std::nullopt;
    const std::string_view in_a = reduction(a_, a), in_b = reduction(b_, b);
    if (in_a.empty() || in_b.empty() || in_a == in_b) return std::nullopt;
    return Disagreement{Mismatch::Cause::ReduceOpDiffers, std::string(in_a), std::string(in_b), a.valid() ? a : b,
                        certainty(a, b)};
  }

  // Only for groups that two different calls make. A single call whose list follows from the rank is reported at that
  // call (DivergentArgument).
  std::optional<Disagreement> members() {
    const ValueId a = a_.step.event->ranks, b = b_.step.event->ranks;
    if (!a.valid() || !b.valid() || a_.step.site == b_.step.site) return std::nullopt;
    const ValueId in_a = on_rank(a_, a), in_b = on_rank(b_, b);
    const std::optional<ListedRanks> of_a = listed_ranks(in_, in_a), of_b = listed_ranks(in_, in_b);
    if (!of_a || !of_b || *of_a == *of_b) return std::nullopt;
    return Disagreement{Mismatch::Cause::MembersDiffer, values_.describe(in_a), values_.describe(in_b), a,
                        certainty(a, b)};
  }

  std::optional<Disagreement> sizes() {
    const Model& model = *a_.step.event->model;
    if (!model.same_shape || a_.step.event->model != b_.step.event->model) return std::nullopt;
    if (model.sizes == SizesGiven::ByCount) return counts(model.input.position);
    const ValueId a = in_.argument(a_.step.call, sized_argument(model)),
                  b = in_.argument(b_.step.call, sized_argument(model));
    if (!a.valid() || !b.valid()) return std::nullopt;
    const std::optional<SizeDifference> found = size_difference(in_, on_rank(a_, a), on_rank(b_, b));
    if (!found) return std::nullopt;
    Disagreement d{Mismatch::Cause::SizeDiffers, found->first, found->second, a,
                   lower_of(certainty(a, b), found->certainty)};
    if (model.sizes == SizesGiven::InPairs) d.certainty.doubt({Reason::PairedSizes, a_.place(frames_)});
    return d;
  }

  // C's way: a count, followed by a type.
  std::optional<Disagreement> counts(int position) {
    const std::optional<ValueId> a = positional(a_, position), b = positional(b_, position);
    if (!a || !b) return std::nullopt;
    if (const std::optional<SizeDifference> found = count_difference(in_, on_rank(a_, *a), on_rank(b_, *b)))
      return Disagreement{Mismatch::Cause::CountDiffers, found->first, found->second, *a,
                          lower_of(certainty(*a, *b), found->certainty)};
    const std::optional<ValueId> of_a = positional(a_, position + 1), of_b = positional(b_, position + 1);
    if (!of_a || !of_b) return std::nullopt;
    const std::string_view type_a = constant_name(on_rank(a_, *of_a)), type_b = constant_name(on_rank(b_, *of_b));
    if (type_a.empty() || type_b.empty() || type_a == type_b) return std::nullopt;
    return Disagreement{Mismatch::Cause::TypeDiffers, std::string(type_a), std::string(type_b), *of_a,
                        certainty(*of_a, *of_b)};
  }

  static std::optional<ValueId> positional(const Issue& issue, int position) {
    const CompactVector<ValueId>& given = issue.step.call.positional;
    return position >= 0 && static_cast<size_t>(position) < given.size()
               ? std::optional(given[static_cast<size_t>(position)])
               : std::nullopt;
  }

  // A predefined type: `MPI_INT`, `ncclFloat`. One that is made has a name of its own.
  std::string_view constant_name(ValueId v) {
    if (values_[v].kind != ValueKind::External) return {};
    const std::string_view name = in_.index().names().text(Symbol{values_[v].a});
    return name.starts_with("MPI_") || name.starts_with("nccl") ? name : std::string_view();
  }

  // "MAX" of `ReduceOp.MAX`; empty when it is not known.
  std::string_view reduction(const Issue& issue, ValueId given) {
    if (!given.valid()) return issue.step.call.open_ended ? "" : "SUM";
    const Value& value = values_[on_rank(issue, given)];
    if (value.kind != ValueKind::External) return {};
    const std::string_view name = in_.index().names().text(Symbol{value.a});
    return in_.roles().play(name, Role::WayToReduce) ? last_part(name) : std::string_view();
  }

  ValueId on_rank(const Issue& issue, ValueId v) { return issue.scenario.residual(frames_.in_root(issue.frame, v)); }

  // As sure as what is asked: a rank that goes by its name only is believed.
  Assurance certainty(ValueId a, ValueId b) {
    const bool believed = (a.valid() && values_[frames_.in_root(a_.frame, a)].believed) ||
                          (b.valid() && values_[frames_.in_root(b_.frame, b)].believed);
    Assurance sure = lower_of(frames_.assurance(a_.frame), frames_.assurance(b_.frame));
    if (believed) sure.doubt({Reason::BelievedRank, a_.place(frames_)});
    return sure;
  }

  const Query& in_;
  ValueStore& values_;
  Frames& frames_;
  const Issue &a_, &b_;
};

}  // namespace

std::optional<Disagreement> disagreement(const Query& query, Frames& frames, const Issue& a, const Issue& b) {
  return Comparison(query, frames, a, b).run();
}

}  // namespace ranklint
