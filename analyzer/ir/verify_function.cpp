#include <algorithm>
#include <unordered_set>

#include "analyzer/ir/equal.h"
#include "analyzer/ir/verifier.h"

namespace ranklint::ir {

namespace {

enum class Operand : uint8_t { None, Optional, Required };

// What one kind of instruction or terminator has.
struct OperationShape {
  Operand target = Operand::None;
  Operand value = Operand::None;
};

OperationShape shape_of(InstructionKind kind) {
  switch (kind) {
    case InstructionKind::Assign: return {Operand::Required, Operand::Required};
    case InstructionKind::Call:
    case InstructionKind::Await:
    case InstructionKind::YieldFrom:
    case InstructionKind::EnterWith: return {Operand::Optional, Operand::Required};
    case InstructionKind::Yield:
    case InstructionKind::Catch:
    case InstructionKind::Unknown: return {Operand::Optional, Operand::Optional};
    case InstructionKind::ExitWith:
    case InstructionKind::Assert: return {Operand::None, Operand::Required};
    case InstructionKind::Import: return {Operand::Optional, Operand::None};
    case InstructionKind::Delete: return {Operand::Required, Operand::None};
  }
  return {};
}

OperationShape shape_of(TerminatorKind kind) {
  switch (kind) {
    case TerminatorKind::Jump:
    case TerminatorKind::Unreachable: return {Operand::None, Operand::None};
    case TerminatorKind::Branch:
    case TerminatorKind::Except: return {Operand::None, Operand::Required};
    case TerminatorKind::Iterate: return {Operand::Required, Operand::Required};
    case TerminatorKind::Return:
    case TerminatorKind::Raise: return {Operand::None, Operand::Optional};
  }
  return {};
}

size_t successor_count(TerminatorKind kind) {
  switch (kind) {
    case TerminatorKind::Jump: return 1;
    case TerminatorKind::Branch:
    case TerminatorKind::Iterate:
    case TerminatorKind::Except: return 2;
    case TerminatorKind::Return:
    case TerminatorKind::Raise:
    case TerminatorKind::Unreachable: return 0;
  }
  return 0;
}

class FunctionVerifier {
 public:
  FunctionVerifier(const Module& module, FunctionId id, const Trees& trees, Complaints& complaints)
      : module_(module), id_(id), f_(module.functions[id]), trees_(trees), complaints_(complaints) {}

  void run() {
    name_ = "`" + std::string(text(f_.qualified_name)) + "`";
    complaints_.set_place(name_);
    head();
    parameters();
    require(!f_.blocks.empty(), "it has no block");
    for (uint32_t b = 0; b < f_.blocks.size(); ++b) block(BlockId{b});
  }

 private:
  void require(bool condition, const char* message) { complaints_.require(condition, message); }
  std::string_view text(Symbol s) const {
    return is_known_symbol(module_, s) ? module_.text(s) : std::string_view("?");
  }
  bool absent_or_sound(ExprId id) const { return !id.valid() || trees_.contains(id); }

  void head() {
    require(is_known_symbol(module_, f_.name) && is_known_symbol(module_, f_.qualified_name), "it has no name");
    require(is_ordered(f_.range) && is_ordered(f_.name_range), "a range ends before it begins");
    require(absent_or_sound(f_.return_annotation), "the return annotation is out of bounds");
    require(std::ranges::all_of(f_.decorators, [&](ExprId e) { return trees_.contains(e); }),
            "a decorator is out of bounds");
    const auto known = [&](Symbol s) { return is_known_symbol(module_, s); };
    require(std::ranges::all_of(f_.globals, known) && std::ranges::all_of(f_.nonlocals, known),
            "a global or nonlocal has no name");
    require((f_.kind == FunctionKind::Module) == (id_.index == 0), "function 0, and no other, is the module's code");
    if (id_.index == 0) require(text(f_.name) == "<module>", "function 0 is named <module>");
    require(f_.kind != FunctionKind::ClassBody || text(f_.name).starts_with("<class "),
            "a class body is named <class NAME>");
    require(!f_.parent.valid() || module_.functions.contains(f_.parent), "its parent is no function");
    owner();
  }

