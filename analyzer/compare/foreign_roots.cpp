// A collective on a sub-group takes its root as a rank of the world, so a constant names one process: in one of the groups
// along that axis it is a member, in the others nobody is the root. And a list of ranks for a new group is of ranks of the
// world, so whoever looks for his rank within a group in it has numbered the wrong ranks.
//
// Both are told only of groups whose axes are known, by a framework's name for them: a group handed over may be the world.
#include "analyzer/compare/foreign_roots.h"

#include <algorithm>

#include "analyzer/compare/code.h"

namespace ranklint {
namespace {

class ForeignRoots {
 public:
  ForeignRoots(Interpreter& in, Facts& facts) : in_(in), values_(in.values()), facts_(facts) {}

  void run() {
    for (const FunctionKey f : in_.judged()) {
      const Summary* s = in_.summary(f);
      if (!s || !s->communicates) continue;
      for (const BlockSteps& block : s->blocks)
        for (const Step& step : block.steps)
          if (step.event) check(*s, step);
    }
  }

 private:
  void check(const Summary& s, const Step& step) {
    const Event& event = *step.event;
    if (event.model->kind == ModelKind::Collective) check_root(s, step);
    else if (event.model->kind == ModelKind::GroupCreate && event.ranks.valid() && is_searched_by_group_rank(s, event.ranks))
      keep(s, step, "", Certainty::Likely);
  }

  void check_root(const Summary& s, const Step& step) {
    const Event& event = *step.event;
    int64_t root = 0;
    if (!event.root.valid() || event.model->root_is_group_rank || !values_.integer_of(event.root, root)) return;
    if (values_[event.group].kind != ValueKind::Group || values_[event.group].child_count > 0) return;
    const AxisSet& axes = values_.axes(AxesId{values_[event.group].a});
    if (axes.world || axes.axes.empty() || asks_for_source_rank(s)) return;
    keep(s, step, describe(axes, in_.index().names()), std::min(Certainty::Likely, model_certainty(*event.model)));
  }

  // `if mpu.get_data_parallel_src_rank() == 0:` lets only the group in that the root is.
  bool asks_for_source_rank(const Summary& s) {
    const FunctionCode code(in_.index(), s);
    const auto is_source_rank = [&](ValueId v) {
      if (values_[v].kind != ValueKind::Opaque || !in_.knows(SiteId{values_[v].a})) return false;
      const Site& site = in_.site(SiteId{values_[v].a});
      if (site.function != s.function || site.instruction >= code.ir.blocks[site.block].instructions.size()) return false;
      const ir::Instruction& i = code.ir.blocks[site.block].instructions[site.instruction];
      if (i.kind != ir::InstructionKind::Call) return false;
      const ir::Expr& callee = code.ir.exprs[i.value];
      const bool named = callee.kind == ir::ExprKind::Attribute || callee.kind == ir::ExprKind::Name;
      return named && code.text.text(callee.symbol).ends_with("src_rank");
    };
    return std::any_of(s.blocks.begin(), s.blocks.end(), [&](const BlockSteps& block) {
      return block.condition.valid() && values_.find_part(block.condition, is_source_rank).valid();
    });
  }

  // `if group_rank in ranks:` beside `new_group(ranks)`.
  bool is_searched_by_group_rank(const Summary& s, ValueId ranks) {
    return std::any_of(s.blocks.begin(), s.blocks.end(), [&](const BlockSteps& block) {
      return block.condition.valid() && values_.find_part(block.condition, [&](ValueId part) {
        return values_[part].kind == ValueKind::Binary && values_[part].op == ir::Operator::In && values_.child(part, 1) == ranks &&
               is_rank_in_group(values_.child(part, 0));
      }).valid();
    });
  }

  bool is_rank_in_group(ValueId v) const {
    if (values_[v].kind == ValueKind::RankIn) return true;
    return values_[v].kind == ValueKind::Coordinate && !values_.axes(AxesId{values_[v].a}).world;
  }

  void keep(const Summary& s, const Step& step, std::string group, Certainty certainty) {
    DivergentArgument d;
    d.what = DivergentArgument::What::Root;
    d.certainty = certainty;
    d.function = s.function;
    d.range = step.range;
    d.op = step.event->model->op;
    d.group = std::move(group);
    facts_.divergent_arguments.push_back(std::move(d));
  }

  Interpreter& in_;
  ValueStore& values_;
  Facts& facts_;
};

}  // namespace

void find_foreign_roots(Interpreter& interpreter, Facts& facts) { ForeignRoots(interpreter, facts).run(); }

}  // namespace ranklint
