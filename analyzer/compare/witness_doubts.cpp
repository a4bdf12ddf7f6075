// Read off the text of the functions on the way to the collective, once a witness is found:
//
//     @functools.cache                            # who called it before with the others gets what it returned then
//     def score(point): ... all_gather(...)
//
//     os.environ["WORLD_SIZE"] = "1"              # from here on this process is a world of its own
//
//     if rank < 2: init_process_group("gloo", rank=rank, world_size=2)      # a group of two, which are there
//
//     model = Model.from_pretrained(folder)       # another caller wraps its model; this one does not
//     evaluate(model)
//
//     paths = paths[: len(paths) // world_size * world_size]                # equal_shares.h
#include "analyzer/compare/witness_doubts.h"

#include <algorithm>

#include "analyzer/base/among.h"
#include "analyzer/compare/equal_shares.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

class Reader {
 public:
  Reader(const ProjectIndex& index, FunctionKey f)
      : index_(index), module_(index.functions()[f].module), ir_(index.modules()[module_]), f_(index.function(f)) {}

  bool keeps_results() const {
    return std::ranges::any_of(f_.decorators, [&](ir::ExprId decorator) {
      const bool called = f_.exprs[decorator].kind == ir::ExprKind::Call;
      return among(last_part(index_.dotted(module_, f_, called ? ir::children(f_, decorator)[0] : decorator)), {"cache", "lru_cache", "memoize"});
    });
  }

  bool runs_alone() const {
    return any([&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Assign || !is(i.target, ir::ExprKind::Subscript) || !is_text(i.value, "1")) return false;
      return is_text(ir::children(f_, i.target)[1], "WORLD_SIZE");
    });
  }

  // `init_process_group(..., world_size=2)` there.
  bool makes_group_of_number(SourceRange at) const {
    return any([&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Call || i.range != at) return false;
      return std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) {
        return a.kind == ir::ArgumentKind::Keyword && ir_.text(a.keyword) == "world_size" && is(a.value, ir::ExprKind::Integer);
      });
    });
  }

  // Whether an argument of the call is a model that was loaded above it and is called otherwise by nothing since.
  bool hands_over_loaded(SourceRange call) const {
    return any([&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Call || i.range != call) return false;
      return std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) { return is(a.value, ir::ExprKind::Name) && is_loaded(f_.exprs[a.value].symbol, call); });
    });
  }

 private:
  template <typename Wanted>
  bool any(Wanted wanted) const {
    for (const ir::Block& block : f_.blocks)
      if (std::ranges::any_of(block.instructions, wanted)) return true;
    return false;
  }

  bool is(ir::ExprId e, ir::ExprKind kind) const { return e.valid() && f_.exprs[e].kind == kind; }
  bool is_text(ir::ExprId e, std::string_view text) const { return is(e, ir::ExprKind::String) && ir_.text(f_.exprs[e].symbol) == text; }

  bool is_loaded(Symbol name, SourceRange before) const {
    const ir::Instruction* last = nullptr;
    any([&](const ir::Instruction& i) {
      if (is(i.target, ir::ExprKind::Name) && f_.exprs[i.target].symbol == name && i.range.line < before.line && (!last || i.range.line >= last->range.line)) last = &i;
      return false;
    });
    return last && last->kind == ir::InstructionKind::Call && is(last->value, ir::ExprKind::Attribute) && ir_.text(f_.exprs[last->value].symbol) == "from_pretrained";
  }

  const ProjectIndex& index_;
  const ModuleKey module_;
  const ir::Module& ir_;
  const ir::Function& f_;
};

}  // namespace

bool is_meant_otherwise(const ProjectIndex& index, const Mismatch& m) {
  const bool is_loop = m.cause == Mismatch::Cause::RankLoop;
  if (is_loop && makes_equal_shares(index, m.function)) return true;
  if (Reader(index, m.function).runs_alone()) return true;
  if (m.first.steps.empty()) return false;
  const PathStep& last = m.first.steps.back();
  if (m.first.op == "init_process_group" && Reader(index, last.function).makes_group_of_number(last.range)) return true;
  return std::ranges::any_of(m.first.steps, [&](const PathStep& step) {
    const Reader reader(index, step.function);
    if (step.function != m.function && (reader.keeps_results() || reader.runs_alone())) return true;
    return m.first.about == "forward" && step.kind == PathStep::Kind::Call && reader.hands_over_loaded(step.range);
  });
}

}  // namespace ranklint
