// A rank that picks its part by its number: `chunks[rank]`. A chunking gives fewer chunks than asked for when the
// dimension is short, so the last ranks find none.
#include <algorithm>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/subscripts.h"
#include "rules/spot.h"
#include "rules/wording.h"

namespace ranklint::chunk_fewer_than_ranks {

constexpr RuleInfo kInfo{.id = "chunk-fewer-than-ranks",
                         .code = "RL305",
                         .summary = "a chunk is picked by a mesh coordinate without a look at the size",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "the index fails"};

namespace {

class ThinChunks {
 public:
  explicit ThinChunks(const Query& in) : in_(in), index_(in.index()) {}

  std::vector<Spot> run() {
    in_.for_each_judged("picks of chunks", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (!s) return;
      const FunctionCode code(index_, *s);
      // Asked before what reaches a subscript, of which a function of C may have thousands.
      if (!names_one(code, {"chunk"})) return;
      for_each_subscript(code, [&](const Subscript& subscript) { check(code, subscript); });
    });
    return std::move(found_);
  }

 private:
  void check(const FunctionCode& code, const Subscript& pick) {
    const ir::ExprId container = pick.container;
    if (code.name(container).empty() || !is_called(code, container, pick.at, "chunk") || checks_sizes(code)) return;
    const Derivation from = derivation_of(code, pick.index, pick.at);
    const bool by_mesh = std::any_of(from.calls.begin(), from.calls.end(), [&](const Place& p) {
      return plays(in_, code, code.ir.blocks[p.block].instructions[p.instruction], Role::TellsCoordinate);
    });
    // Along a dimension that is written out its author knows the size; a loader of any tensors does not.
    if (!by_mesh) return;
    found_.push_back({code.key, pick.range, std::string(code.name(container)), {}, {}, {}, Certainty::Likely});
    if (!cuts_any_dimension(code, container, pick.at))
      found_.back().certainty.doubt({Reason::KnownDimension, {code.key, pick.range}});
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
  std::vector<Spot> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Spot& spot : ThinChunks(in).run()) {
    if (!is_reported_outside_tests(shared, spot.function)) continue;
    Finding finding = finding_at(kInfo, shared, spot.function, spot.range, spot.certainty);
    finding.message = (spot.name.starts_with("%") ? "what `chunk` gives" : "`" + spot.name + "`") +
                      " is indexed by this rank's coordinate, and there are fewer pieces than ranks where the "
                      "dimension is smaller: the last ranks raise, the others wait";
    finding.help = "check that the dimension divides, pad it, or use tensor_split, which gives empty pieces";
    finding.fingerprint_key = spot.name + "chunk";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::chunk_fewer_than_ranks
