// A constructor or `from_pretrained` leaves a module on the host, unless something around it says otherwise: a device
// context, `device=`, `device_map=`, a default device. What moves it afterwards is read in module_moves.h, a move that
// is not understood counting as one to the device. The module may be made by a function that returns it, or by the
// constructor of the class whose attribute it is. Only what is seen to be made and not seen to be moved is on the host.
#include "analyzer/questions/module_device.h"

#include <algorithm>
#include <array>

#include "analyzer/questions/callee.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

constexpr int kDeepestMaker = 3;  // functions that return what another one made

class Look {
 public:
  Look(const Query& in, const std::vector<Link>& way) : in_(in), index_(in.index()), way_(way) {}

  ModuleOrigin at(size_t link, ir::ExprId e) {
    const Summary* s = in_.summary(way_[link].function);
    if (!s || !e.valid()) return {};
    const FunctionCode code(index_, *s);
    if (const auto known = here(code, e, way_[link].call, 0)) return *known;
    const Derivation from = derivation_of(code, e, way_[link].call);
    return link == 0 ? of_attribute(code, e, way_[link].call) : outside(link, from);
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

  // As far as the function itself says; nothing where it does not.
  std::optional<ModuleOrigin> here(const FunctionCode& code, ir::ExprId e, ProgramPoint place, int depth) {
    const Derivation from = derivation_of(code, e, place);
    if (default_device(code)) return ModuleOrigin{Where::Device, {}, {}};
    if (const std::vector<Move> moves = last_moves(in_, code, from.names, place); !moves.empty())
      return after(code, moves);
    std::optional<ModuleOrigin> origin;
    for (const ProgramPoint& call : from.calls) {
      const std::optional<ModuleOrigin> one = by_call(code, call, depth);
      if (one && (!origin || one->where != Where::Host)) origin = one;
    }
    return origin;
  }

  ModuleOrigin after(const FunctionCode& code, const std::vector<Move>& moves) const {
    const Move& last = moves.back();
    if (moves.size() > 1 || last.to == Where::Unknown || last.to == Where::Device) return {Where::Device, {}, {}};
    return {last.to, code.key, code.ir.blocks[last.place.block].instructions[last.place.instruction].range};
  }

  std::optional<ModuleOrigin> by_call(const FunctionCode& code, ProgramPoint call, int depth) {
    if (makes_module(code, call)) return made(code, call);
    const Entity entity =
        index_.resolve(code.module, code.ir, code.ir.blocks[call.block].instructions[call.instruction].value);
    if (entity.kind != Entity::Kind::Function || depth >= kDeepestMaker) return std::nullopt;
    const std::optional<ModuleOrigin> returned = by_returns(entity.function, depth + 1);
    // A context around the call holds in the callee, too.
    if (returned && returned->where == Where::Host && surrounded(code, call, Where::Host) != Where::Host)
      return ModuleOrigin{};
    return returned;
  }

  // What all its returns agree on.
  std::optional<ModuleOrigin> by_returns(FunctionKey f, int depth) {
    const Summary* s = in_.summary(f);
    if (!s || index_.function(f).is_generator) return std::nullopt;
    const FunctionCode code(index_, *s);
    std::optional<ModuleOrigin> all;
    for (ir::BlockId b : code.graph().order()) {
      const ir::Block& block = code.ir.blocks[b];
      if (block.terminator.kind != ir::TerminatorKind::Return || !block.terminator.value.valid()) continue;
      const ProgramPoint end{b, static_cast<uint32_t>(block.instructions.size())};
      const std::optional<ModuleOrigin> one = here(code, block.terminator.value, end, depth);
      if (!one || (all && all->where != one->where)) return one || all ? std::optional(ModuleOrigin{}) : std::nullopt;
      all = one;
    }
    return all;
  }

  // `self.model`, assigned once in the constructor and moved by no method.
  ModuleOrigin of_attribute(const FunctionCode& code, ir::ExprId e, ProgramPoint place) {
    const ir::Expr& expr = code.ir.exprs[e];
    const ClassKey owner = index_.functions()[code.key].owner;
    if (expr.kind != ir::ExprKind::Attribute || !owner.valid() || code.ir.parameters.empty() ||
        code.name(ir::children(code.ir, e)[0]) != code.text.text(code.ir.parameters[0].name))
      return {};
    const Symbol name = index_.name(code.module, expr.symbol);
    const auto& attributes = index_.classes()[owner].attributes;
    const auto sites = attributes.find(name);
    if (sites == attributes.end() || !index_.classes()[owner].subclasses.empty()) return {};
    const AttributeSite* made = nullptr;
    for (const AttributeSite& site : sites->second) {
      if (site.function == code.key && ProgramPoint{site.block, site.instruction} == place) continue;
      if (made) return {};
      made = &site;
    }
    if (!made || !is_builtin(last_part(index_.qualified_name(made->function)), Builtin::Init) ||
        is_moved_in(code.module, owner, index_.names().text(name)))
      return {};
    const FunctionCode constructor(index_, *in_.summary(made->function));
    const ir::Instruction& site = constructor.ir.blocks[made->block].instructions[made->instruction];
    if (site.kind == ir::InstructionKind::Assign)
      return here(constructor, site.value, {made->block, made->instruction}, 0).value_or(ModuleOrigin{});
    if (site.kind != ir::InstructionKind::Call) return {};
    return by_call(constructor, {made->block, made->instruction}, 0).value_or(ModuleOrigin{});
  }

  // Whether the class, or a function of its file, moves an attribute of this name or an object as a whole.
  bool is_moved_in(ModuleKey module, ClassKey owner, std::string_view name) const {
    const ir::Module& text = index_.modules()[module];
    const std::vector<ClassKey> family = index_.linearization(owner);
    for (uint32_t id = 0; id < text.functions.size(); ++id) {
      const ir::Function& f = text.functions[ir::FunctionId{id}];
      const ClassKey of = index_.functions()[index_.key(module, ir::FunctionId{id})].owner;
      const bool other = of.valid() && std::find(family.begin(), family.end(), of) == family.end();
      for (uint32_t i = 0; i < f.exprs.size(); ++i)
        if (f.exprs[ir::ExprId{i}].kind == ir::ExprKind::Attribute && moves(text, f, ir::ExprId{i}, name, other))
          return true;
    }
    return false;
  }

  // `x.name.cuda` or `self.to`; in another class `self.name` is another object's.
  bool moves(const ir::Module& text, const ir::Function& f, ir::ExprId method, std::string_view name,
             bool other_class) const {
    if (!move_of(in_.roles(), text.text(f.exprs[method].symbol))) return false;
    const ir::ExprId object = ir::children(f, method)[0];
    const ir::Expr& base = f.exprs[object];
    if (base.kind == ir::ExprKind::Name) return !other_class && is_builtin(text.text(base.symbol), Builtin::Self);
    if (base.kind != ir::ExprKind::Attribute || text.text(base.symbol) != name) return false;
    const ir::Expr& owner = f.exprs[ir::children(f, object)[0]];
    return !other_class || owner.kind != ir::ExprKind::Name || !is_builtin(text.text(owner.symbol), Builtin::Self);
  }

  bool default_device(const FunctionCode& code) const {
    for (const ir::Function& f : code.text.functions)
      for (uint32_t e = 0; e < f.exprs.size(); ++e) {
        const ir::Expr& expr = f.exprs[ir::ExprId{e}];
        if (expr.kind == ir::ExprKind::Attribute &&
            in_.roles().play(code.text.text(expr.symbol), Role::SetsDefaultDevice))
          return true;
      }
    return false;
  }

  // A class that is made, a layer of torch, or a factory of transformers and diffusers.
  bool makes_module(const FunctionCode& code, ProgramPoint at) const {
    const ir::ExprId callee = code.ir.blocks[at.block].instructions[at.instruction].value;
    const Entity entity = index_.resolve(code.module, code.ir, callee);
    const std::string name = entity.kind == Entity::Kind::External ? std::string(index_.names().text(entity.name))
                                                                   : index_.dotted(code.module, code.ir, callee);
    if (in_.roles().play(name, Role::NoModule)) return false;
    if (in_.roles().play(name, Role::MakesModule)) return true;
    return entity.kind == Entity::Kind::Class && is_module(entity.klass);
  }

  bool is_module(ClassKey c) const { return index_.derives_from_external(c, "Module"); }

  ModuleOrigin made(const FunctionCode& code, ProgramPoint at) const {
    const ir::Instruction& call = code.ir.blocks[at.block].instructions[at.instruction];
    for (const ir::Argument& a : ir::arguments(code.ir, call)) {
      if (a.kind == ir::ArgumentKind::DoubleStar) return {};
      const std::string_view keyword =
          a.kind == ir::ArgumentKind::Keyword ? code.text.text(a.keyword) : std::string_view();
      if (!in_.priors().suggest(keyword, NameMeaning::Device)) continue;
      const Where where =
          code.ir.exprs[a.value].kind == ir::ExprKind::None ? Where::Host : device_of(in_, code, a.value, at);
      if (where != Where::Host) return {where, code.key, call.range};
    }
    return {surrounded(code, at, Where::Host), code.key, call.range};
  }

  Where surrounded(const FunctionCode& code, ProgramPoint at, Where where) const {
    for (ir::BlockId b : code.graph().order()) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i)
        if (instructions[i].kind == ir::InstructionKind::EnterWith && encloses(code, {b, i}, at))
          where = under(code, {b, i}, where);
    }
    return where;
  }

  // Whether the context is entered on every way to the place, and not left before it.
  static bool encloses(const FunctionCode& code, ProgramPoint enter, ProgramPoint at) {
    const bool before =
        enter.block == at.block ? enter.instruction < at.instruction : code.graph().dominates(enter.block, at.block);
    if (!before) return false;
    const ir::ExprId context = code.ir.blocks[enter.block].instructions[enter.instruction].value;
    for (ir::BlockId b : code.graph().order()) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i) {
        if (instructions[i].kind != ir::InstructionKind::ExitWith ||
            code.name(instructions[i].value) != code.name(context))
          continue;
        if (b == at.block ? i < at.instruction && (b != enter.block || i > enter.instruction)
                          : code.graph().dominates(b, at.block))
          return false;
      }
    }
    return true;
  }

  Where under(const FunctionCode& code, ProgramPoint enter, Where otherwise) const {
    const ir::ExprId context = code.ir.blocks[enter.block].instructions[enter.instruction].value;
    const Derivation from = derivation_of(code, context, enter);
    for (const ProgramPoint& p : from.calls) {
      const ir::Instruction& call = code.ir.blocks[p.block].instructions[p.instruction];
      if (plays(in_, code, call, Role::ChoosesDevice)) {
        const Where chosen = chosen_by(code, call);
        return chosen == Where::Host ? otherwise : chosen;
      }
      if (plays(in_, code, call, Role::MakesOnMeta)) return Where::Meta;
      if (!plays(in_, code, call, Role::KeepsDevice)) return Where::Unknown;
    }
    return from.calls.empty() ? Where::Unknown : otherwise;
  }

  // `torch.device("meta")`
  Where chosen_by(const FunctionCode& code, const ir::Instruction& call) const {
    const ir::ExprId given = first_argument(code, call);
    return given.valid() && code.ir.exprs[given].kind == ir::ExprKind::String
               ? device_of_text(in_.roles(), code.text.text(code.ir.exprs[given].symbol))
               : Where::Device;
  }

  const Query& in_;
  const ProjectIndex& index_;
  const std::vector<Link>& way_;
};

}  // namespace

ModuleOrigin module_origin(const Query& query, const std::vector<Link>& way, ir::ExprId e) {
  return Look(query, way).at(way.size() - 1, e);
}

}  // namespace ranklint
