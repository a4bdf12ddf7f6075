#include "analyzer/questions/derivation.h"

#include <algorithm>

namespace ranklint {
namespace {

constexpr size_t kMostNames = 64;  // and places that they are followed from

class Walk {
 public:
  Walk(const FunctionCode& code, Symbol stop_at, bool follows_objects)
      : code_(code), stop_at_(stop_at), follows_objects_(follows_objects) {}

  Derivation run(ir::ExprId e, ProgramPoint at) {
    take(e, at);
    while (!open_.empty() && seen_.size() <= kMostNames) {
      const auto [name, place] = open_.back();
      open_.pop_back();
      follow(name, place);
    }
    std::sort(out_.calls.begin(), out_.calls.end());
    out_.calls.erase(std::unique(out_.calls.begin(), out_.calls.end()), out_.calls.end());
    return std::move(out_);
  }

 private:
  void take(ir::ExprId e, ProgramPoint at) {
    if (!e.valid()) return;
    const ir::Expr& expr = code_.ir.exprs[e];
    const auto children = ir::children(code_.ir, e);
    switch (expr.kind) {
      case ir::ExprKind::Name:
        out_.names.insert(expr.symbol);
        if (expr.symbol != stop_at_ && seen_.emplace(expr.symbol, at).second) open_.emplace_back(expr.symbol, at);
        break;
      case ir::ExprKind::Subscript:
        out_.keys.emplace_back(children[1], at);
        if (follows_objects_) take(children[0], at);
        break;
      case ir::ExprKind::Attribute:
        out_.attributes.push_back(e);
        if (follows_objects_) take(children[0], at);
        break;
      default:
        for (ir::ExprId child : children) take(child, at);
    }
  }

  void follow(Symbol name, ProgramPoint at) {
    const Reaching reaching = code_.reaching(name, at);
    if (reaching.entry) {
      if (const int p = code_.parameter(name); p >= 0)
        out_.parameters.insert(p);
      else
        out_.free.insert(name);
    }
    for (const Definition& d : reaching.definitions) {
      if (d.instruction)
        through(*d.instruction, d.place);
      else
        take(code_.ir.blocks[d.place.block].terminator.value, d.place);
    }
  }

  void through(const ir::Instruction& i, ProgramPoint at) {
    if (i.kind == ir::InstructionKind::Import) return;
    if (i.kind == ir::InstructionKind::Call) {
      out_.calls.push_back(at);
      if (code_.ir.exprs[i.value].kind == ir::ExprKind::Attribute) take(ir::children(code_.ir, i.value)[0], at);
      take(first_argument(code_, i), at);
      return;
    }
    take(i.value, at);
  }

  const FunctionCode& code_;
  const Symbol stop_at_;
  const bool follows_objects_;
  Derivation out_;
  std::set<std::pair<Symbol, ProgramPoint>> seen_;
  std::vector<std::pair<Symbol, ProgramPoint>> open_;
};

}  // namespace

Derivation derivation_of(const FunctionCode& code, ir::ExprId e, ProgramPoint at, Symbol stop_at) {
  return Walk(code, stop_at, true).run(e, at);
}

Derivation derivation_without_objects(const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  return Walk(code, {}, false).run(e, at);
}

ir::ExprId first_argument(const FunctionCode& code, const ir::Instruction& call) {
  for (const ir::Argument& a : ir::arguments(code.ir, call))
    if (a.kind == ir::ArgumentKind::Positional) return a.value;
  return {};
}

ir::ExprId argument_for(const FunctionCode& code, const ir::Instruction& call, const ProjectIndex& index,
                        FunctionKey callee, int parameter, bool has_receiver) {
  const ir::Function& function = index.function(callee);
  const ModuleKey module = index.functions()[callee].module;
  if (parameter < 0 || static_cast<size_t>(parameter) >= function.parameters.size()) return {};
  const Symbol wanted = index.name(module, function.parameters[static_cast<size_t>(parameter)].name);
  int position = has_receiver ? 1 : 0;
  bool is_counted = true;
  for (const ir::Argument& a : ir::arguments(code.ir, call)) {
    if (a.kind == ir::ArgumentKind::Star) is_counted = false;
    if (a.kind == ir::ArgumentKind::Keyword && index.name(code.module, a.keyword) == wanted) return a.value;
    if (a.kind == ir::ArgumentKind::Positional && is_counted && position++ == parameter) return a.value;
  }
  return {};
}

}  // namespace ranklint
