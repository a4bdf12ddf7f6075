#include "analyzer/program/addresses.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "analyzer/program/given_for.h"
#include "analyzer/resolve/callee_role.h"

namespace ranklint {
namespace {

using ir::ExprKind;

// An expression of a function, or a call in it (then `call` is set).
struct Source {
  FunctionKey within;
  ir::ExprId value;
  const ir::Instruction* call = nullptr;
};

class AddressSources {
 public:
  AddressSources(const Program& program, FunctionKey within)
      : program_(program),
        index_(program.index()),
        roles_(program.models().roles()),
        module_(index_.functions()[within].module),
        words_(index_.modules()[module_]) {}

  bool is_here(FunctionKey within, ir::ExprId e) {
    if (!e.valid() || !seen_.emplace(within, e).second) return false;
    const ir::Function& f = index_.function(within);
    const ir::Expr& expr = f.exprs[e];
    const auto parts = ir::children(f, e);
    const auto here = [&](ir::ExprId part) { return is_here(within, part); };
    switch (expr.kind) {
      case ExprKind::String: return names_this_machine(words_.text(expr.symbol));
      case ExprKind::Name: return are_here(values_of_variable(within, expr.symbol));
      case ExprKind::Attribute: return are_here(values_named(words_.text(expr.symbol), ExprKind::Attribute));
      case ExprKind::Subscript:
        return f.exprs[parts[1]].kind == ExprKind::String &&
               are_here(values_named(words_.text(f.exprs[parts[1]].symbol), ExprKind::Subscript));
      case ExprKind::Conditional: return here(parts[1]) && here(parts[2]);
      case ExprKind::Binary:
      case ExprKind::Format: return std::ranges::any_of(parts, here);
      default: return false;
    }
  }

  // Of what has this name among the entries of dictionaries.
  bool is_entry_here(std::string_view name) { return are_here(values_named(name, ExprKind::Subscript)); }

 private:
  bool names_this_machine(std::string_view text) const {
    return std::ranges::any_of(roles_.names_in(Role::IsThisMachine),
                               [&](const std::string& name) { return text.find(name) != text.npos; });
  }

  bool are_here(const std::vector<Source>& sources) {
    return !sources.empty() && std::ranges::all_of(sources, [&](const Source& source) {
      return source.call ? is_made_here(source.within, *source.call) : is_here(source.within, source.value);
    });
  }

  // `"tcp://{}:{}".format("localhost", port)`, `str(url)`; what the environment says is not known.
  bool is_made_here(FunctionKey within, const ir::Instruction& call) {
    const ir::Function& f = index_.function(within);
    if (role_of(roles_, index_, module_, f, call.value, Role::ReadsEnvironment)) return false;
    const auto here = [&](ir::ExprId e) { return is_here(within, e); };
    const bool is_method = f.exprs[call.value].kind == ExprKind::Attribute;
    return (is_method && here(ir::children(f, call.value)[0])) ||
           std::ranges::any_of(ir::arguments(f, call), [&](const ir::Argument& a) { return here(a.value); });
  }

  static Source source_of(FunctionKey within, const ir::Instruction& i) {
    return i.kind == ir::InstructionKind::Call ? Source{within, {}, &i} : Source{within, i.value};
  }

  std::vector<Source> values_of_variable(FunctionKey within, Symbol name) const {
    const ir::Function& f = index_.function(within);
    std::vector<Source> values;
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (i.target.valid() && f.exprs[i.target].kind == ExprKind::Name && f.exprs[i.target].symbol == name)
          values.push_back(source_of(within, i));
    if (!values.empty()) return values;
    for (const ir::Parameter& p : f.parameters)
      if (p.name == name) return p.default_value.valid() ? std::vector<Source>{{within, p.default_value}} : values;
    if (const FunctionKey around = index_.functions()[within].parent; around.valid())
      return values_of_variable(around, name);
    const ir::ExprId of_file = program_.assigned_once(module_, index_.name(module_, name));
    if (of_file.valid()) values.push_back({index_.key(module_, ir::FunctionId{0}), of_file});
    return values;
  }

