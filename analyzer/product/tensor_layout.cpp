// Whether `full_tensor`, `redistribute` and `copy_` communicate depends on placements. The comparison of ranks does not
// know them and takes the worst; here the text of the function is asked: `distribute_tensor(x, mesh, [Replicate()])`,
// `DTensor.from_local(...)`, `t.redistribute(...)`, through names, `nn.Parameter(t)` and `t.detach()`. A layout is
// known only where every assignment that reaches the place writes the same one.
#include "analyzer/product/tensor_layout.h"

#include <algorithm>
#include <array>

#include "analyzer/questions/derivation.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

// One entry per mesh dimension: "Replicate", "Shard 0"; for `[p] * mesh.ndim` one, and a last "*".
using Layout = std::optional<std::vector<std::string>>;

constexpr int kMostStepsToLayout = 8;  // from a tensor back to the call that lays it out

class Layouts {
 public:
  Layouts(const FunctionCode& code, const ProjectIndex& index) : code_(code), index_(index) {}

  Layout of(ir::ExprId tensor, Place at, int depth = 0) const {
    const ir::Expr& e = code_.ir.exprs[tensor];
    if (depth > kMostStepsToLayout) return std::nullopt;
    if (e.kind == ir::ExprKind::Attribute && code_.text.text(e.symbol) == "data")
      return of(ir::children(code_.ir, tensor)[0], at, depth + 1);
    if (e.kind != ir::ExprKind::Name) return std::nullopt;
    const Reaching from = code_.reaching(e.symbol, at);
    if (from.entry || from.definitions.empty()) return std::nullopt;
    Layout all;
    for (const Definition& d : from.definitions) {
      const Layout one = d.direct && d.instruction ? made_by(*d.instruction, d.place, depth) : std::nullopt;
      if (!one || (all && *all != *one)) return std::nullopt;
      all = one;
    }
    return all;
  }

  Layout given(const ir::Instruction& call, int position, Place at) const {
    const ir::ExprId list = argument(call, position, "placements");
    return list.valid() ? written(list, at, 0) : std::nullopt;
  }

  ir::ExprId argument(const ir::Instruction& call, int position, std::string_view keyword) const {
    for (const ir::Argument& a : ir::arguments(code_.ir, call)) {
      if (a.kind == ir::ArgumentKind::Keyword && code_.text.text(a.keyword) == keyword) return a.value;
      if (a.kind == ir::ArgumentKind::Positional && position-- == 0) return a.value;
    }
    return {};
  }

 private:
  Layout made_by(const ir::Instruction& i, Place at, int depth) const {
    if (i.kind == ir::InstructionKind::Assign) return of(i.value, at, depth + 1);
    if (i.kind != ir::InstructionKind::Call) return std::nullopt;
    const std::string dotted = index_.dotted(code_.module, code_.ir, i.value);
    const std::string_view name = last_part(dotted);
    const ir::Expr& callee = code_.ir.exprs[i.value];
    const bool method = callee.kind == ir::ExprKind::Attribute;
    const std::string_view word = method ? code_.text.text(callee.symbol) : name;
    if (name == "distribute_tensor" || word == "from_local") return given(i, 2, at);
    if (method && word == "redistribute") return given(i, 1, at);
    if (method && (word == "detach" || word == "clone" || word == "contiguous" || word == "requires_grad_"))
      return of(ir::children(code_.ir, i.value)[0], at, depth + 1);
    const ir::ExprId wrapped = first_argument(code_, i);
    return name == "Parameter" && wrapped.valid() ? of(wrapped, at, depth + 1) : std::nullopt;
  }

