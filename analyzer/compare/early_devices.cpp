// A worker that is told its number on the node hands it on in the environment, for whatever asks there:
//
//     self.device = local_device()                          # torch.device("cuda", int(os.environ.get("LOCAL_RANK",
//     0))) os.environ["LOCAL_RANK"] = str(self.local_rank)
//
// What asks further up is told the default, and so are all workers of the node. A question without a default would fail
// there and be noticed; so only those with one count, and settings of libraries that read the environment when they are
// asked
// (`envs.LOCAL_RANK`).
#include <algorithm>

#include "analyzer/base/among.h"
#include "analyzer/compare/tensor_passes.h"
#include "analyzer/questions/code.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

constexpr std::string_view kVariable = "LOCAL_RANK";
constexpr int kDeepestExpression = 6, kDeepestCallee = 2;

class EarlyDevices {
 public:
  EarlyDevices(const Query& in, TensorFacts& facts) : in_(in), index_(in.index()), facts_(facts) {}

  void run() {
    for (const auto& [site, call] : in_.watched().calls)
      if (const Summary* s = in_.summary(site.function); s && s->graph.reachable(site.block) && hands_on(call))
        check(*s, site, call.range);
  }

 private:
  // `os.environ["LOCAL_RANK"] = ...` of what is not read there itself.
  bool hands_on(const WatchedCall& call) {
    const ValueStore& values = in_.values();
    const ValueId table = call.call.positional.size() == 2 ? in_.receiver_of(call.call.callee) : ValueId{};
    if (!table.valid() || !in_.roles().play(in_.callee_path(table), Role::HoldsEnvironment)) return false;
    const Value& key = values[call.call.positional[0]];
    const ValueId number = call.call.positional[1];
    return key.kind == ValueKind::Text && index_.names().text(Symbol{key.a}) == kVariable &&
           !values.is_constant(number) && values[number].kind != ValueKind::Coordinate;
  }

  void check(const Summary& s, const Site& set, SourceRange range) {
    const FunctionCode code(index_, s);
    for (const ir::BlockId b : s.graph.order()) {
      if (!s.graph.dominates(b, set.block)) continue;
      const auto& instructions = code.ir.blocks[b].instructions;
      const uint32_t end = b == set.block ? set.instruction : static_cast<uint32_t>(instructions.size());
      for (uint32_t i = 0; i < end; ++i) {
        if (sets(code, instructions[i])) return;
        if (instructions[i].kind != ir::InstructionKind::Call ||
            !chooses_device(code, instructions[i], {b, i}, kDeepestCallee))
          continue;
        const std::string called(last_part(index_.dotted(code.module, code.ir, instructions[i].value)));
        return facts_.early_devices.push_back(
            {code.key, instructions[i].range, called, code.key, range, {}, Certainty::Likely});
      }
    }
  }

  static bool is_variable(const FunctionCode& code, ir::ExprId e) {
    return code.ir.exprs[e].kind == ir::ExprKind::String && code.text.text(code.ir.exprs[e].symbol) == kVariable;
  }

  static bool sets(const FunctionCode& code, const ir::Instruction& i) {
    return i.target.valid() && code.ir.exprs[i.target].kind == ir::ExprKind::Subscript &&
           is_variable(code, ir::children(code.ir, i.target)[1]);
  }

  // `torch.device(...)` of the variable, or a call of a function of the project that does that.
  bool chooses_device(const FunctionCode& code, const ir::Instruction& call, Place at, int depth) {
    const std::string callee = index_.dotted(code.module, code.ir, call.value);
    if (in_.roles().play(callee, Role::ChoosesDevice)) {
      const auto arguments = ir::arguments(code.ir, call);
      return std::any_of(arguments.begin(), arguments.end(),
                         [&](const ir::Argument& a) { return asks(code, a.value, at, kDeepestExpression); });
    }
    const FunctionKey f = depth > 0 ? function_named(index_, code, call.value) : FunctionKey{};
    const Summary* s = f.valid() ? in_.summary(f) : nullptr;
    return s && chooses_device(FunctionCode(index_, *s), depth - 1);
  }

  bool chooses_device(const FunctionCode& code, int depth) {
    return std::any_of(code.graph.order().begin(), code.graph.order().end(), [&](ir::BlockId b) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i)
        if (instructions[i].kind == ir::InstructionKind::Call && chooses_device(code, instructions[i], {b, i}, depth))
          return true;
      return false;
    });
  }

  // Whether what the expression holds is asked of the variable, with a default.
  static bool asks(const FunctionCode& code, ir::ExprId e, Place at, int depth) {
    if (!e.valid() || depth == 0) return false;
    const ir::Expr& expr = code.ir.exprs[e];
    if (expr.kind == ir::ExprKind::Attribute && code.text.text(expr.symbol) == kVariable) return true;
    if (expr.kind == ir::ExprKind::Name)
      for (const Definition& d : code.reaching(expr.symbol, at).definitions)
        if (d.instruction && asks(code, *d.instruction, d.place, depth - 1)) return true;
    const auto children = ir::children(code.ir, e);
    return std::any_of(children.begin(), children.end(),
                       [&](ir::ExprId child) { return asks(code, child, at, depth); });
  }

  static bool asks(const FunctionCode& code, const ir::Instruction& i, Place at, int depth) {
    if (i.kind == ir::InstructionKind::Assign) return asks(code, i.value, at, depth);
    if (i.kind != ir::InstructionKind::Call) return false;
    const auto arguments = ir::arguments(code.ir, i);
    const bool in_environment = code.ir.exprs[i.value].kind == ir::ExprKind::Attribute &&
                                among(code.text.text(code.ir.exprs[i.value].symbol), {"get", "getenv"});
    if (in_environment && arguments.size() == 2 && is_variable(code, arguments[0].value))
      return is_literal(code.ir.exprs[arguments[1].value].kind);
    return std::any_of(arguments.begin(), arguments.end(),
                       [&](const ir::Argument& a) { return asks(code, a.value, at, depth); });
  }

  static bool is_literal(ir::ExprKind kind) { return kind == ir::ExprKind::Integer || kind == ir::ExprKind::String; }

  const Query& in_;
  const ProjectIndex& index_;
  TensorFacts& facts_;
};

}  // namespace

void find_early_devices(const Query& query, TensorFacts& facts) { EarlyDevices(query, facts).run(); }

}  // namespace ranklint
