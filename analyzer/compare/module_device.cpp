// A constructor or `from_pretrained` leaves a module on the host, unless something around it says otherwise: a device
// context, `device_map=`, a default device. Any `.to(...)` or `.cuda()` of it, assigned or not, may have moved it; then it
// counts as moved. Only what is seen to be made and not seen to be moved is on the host.
#include "analyzer/compare/module_device.h"

#include <algorithm>
#include <array>

#include "analyzer/compare/derivation.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

using Where = ModuleOrigin::Where;

constexpr std::array<std::string_view, 6> kMoves{"cuda", "to", "npu", "xpu", "to_empty", "dispatch_model"};
constexpr std::array<std::string_view, 3> kMetaContexts{"init_empty_weights", "init_on_device", "no_init_or_tensor"};

template <size_t N>
bool among(std::string_view name, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

class Look {
 public:
  Look(Interpreter& in, const std::vector<Link>& way) : in_(in), index_(in.index()), way_(way) {}

  ModuleOrigin at(size_t link, ir::ExprId e) {
    const Summary* s = in_.summary(way_[link].function);
    if (!s || !e.valid()) return {};
    const FunctionCode code(index_, *s);
    const Derivation from = derivation_of(code, e, way_[link].call);
    if (moved(code, from, way_[link].call) || default_device(code)) return {Where::Device, {}, {}};
    for (const Place& call : from.calls)
      if (makes_module(code, call)) return made(code, call);
    return link == 0 ? ModuleOrigin{} : outside(link, from);
  }

 private:
  ModuleOrigin outside(size_t link, const Derivation& from) {
    const Link& caller = way_[link - 1];
    const Summary* s = in_.summary(caller.function);
    if (!s) return {};
    const FunctionCode code(index_, *s);
    const ir::Instruction& call = code.ir.blocks[caller.call.block].instructions[caller.call.instruction];
    for (int parameter : from.parameters) {
      const ir::ExprId given = argument_for(code, call, index_, way_[link].function, parameter, caller.has_receiver);
      if (const ModuleOrigin found = at(link - 1, given); found.where != Where::Unknown) return found;
    }
    return {};
  }

  // Any move of one of the names in front of the place, or of what is assigned to them.
  static bool moved(const FunctionCode& code, const Derivation& from, Place before) {
    for (ir::BlockId b : code.graph.order()) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size() && (b != before.block || i < before.instruction); ++i) {
        const ir::Expr* callee = instructions[i].kind == ir::InstructionKind::Call ? &code.ir.exprs[instructions[i].value] : nullptr;
        if (!callee || callee->kind != ir::ExprKind::Attribute || !among(code.text.text(callee->symbol), kMoves)) continue;
        const ir::ExprId object = ir::children(code.ir, instructions[i].value)[0];
        if (to_host(code, instructions[i])) continue;
        if (code.mentions(object, [&](Symbol s) { return from.names.count(s) != 0; })) return true;
      }
    }
    return false;
  }

  // `.to("cpu")`, and `.to(torch.bfloat16)`, which moves nothing.
  static bool to_host(const FunctionCode& code, const ir::Instruction& call) {
    const ir::ExprId device = first_argument(code, call);
    if (!device.valid()) return false;
    const ir::Expr& e = code.ir.exprs[device];
    if (e.kind == ir::ExprKind::String) return code.text.text(e.symbol) == "cpu";
    if (e.kind != ir::ExprKind::Attribute) return false;
    const std::string_view type = code.text.text(e.symbol);
    return code.name(ir::children(code.ir, device)[0]) == "torch" &&
           (type.starts_with("float") || type.starts_with("bfloat") || type == "half" || type == "double");
  }

  bool default_device(const FunctionCode& code) const {
    for (const ir::Function& f : code.text.functions)
      for (uint32_t e = 0; e < f.exprs.size(); ++e) {
        const ir::Expr& expr = f.exprs[ir::ExprId{e}];
        if (expr.kind == ir::ExprKind::Attribute && code.text.text(expr.symbol) == "set_default_device") return true;
      }
    return false;
  }

  // A class that is made, or a factory of transformers and diffusers.
  bool makes_module(const FunctionCode& code, Place at) const {
    const ir::ExprId callee = code.ir.blocks[at.block].instructions[at.instruction].value;
    const std::string dotted = index_.dotted(code.module, code.ir, callee);
    const std::string_view last = last_part(dotted);
    if (last == "from_pretrained" || last == "from_config") return true;
    const Entity entity = index_.resolve(code.module, code.ir, callee);
    return entity.kind == Entity::Kind::Class && is_module(entity.klass);
  }

  bool is_module(ClassKey c) const { return index_.derives_from_external(c, "Module"); }

  ModuleOrigin made(const FunctionCode& code, Place at) const {
    const ir::Instruction& call = code.ir.blocks[at.block].instructions[at.instruction];
    for (const ir::Argument& a : ir::arguments(code.ir, call)) {
      const std::string_view keyword = a.kind == ir::ArgumentKind::Keyword ? code.text.text(a.keyword) : std::string_view();
      if (keyword.find("device") != keyword.npos || a.kind == ir::ArgumentKind::DoubleStar) return {Where::Unknown, {}, {}};
    }
    Where where = Where::Host;
    for (ir::BlockId b : code.graph.order()) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i)
        if (instructions[i].kind == ir::InstructionKind::EnterWith && encloses(code, {b, i}, at)) where = under(code, {b, i}, where);
    }
    return {where, code.key, call.range};
  }

  // Whether the context is entered on every way to the place, and not left before it.
  static bool encloses(const FunctionCode& code, Place enter, Place at) {
    const bool before = enter.block == at.block ? enter.instruction < at.instruction : code.graph.dominates(enter.block, at.block);
    if (!before) return false;
    const ir::ExprId context = code.ir.blocks[enter.block].instructions[enter.instruction].value;
    for (ir::BlockId b : code.graph.order()) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i) {
        if (instructions[i].kind != ir::InstructionKind::ExitWith || code.name(instructions[i].value) != code.name(context)) continue;
        if (b == at.block ? i < at.instruction && (b != enter.block || i > enter.instruction) : code.graph.dominates(b, at.block)) return false;
      }
    }
    return true;
  }

  Where under(const FunctionCode& code, Place enter, Where otherwise) const {
    const ir::ExprId context = code.ir.blocks[enter.block].instructions[enter.instruction].value;
    const Derivation from = derivation_of(code, context, enter);
    for (const Place& p : from.calls) {
      const ir::Instruction& call = code.ir.blocks[p.block].instructions[p.instruction];
      const std::string dotted = index_.dotted(code.module, code.ir, call.value);
      const std::string_view last = last_part(dotted);
      const ir::ExprId given = first_argument(code, call);
      const std::string_view text = given.valid() && code.ir.exprs[given].kind == ir::ExprKind::String ? code.text.text(code.ir.exprs[given].symbol) : "";
      if (last == "device") return text == "meta" ? Where::Meta : text == "cpu" ? otherwise : Where::Device;
      if (among(last, kMetaContexts)) return Where::Meta;
      if (last != "no_grad" && last != "autocast" && last != "catch_warnings") return Where::Unknown;
    }
    return from.calls.empty() ? Where::Unknown : otherwise;
  }

  Interpreter& in_;
  const ProjectIndex& index_;
  const std::vector<Link>& way_;
};

}  // namespace

ModuleOrigin module_origin(Interpreter& interpreter, const std::vector<Link>& way, ir::ExprId e) {
  return Look(interpreter, way).at(way.size() - 1, e);
}

}  // namespace ranklint