  // A list of placements, or a name that holds one.
  Layout written(ir::ExprId list, Place at, int depth) const {
    const ir::Expr& e = code_.ir.exprs[list];
    const auto children = ir::children(code_.ir, list);
    if (e.kind == ir::ExprKind::Name && depth < kMostStepsToLayout) {
      const Definition* d = only_definition(e.symbol, at);
      return d && d->instruction->kind == ir::InstructionKind::Assign
                 ? written(d->instruction->value, d->place, depth + 1)
                 : std::nullopt;
    }
    if (e.kind == ir::ExprKind::Binary && e.op == ir::Operator::Multiply &&
        code_.ir.exprs[children[0]].kind == ir::ExprKind::List) {
      Layout one = written(children[0], at, depth + 1);
      if (!one || one->size() != 1) return std::nullopt;
      one->emplace_back("*");
      return one;
    }
    if (e.kind != ir::ExprKind::List && e.kind != ir::ExprKind::Tuple) return std::nullopt;
    std::vector<std::string> out;
    for (ir::ExprId part : children) {
      std::string placement = placement_of(part, at);
      if (placement.empty()) return std::nullopt;
      out.push_back(std::move(placement));
    }
    return out;
  }

  std::string placement_of(ir::ExprId e, Place at) const {
    if (code_.ir.exprs[e].kind != ir::ExprKind::Name) return {};
    const Definition* d = only_definition(code_.ir.exprs[e].symbol, at);
    if (!d || d->instruction->kind != ir::InstructionKind::Call) return {};
    std::string kind(last_part(index_.dotted(code_.module, code_.ir, d->instruction->value)));
    if (kind == "Replicate") return kind;
    const ir::ExprId dim = argument(*d->instruction, 0, "dim");
    if (kind != "Shard" || !dim.valid() || code_.ir.exprs[dim].kind != ir::ExprKind::Integer) return {};
    return kind + " " + std::string(code_.text.text(code_.ir.exprs[dim].symbol));
  }

  const Definition* only_definition(Symbol name, Place at) const {
    reached_ = code_.reaching(name, at);
    const bool one = !reached_.entry && reached_.definitions.size() == 1 && reached_.definitions[0].direct &&
                     reached_.definitions[0].instruction;
    return one ? &reached_.definitions[0] : nullptr;
  }

  const FunctionCode& code_;
  const ProjectIndex& index_;
  mutable Reaching reached_;
};

bool is_whole(const Layout& layout) {
  return layout &&
         std::all_of(layout->begin(), layout->end(), [](const std::string& p) { return p == "Replicate" || p == "*"; });
}

bool sends_nothing(const Layout& from, const Layout& to) {
  if (!from || !to || from->size() != to->size()) return false;
  for (size_t i = 0; i < from->size(); ++i)
    if ((*from)[i] != (*to)[i] && ((*from)[i] != "Replicate" || !(*to)[i].starts_with("Shard"))) return false;
  return true;
}

bool is_silent(const FunctionCode& code, const ProjectIndex& index, Place at) {
  const auto& instructions = code.ir.blocks[at.block].instructions;
  if (at.instruction >= instructions.size()) return false;
  const ir::Instruction& call = instructions[at.instruction];
  if (call.kind != ir::InstructionKind::Call || code.ir.exprs[call.value].kind != ir::ExprKind::Attribute) return false;
  const Layouts layouts(code, index);
  const std::string_view method = code.text.text(code.ir.exprs[call.value].symbol);
  const Layout object = layouts.of(ir::children(code.ir, call.value)[0], at);
  if (method == "full_tensor") return is_whole(object);
  if (method == "redistribute") return sends_nothing(object, layouts.given(call, 1, at));
  const ir::ExprId source = layouts.argument(call, 0, "src");
  return method == "copy_" && source.valid() && sends_nothing(layouts.of(source, at), object);
}

bool moves_parts(const Step& step) {
  return step.event && (step.event->model->about == "tensor-read" || step.event->model->about == "redistribute");
}

}  // namespace

void drop_what_sends_nothing(Interpreter& interpreter) {
  const Query& in = interpreter.query();
  in.for_each_judged("layout of tensors", [&](FunctionKey f) {
    Summary* s = interpreter.unfinished(f);
    if (!s || !s->communicates) return;
    const FunctionCode code(in.index(), *s);
    for (BlockSteps& block : s->blocks)
      std::erase_if(block.steps, [&](const Step& step) {
        const Site& site = in.site(step.site);
        return moves_parts(step) && is_silent(code, in.index(), {site.block, site.instruction});
      });
  });
}

}  // namespace ranklint