  void owner() {
    if (!f_.owner.valid()) return;
    if (!module_.classes.contains(f_.owner)) return require(false, "its owner is no class");
    const std::vector<FunctionId>& methods = module_.classes[f_.owner].methods;
    require(std::ranges::find(methods, id_) != methods.end(), "its owner does not have it among its methods");
  }

  // Python's order, which is the only one that the text form can write.
  static int position(ParameterKind kind) {
    switch (kind) {
      case ParameterKind::PositionalOnly: return 0;
      case ParameterKind::Positional: return 1;
      case ParameterKind::Star: return 2;
      case ParameterKind::KeywordOnly: return 3;
      case ParameterKind::DoubleStar: return 4;
    }
    return 4;
  }

  void parameters() {
    for (size_t i = 0; i < f_.parameters.size(); ++i) {
      const Parameter& p = f_.parameters[i];
      require(is_known_symbol(module_, p.name), "a parameter has no name");
      require(absent_or_sound(p.default_value) && absent_or_sound(p.annotation),
              "a parameter's expression is out of bounds");
      if (i == 0) continue;
      const int before = position(f_.parameters[i - 1].kind);
      const bool once = p.kind == ParameterKind::Star || p.kind == ParameterKind::DoubleStar;
      require(before < position(p.kind) || (before == position(p.kind) && !once), "the parameters are out of order");
    }
  }

  std::string place(const Block& b) const { return name_ + ", ^" + std::string(text(b.label)); }

  void block(BlockId id) {
    const Block& b = f_.blocks[id];
    complaints_.set_place(place(b));
    require(is_known_symbol(module_, b.label) && !text(b.label).empty(), "it has no label");
    require(labels_.insert(b.label.index).second, "another block has its label");
    require(!b.handler.valid() || f_.blocks.contains(b.handler), "its handler is no block");
    require(!endless_handlers_[id.index], "its handlers go round in a circle");
    for (size_t i = 0; i < b.instructions.size(); ++i) {
      complaints_.set_place(place(b) + ", instruction " + std::to_string(i));
      instruction(b.instructions[i], i == 0);
    }
    complaints_.set_place(place(b) + ", terminator");
    terminator(b.terminator);
  }

  // The operand's presence, bounds and that no block evaluates a call inside a tree.
  bool operand(ExprId id, Operand wanted, const char* name) {
    const size_t before = complaints_.size();
    if (!id.valid() && wanted == Operand::Required) complaints_.add(std::string("the ") + name + " is missing");
    if (id.valid() && wanted == Operand::None) complaints_.add(std::string("it has a ") + name);
    if (id.valid() && !trees_.contains(id)) complaints_.add(std::string("the ") + name + " is out of bounds");
    if (complaints_.size() != before || !id.valid()) return false;
    if (trees_.has_call(id)) complaints_.add(std::string("the ") + name + " holds a call");
    const ExprKind kind = trees_.kind(id);
    require(kind != ExprKind::Unpack && kind != ExprKind::Keyword, "an operand is part of a dict or call");
    return true;
  }

  void operands(const OperationShape& shape, ExprId target, ExprId value) {
    if (operand(target, shape.target, "target")) require(trees_.is_place(target), "the target is no place");
    operand(value, shape.value, "value");
  }

  void instruction(const Instruction& i, bool is_first) {
    operands(shape_of(i.kind), i.target, i.value);
    require(is_ordered(i.range), "its range ends before it begins");
    const bool is_with = i.kind == InstructionKind::EnterWith || i.kind == InstructionKind::ExitWith;
    require(is_with || !i.is_async, "only `enter`, `leave` and `unwind` are async");
    require(i.kind == InstructionKind::ExitWith || !i.unwinds, "only `unwind` is on the way of an exception");
    require(is_absent_or_known(module_, i.symbol) && (i.kind != InstructionKind::Unknown || i.symbol.valid()),
            "an unknown instruction says what it was");
    const bool yields = i.kind == InstructionKind::Yield || i.kind == InstructionKind::YieldFrom;
    require(!yields || f_.is_generator, "it yields, but the function is no generator");
    require(i.kind != InstructionKind::Catch || is_first, "`catch` is not the first of its block");
    if (i.kind == InstructionKind::ExitWith) require(is_entered(i), "no `enter` has this context manager");
    call_arguments(i);
    import(i);
  }

