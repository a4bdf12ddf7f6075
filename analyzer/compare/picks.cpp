// A rank that picks its part by its number: `chunks[rank]`, `files[rank::world_size]`. A chunking gives fewer chunks
// than asked for when the dimension is short, so the last ranks find none; a listing has an order of its own on every
// machine, so that two ranks may pick one file and none another.
#include <algorithm>

#include "analyzer/compare/tensor_passes.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/origin.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/beliefs.h"

namespace ranklint {
namespace {

class Picks {
 public:
  Picks(const Query& in, TensorFacts& facts) : in_(in), index_(in.index()), facts_(facts), origins_(in) {}

  void run() {
    in_.for_each_judged("picks of chunks", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (!s) return;
      const FunctionCode code(index_, *s);
      if (!has(code, [](const ir::Expr& e) { return e.kind == ir::ExprKind::Subscript; })) return;
      // Asked before what reaches a subscript, of which a function of C may have thousands.
      cuts_chunks_ = has(code, [&](const ir::Expr& e) {
        return e.kind == ir::ExprKind::Attribute && code.text.text(e.symbol) == "chunk";
      });
      for (ir::BlockId b : s->graph.order()) {
        const ir::Block& block = code.ir.blocks[b];
        for (uint32_t i = 0; i < block.instructions.size(); ++i) {
          visit(code, block.instructions[i].value, {b, i}, block.instructions[i].range);
          for (const ir::Argument& a : ir::arguments(code.ir, block.instructions[i]))
            visit(code, a.value, {b, i}, block.instructions[i].range);
        }
        visit(code, block.terminator.value, {b, static_cast<uint32_t>(block.instructions.size())},
              block.terminator.range);
      }
    });
  }

 private:
  template <typename Wanted>
  static bool has(const FunctionCode& code, Wanted wanted) {
    for (uint32_t e = 0; e < code.ir.exprs.size(); ++e)
      if (wanted(code.ir.exprs[ir::ExprId{e}])) return true;
    return false;
  }

  void visit(const FunctionCode& code, ir::ExprId e, Place at, SourceRange range) {
    if (!e.valid()) return;
    const auto children = ir::children(code.ir, e);
    if (code.ir.exprs[e].kind == ir::ExprKind::Subscript) {
      pick_from_listing(code, children[0], children[1], at, range);
      if (cuts_chunks_) pick_from_chunks(code, children[0], children[1], at, range);
    }
    for (ir::ExprId child : children) visit(code, child, at, range);
  }

  bool names_rank(const FunctionCode& code, ir::ExprId index) const {
    if (code.ir.exprs[index].kind == ir::ExprKind::Slice) {
      const auto parts = ir::children(code.ir, index);
      return !parts.empty() && names_rank(code, parts[0]);
    }
    const std::string dotted = index_.dotted(code.module, code.ir, index);
    const auto belief = belief_about(last_part(dotted));
    return belief && belief->kind == BeliefKind::Coordinate;
  }

  void pick_from_listing(const FunctionCode& code, ir::ExprId container, ir::ExprId index, Place at,
                         SourceRange range) {
    if (code.name(container).empty() || !names_rank(code, index)) return;
    const Origin origin = origins_.of(code, container, at);
    if (origin.kind != Origin::Kind::Unordered || origin.source != Origin::Source::Listing) return;
    facts_.unsorted_picks.push_back({code.key, range, std::string(code.name(container)), origin.function, origin.range,
                                     origin.name, Certainty::Likely});
  }

  void pick_from_chunks(const FunctionCode& code, ir::ExprId container, ir::ExprId index, Place at, SourceRange range) {
    if (code.name(container).empty() || !is_called(code, container, at, "chunk") || checks_sizes(code)) return;
    const Derivation from = derivation_of(code, index, at);
    const bool by_mesh = std::any_of(from.calls.begin(), from.calls.end(), [&](const Place& p) {
      return plays(in_, code, code.ir.blocks[p.block].instructions[p.instruction], Role::TellsCoordinate);
    });
    // Along a dimension that is written out its author knows the size; a loader of any tensors does not.
    if (!by_mesh) return;
    facts_.thin_chunks.push_back({code.key, range, std::string(code.name(container)), {}, {}, {}, Certainty::Likely});
    if (!cuts_any_dimension(code, container, at))
      facts_.thin_chunks.back().certainty.doubt({Reason::KnownDimension, {code.key, range}});
  }

  bool is_called(const FunctionCode& code, ir::ExprId e, Place at, std::string_view callee) const {
    const Reaching reaching = code.reaching(code.ir.exprs[e].symbol, at);
    return std::any_of(reaching.definitions.begin(), reaching.definitions.end(), [&](const Definition& d) {
      if (!d.instruction || d.instruction->kind != ir::InstructionKind::Call) return false;
      const ir::Expr& called = code.ir.exprs[d.instruction->value];
      return called.kind == ir::ExprKind::Attribute && code.text.text(called.symbol) == callee;
    });
  }

  // `x.chunk(n, dim=placement.dim)`: along whichever dimension it is told.
  static bool cuts_any_dimension(const FunctionCode& code, ir::ExprId pieces, Place at) {
    for (const Definition& d : code.reaching(code.ir.exprs[pieces].symbol, at).definitions) {
      if (!d.instruction || d.instruction->kind != ir::InstructionKind::Call) continue;
      for (const ir::Argument& a : ir::arguments(code.ir, *d.instruction)) {
        const bool is_dimension = a.kind == ir::ArgumentKind::Keyword && code.text.text(a.keyword) == "dim";
        const ir::ExprKind kind = code.ir.exprs[a.value].kind;
        if (is_dimension && kind != ir::ExprKind::Integer && kind != ir::ExprKind::Unary) return true;
      }
    }
    return false;
  }

  // Whether divisibility or padding is thought of anywhere in the function.
  static bool checks_sizes(const FunctionCode& code) {
    for (uint32_t e = 0; e < code.ir.exprs.size(); ++e) {
      const ir::Expr& expr = code.ir.exprs[ir::ExprId{e}];
      if (expr.kind == ir::ExprKind::Binary && expr.op == ir::Operator::Modulo) return true;
      if ((expr.kind == ir::ExprKind::Attribute || expr.kind == ir::ExprKind::Name) &&
          code.text.text(expr.symbol) == "pad")
        return true;
    }
    return false;
  }

  const Query& in_;
  const ProjectIndex& index_;
  TensorFacts& facts_;
  Origins origins_;
  bool cuts_chunks_ = false;  // the function that is looked at
};

}  // namespace

void find_picks(const Query& query, TensorFacts& facts) { Picks(query, facts).run(); }

}  // namespace ranklint
