// A move by `.cpu()` that every later way passes makes earlier ones forgotten; any other move may be the last. A
// module's parameters may be moved one by one (`p.data = p.data.cuda()`), which is a move of the module, too.
#include "analyzer/questions/module_moves.h"

#include <algorithm>

#include "analyzer/questions/callee.h"

namespace ranklint {
namespace {

bool name_suggests_dtype(const NamePriors& priors, const FunctionCode& code, ir::ExprId e) {
  const ir::Expr& expr = code.ir.exprs[e];
  return (expr.kind == ir::ExprKind::Name || expr.kind == ir::ExprKind::Attribute) &&
         priors.suggest(code.text.text(expr.symbol), NameMeaning::NumberType);
}

// Where a move brings it; nothing where only the type changes.
std::optional<Where> target_of(const Query& in, const FunctionCode& code, const ir::Instruction& call,
                               const RoleEntry& move, ProgramPoint at) {
  if (move.role == Role::MovesToHost) return Where::Host;
  if (!move.argument.present()) return Where::Device;
  std::optional<Where> where;
  for (const ir::Argument& a : ir::arguments(code.ir, call)) {
    const bool is_another = a.kind == ir::ArgumentKind::Keyword && code.text.text(a.keyword) != move.argument.keyword;
    if (is_another || name_suggests_dtype(in.priors(), code, a.value)) continue;
    const Where given = device_of(in, code, a.value, at);
    if (!where || given == Where::Device) where = given == Where::Unknown ? Where::Device : given;
  }
  return where;
}

}  // namespace

Where device_of_text(const Roles& roles, std::string_view device) {
  device = device.substr(0, device.find(':'));
  if (roles.play(device, Role::HostDevice)) return Where::Host;
  return roles.play(device, Role::MetaDevice) ? Where::Meta : Where::Device;
}

// What the expression says of a device.
struct DeviceText {
  std::optional<std::string_view> text;  // that it is, or names, or that `torch.device("cuda")` is made of
  bool is_chosen = false;                // by `torch.device(...)`, whatever it is given
  bool is_numbered = false;              // `torch.device("cuda", rank)`
};

static DeviceText device_text(const Query& in, const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  const auto text_of = [&](ir::ExprId text) {
    return code.ir.exprs[text].kind == ir::ExprKind::String
               ? std::optional(std::string_view(code.text.text(code.ir.exprs[text].symbol)))
               : std::nullopt;
  };
  if (const auto text = text_of(e)) return {.text = text};
  const std::optional<Definition> from = code.only_definition(e, at);
  if (!from) return {};
  const ir::Instruction& made = *from->instruction;
  if (made.kind == ir::InstructionKind::Assign) return {.text = text_of(made.value)};
  if (made.kind != ir::InstructionKind::Call || !plays(in, code, made, Role::ChoosesDevice)) return {};
  const ir::ExprId given = first_argument(code, made);
  if (!given.valid()) return {};
  return {.text = text_of(given), .is_chosen = true, .is_numbered = ir::arguments(code.ir, made).size() > 1};
}

Where device_of(const Query& in, const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  const DeviceText device = device_text(in, code, e, at);
  if (device.text) return device_of_text(in.roles(), *device.text);
  return device.is_chosen ? Where::Device : Where::Unknown;
}

bool is_current_device(const Query& in, const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  const DeviceText device = device_text(in, code, e, at);
  return device.text && !device.is_numbered && in.roles().play(*device.text, Role::CurrentDevice);
}

const RoleEntry* move_of(const Roles& roles, std::string_view callee) {
  const RoleEntry* to_host = roles.find(callee, Role::MovesToHost);
  return to_host ? to_host : roles.find(callee, Role::MovesToDevice);
}

namespace {

class Moves {
 public:
  Moves(const Query& in, const FunctionCode& code, const std::set<Symbol>& names)
      : in_(in), code_(code), names_(names) {}

  std::vector<Move> run(ProgramPoint before) {
    for (ir::BlockId b : code_.graph().order()) {
      const auto& instructions = code_.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size() && (b != before.block || i < before.instruction); ++i)
        if (instructions[i].kind == ir::InstructionKind::Call) look(instructions[i], {b, i});
    }
    forget_earlier(before);
    return std::move(found_);
  }

 private:
  bool is_it(ir::ExprId e, ProgramPoint at) const {
    if (code_.mentions(e, [&](Symbol s) { return names_.contains(s); })) return true;
    const Derivation from = derivation_of(code_, e, at);
    return std::any_of(from.names.begin(), from.names.end(), [&](Symbol s) { return names_.contains(s); });
  }

  void look(const ir::Instruction& call, ProgramPoint at) {
    const std::string_view word = name_of_callee(code_, call);
    const bool method = code_.ir.exprs[call.value].kind == ir::ExprKind::Attribute;
    const RoleEntry* move = method ? move_of(in_.roles(), word) : nullptr;
    if (move && is_it(ir::children(code_.ir, call.value)[0], at)) {
      if (const std::optional<Where> to = target_of(in_, code_, call, *move, at)) found_.push_back({*to, at});
      return;
    }
    if (!in_.priors().suggest(word, NameMeaning::PlacesModel) && !body_moves(call)) return;
    for (const ir::Argument& a : ir::arguments(code_.ir, call))
      if (is_it(a.value, at)) {
        found_.push_back({Where::Unknown, at});
        return;
      }
  }

  // Whether it is a function of the project in which something is moved.
  bool body_moves(const ir::Instruction& call) const {
    const Entity entity = in_.index().resolve(code_.module, code_.ir, call.value);
    if (entity.kind != Entity::Kind::Function) return false;
    const ir::Function& body = in_.index().function(entity.function);
    const ir::Module& text = in_.index().modules()[in_.index().functions()[entity.function].module];
    return std::any_of(body.exprs.begin(), body.exprs.end(), [&](const ir::Expr& e) {
      return e.kind == ir::ExprKind::Attribute && move_of(in_.roles(), text.text(e.symbol));
    });
  }

  bool comes_first(ProgramPoint a, ProgramPoint b) const {
    return a.block == b.block ? a.instruction < b.instruction : code_.graph().dominates(a.block, b.block);
  }

  void forget_earlier(ProgramPoint before) {
    for (size_t i = found_.size(); i-- > 0;) {
      if (!comes_first(found_[i].place, before)) continue;
      const ProgramPoint last = found_[i].place;
      std::erase_if(found_, [&](const Move& m) { return m.place != last && comes_first(m.place, last); });
      return;
    }
  }

  const Query& in_;
  const FunctionCode& code_;
  const std::set<Symbol>& names_;
  std::vector<Move> found_;
};

}  // namespace

std::vector<Move> last_moves(const Query& in, const FunctionCode& code, const std::set<Symbol>& names,
                             ProgramPoint before) {
  return Moves(in, code, names).run(before);
}

}  // namespace ranklint