  bool is_entered(const Instruction& leave) const {
    if (!trees_.contains(leave.value)) return true;  // said already
    return std::ranges::any_of(f_.blocks, [&](const Block& b) {
      return std::ranges::any_of(b.instructions, [&](const Instruction& i) {
        return i.kind == InstructionKind::EnterWith && i.is_async == leave.is_async && trees_.contains(i.value) &&
               same_tree(f_, i.value, leave.value);
      });
    });
  }

  void call_arguments(const Instruction& i) {
    if (i.kind != InstructionKind::Call) return require(i.argument_count == 0, "it has arguments, but is no call");
    if (uint64_t{i.first_argument} + i.argument_count > f_.arguments.size())
      return require(false, "its arguments are out of bounds");
    for (const Argument& a : arguments(f_, i)) {
      operand(a.value, Operand::Required, "argument");
      require((a.kind == ArgumentKind::Keyword) == a.keyword.valid() && is_absent_or_known(module_, a.keyword),
              "a keyword argument, and no other, has a keyword");
    }
  }

  // Only what docs/ir.md can write: `import a.b [as c]`, `from ..m import n [as t]`, `from m import *`.
  void import(const Instruction& i) {
    const bool is_import = i.kind == InstructionKind::Import;
    if (!is_import)
      return require(
          !i.binds_leaf && !i.name.valid() && i.level == 0 && (i.kind == InstructionKind::Unknown || !i.symbol.valid()),
          "only an import has a module");
    require(is_absent_or_known(module_, i.name), "the module has no name");
    const std::string_view module = i.symbol.valid() ? text(i.symbol) : std::string_view("");
    require(!module.empty() || (i.level > 0 && i.name.valid()), "the module is missing");
    require(i.level == 0 || i.name.valid(), "a relative import wants a name");
    require(!i.binds_leaf || !i.name.valid(), "only `import a.b as c` binds the leaf");
    const bool all = i.name.valid() && text(i.name) == "*";
    if (all) return require(!i.target.valid(), "`*` has no target");
    if (!trees_.contains(i.target)) return require(false, "the import has no target");
    require(trees_.kind(i.target) == ExprKind::Name, "an import binds a name");
    const bool binds_package = !i.name.valid() && !i.binds_leaf;
    require(!binds_package || text(f_.exprs[i.target].symbol) == module.substr(0, module.find('.')),
            "`import a.b` binds `a`");
  }

  void terminator(const Terminator& t) {
    operands(shape_of(t.kind), t.target, t.value);
    require(is_ordered(t.range), "its range ends before it begins");
    require(!t.is_loop || t.kind == TerminatorKind::Branch || t.kind == TerminatorKind::Iterate, "it decides no loop");
    require(t.kind != TerminatorKind::Iterate || t.is_loop, "an iteration is a loop");
    for (size_t s = 0; s < t.successors.size(); ++s) {
      const bool wanted = s < successor_count(t.kind);
      require(wanted ? f_.blocks.contains(t.successors[s]) : !t.successors[s].valid(), "wrong successors");
    }
  }

  const Module& module_;
  const FunctionId id_;
  const Function& f_;
  const Trees& trees_;
  Complaints& complaints_;
  std::string name_;
  std::unordered_set<uint32_t> labels_;
  const std::vector<bool> endless_handlers_ =
      endless_chains(f_.blocks.size(), [&](uint32_t b) { return f_.blocks[BlockId{b}].handler.index; });
};

}  // namespace

void verify_function(const Module& module, FunctionId id, const Trees& trees, Complaints& complaints) {
  FunctionVerifier(module, id, trees, complaints).run();
}

}  // namespace ranklint::ir
