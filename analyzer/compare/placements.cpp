// Distributed tensors that do not fit: a plain tensor beside them, local data under a placement that it does not have,
// data of any length gathered as if all ranks had the same, whole tensors on every device.
#include <algorithm>
#include <array>

#include "analyzer/compare/tensor_passes.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

class Placements {
 public:
  Placements(const Query& in, TensorFacts& facts) : in_(in), values_(in.values()), index_(in.index()), facts_(facts) {}

  void run() {
    const std::map<Site, WatchedCall> watched = in_.watched().calls;
    for (const auto& [site, call] : watched) {
      const std::string_view name = in_.callee_name(call.call.callee);
      const Summary* s = in_.summary(site.function);
      if (!s) continue;
      const FunctionCode code(index_, *s);
      const Place at{site.block, site.instruction};
      if (name == "from_local")
        check_from_local(code, at, call);
      else if (name == "distribute_tensor")
        check_device_copy(code, at, call);
      else
        check_operands(code, call, name);
    }
  }

 private:
  bool is_dtensor(ValueId v) {
    const Symbol type = values_.external_type_of(v);
    return type.valid() && last_part(index_.names().text(type)) == "DTensor";
  }

  // A tensor made here, of more than one element.
  bool is_plain(ValueId v) {
    if (values_[v].kind != ValueKind::Tensor) return false;
    const auto parts = values_.children(v).subspan(1);
    return std::any_of(parts.begin(), parts.end(), [&](ValueId size) {
      int64_t n = 0;
      return !values_.integer_of(size, n) || n > 1;
    });
  }

  void check_operands(const FunctionCode& code, const WatchedCall& call, std::string_view name) {
    std::vector<ValueId> operands = call.call.positional;
    if (values_[call.call.callee].kind == ValueKind::Attribute)
      operands.insert(operands.begin(), values_.child(call.call.callee, 0));
    const bool mixed = std::any_of(operands.begin(), operands.end(), [&](ValueId v) { return is_dtensor(v); }) &&
                       std::any_of(operands.begin(), operands.end(), [&](ValueId v) { return is_plain(v); });
    if (mixed && !mentions(code, "implicit_replication"))
      facts_.mixed_operands.push_back({code.key, call.range, std::string(name), {}, {}, {}, Certainty::High});
  }

  static bool mentions(const FunctionCode& code, std::string_view word) {
    for (uint32_t e = 0; e < code.ir.exprs.size(); ++e) {
      const ir::Expr& expr = code.ir.exprs[ir::ExprId{e}];
      if ((expr.kind == ir::ExprKind::Attribute || expr.kind == ir::ExprKind::Name) &&
          code.text.text(expr.symbol) == word)
        return true;
    }
    return false;
  }

  // The placements of a call: "Replicate", "Shard(0)"; empty when they are not written out.
  std::string placement(const FunctionCode& code, Place at, const ir::Instruction& call) {
    int position = 0;
    for (const ir::Argument& a : ir::arguments(code.ir, call)) {
      const bool here =
          a.kind == ir::ArgumentKind::Keyword ? code.text.text(a.keyword) == "placements" : position++ == 2;
      if (!here) continue;
      const Derivation from = derivation_of(code, a.value, at);
      if (from.calls.size() != 1 || !from.parameters.empty()) return {};
      const ir::Instruction& made = code.ir.blocks[from.calls[0].block].instructions[from.calls[0].instruction];
      std::string kind(last_part(index_.dotted(code.module, code.ir, made.value)));
      const ir::ExprId dim = first_argument(code, made);
      if (kind != "Shard" || !dim.valid() || code.ir.exprs[dim].kind != ir::ExprKind::Integer) return kind;
      return "Shard(" + std::string(code.text.text(code.ir.exprs[dim].symbol)) + ")";
    }
    return {};
  }