  // What the file gives to attributes (or to entries of dictionaries) of this name, and to an option of this name.
  std::vector<Source> values_named(std::string_view name, ExprKind kind) const {
    std::vector<Source> values;
    for (ir::FunctionId id{0}; id.index < words_.functions.size(); ++id.index) {
      const FunctionKey f = index_.key(module_, id);
      for (const ir::Block& block : index_.function(f).blocks)
        for (const ir::Instruction& i : block.instructions) {
          if (i.target.valid() && is_part(f, i.target, name, kind)) values.push_back(source_of(f, i));
          if (i.kind == ir::InstructionKind::Call) add_given(f, i, name, values);
        }
      if (kind == ExprKind::Subscript) add_entries(f, name, values);
    }
    return values;
  }

  bool is_part(FunctionKey within, ir::ExprId target, std::string_view name, ExprKind kind) const {
    const ir::Function& f = index_.function(within);
    if (f.exprs[target].kind != kind) return false;
    if (kind == ExprKind::Attribute) return words_.text(f.exprs[target].symbol) == name;
    const ir::Expr& key = f.exprs[ir::children(f, target)[1]];
    return key.kind == ExprKind::String && words_.text(key.symbol) == name;
  }

  // `add_argument("--dist-url", default="tcp://localhost:29500")`, `dict(url="tcp://localhost:29500")`
  void add_given(FunctionKey within, const ir::Instruction& call, std::string_view name,
                 std::vector<Source>& values) const {
    const ir::Function& f = index_.function(within);
    const auto arguments = ir::arguments(f, call);
    if (const RoleEntry* option = role_of(roles_, index_, module_, f, call.value, Role::DeclaresOption)) {
      const ir::ExprId holds = given_for(f, words_, call, option->argument.position, option->argument.keyword);
      if (holds.valid() && !arguments.empty() && is_option(f, arguments[0].value, name))
        values.push_back({within, holds});
      return;
    }
    if (!role_of(roles_, index_, module_, f, call.value, Role::MakesContainer)) return;
    for (const ir::Argument& a : arguments)
      if (a.kind == ir::ArgumentKind::Keyword && words_.text(a.keyword) == name) values.push_back({within, a.value});
  }

  // Whether the text is the option's name, as it is written on a command line: `--dist-url` for `dist_url`.
  bool is_option(const ir::Function& f, ir::ExprId text, std::string_view name) const {
    if (f.exprs[text].kind != ExprKind::String) return false;
    std::string_view written = words_.text(f.exprs[text].symbol);
    written.remove_prefix(std::min(written.find_first_not_of('-'), written.size()));
    return std::ranges::equal(written, name, [](char w, char n) { return w == n || (w == '-' && n == '_'); });
  }

  void add_entries(FunctionKey within, std::string_view name, std::vector<Source>& values) const {
    const ir::Function& f = index_.function(within);
    for (uint32_t e = 0; e < f.exprs.size(); ++e) {
      if (f.exprs[ir::ExprId{e}].kind != ExprKind::Dict) continue;
      const auto parts = ir::children(f, ir::ExprId{e});
      for (size_t i = 0; i + 1 < parts.size(); i += 2)
        if (f.exprs[parts[i]].kind == ExprKind::String && words_.text(f.exprs[parts[i]].symbol) == name)
          values.push_back({within, parts[i + 1]});
    }
  }

  const Program& program_;
  const ProjectIndex& index_;
  const Roles& roles_;
  const ModuleKey module_;
  const ir::Module& words_;
  std::set<std::pair<FunctionKey, ir::ExprId>> seen_;  // what is asked of itself says nothing
};

}  // namespace

bool is_address_of_this_machine(const Program& program, FunctionKey within, ir::ExprId e) {
  return AddressSources(program, within).is_here(within, e);
}

bool is_given_address_of_this_machine(const Program& program, FunctionKey within, const ir::Instruction& call,
                                      const ArgumentSpec& argument) {
  const ProjectIndex& index = program.index();
  const ir::Function& f = index.function(within);
  const ir::Module& words = index.modules()[index.functions()[within].module];
  const ir::ExprId given = given_for(f, words, call, argument.position, argument.keyword);
  if (given.valid()) return is_address_of_this_machine(program, within, given);
  const bool by_options = std::ranges::any_of(
      ir::arguments(f, call), [](const ir::Argument& a) { return a.kind == ir::ArgumentKind::DoubleStar; });
  return by_options && AddressSources(program, within).is_entry_here(argument.keyword);
}

}  // namespace ranklint