  void check_from_local(const FunctionCode& code, Place at, const WatchedCall& call) {
    const ir::Instruction& instruction = code.ir.blocks[at.block].instructions[at.instruction];
    const std::string where = placement(code, at, instruction);
    if (where.empty() || call.call.positional.empty()) return;
    const ValueId data = call.call.positional[0];
    const Derivation from = derivation_of(code, first_argument(code, instruction), at);
    if (where == "Replicate" && !values_.variance(data).empty() && values_[data].kind != ValueKind::Believed)
      facts_.misplaced.push_back(
          {code.key, call.range, where, {}, {}, "its values follow from the rank", Certainty::Likely});
    if (where.starts_with("Shard"))
      for (const Place& p : from.calls)
        if (is_method(code, p, "full_tensor"))
          facts_.misplaced.push_back({code.key, call.range, where, code.key,
                                      code.ir.blocks[p.block].instructions[p.instruction].range,
                                      "every rank has the whole tensor", Certainty::Likely});
    if (where == "Shard(0)" && gathered_at_once(code, at) && takes_data(code, from)) {
      const bool sized = std::any_of(call.call.keywords.begin(), call.call.keywords.end(),
                                     [&](const auto& k) { return index_.names().text(k.first) == "shape"; });
      if (!sized) facts_.uneven_gathers.push_back({code.key, call.range, where, {}, {}, {}, Certainty::Likely});
    }
  }

  bool is_method(const FunctionCode& code, Place p, std::string_view name) const {
    const ir::Instruction& call = code.ir.blocks[p.block].instructions[p.instruction];
    const ir::Expr& callee = code.ir.exprs[call.value];
    return callee.kind == ir::ExprKind::Attribute && code.text.text(callee.symbol) == name;
  }

  // `DTensor.from_local(...).full_tensor()`, whose own arguments may be calls in between.
  static bool gathered_at_once(const FunctionCode& code, Place at) {
    const auto& instructions = code.ir.blocks[at.block].instructions;
    const ir::ExprId made = instructions[at.instruction].target;
    if (code.name(made).empty()) return false;
    const auto reader =
        std::find_if(instructions.begin() + at.instruction + 1, instructions.end(), [&](const ir::Instruction& i) {
          return code.reads(i, [&](Symbol name) { return name == code.ir.exprs[made].symbol; });
        });
    if (reader == instructions.end() || reader->kind != ir::InstructionKind::Call ||
        code.ir.exprs[reader->value].kind != ir::ExprKind::Attribute)
      return false;
    return code.text.text(code.ir.exprs[reader->value].symbol) == "full_tensor" &&
           code.name(ir::children(code.ir, reader->value)[0]) == code.name(made);
  }

  // In a module's forward, of what it is given: a batch, whose length is each rank's own.
  bool takes_data(const FunctionCode& code, const Derivation& from) const {
    if (code.text.text(code.ir.name) != "forward" || mentions(code, "pad") || mentions(code, "all_gather"))
      return false;
    return std::any_of(from.parameters.begin(), from.parameters.end(), [](int p) { return p > 0; });
  }

  void check_device_copy(const FunctionCode& code, Place at, const WatchedCall& call) {
    const Derivation from =
        derivation_of(code, first_argument(code, code.ir.blocks[at.block].instructions[at.instruction]), at);
    for (const Place& p : from.calls) {
      const ir::Instruction& move = code.ir.blocks[p.block].instructions[p.instruction];
      if (is_method(code, p, "cuda") || (is_method(code, p, "to") && to_device(code, move)))
        return facts_.device_copies.push_back(
            {code.key, call.range, "distribute_tensor", code.key, move.range, {}, Certainty::Likely});
    }
  }

  bool to_device(const FunctionCode& code, const ir::Instruction& move) const {
    for (const ir::Argument& a : ir::arguments(code.ir, move)) {
      if (a.kind == ir::ArgumentKind::Keyword && code.text.text(a.keyword) == "device") return true;
      if (a.kind != ir::ArgumentKind::Positional) continue;
      const ir::Expr& e = code.ir.exprs[a.value];
      if (e.kind == ir::ExprKind::String) return code.text.text(e.symbol) != "cpu";
      return index_.dotted(code.module, code.ir, a.value).find("device") != std::string::npos;
    }
    return false;
  }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  TensorFacts& facts_;
};

}  // namespace

void find_placements(const Query& query, TensorFacts& facts) { Placements(query, facts).run(); }

}  // namespace ranklint
