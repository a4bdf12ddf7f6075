#include "analyzer/program/signal_handlers.h"

#include <algorithm>

#include "analyzer/ir/any_instruction.h"
#include "analyzer/program/given_for.h"

namespace ranklint {
namespace {

struct Project {
  const ProjectIndex& index;
  const Roles& roles;
};

bool is_named(const ir::Function& f, ir::ExprId e, Symbol name) {
  const ir::Expr& expr = f.exprs[e];
  return (expr.kind == ir::ExprKind::Name || expr.kind == ir::ExprKind::Attribute) && expr.symbol == name;
}

// `signal.signal(signal.SIGTERM, self.on_signal)`, `loop.add_signal_handler(signal.SIGTERM, stop)`
bool registers(const Project& project, ModuleKey module, const ir::Function& f, const ir::Instruction& i,
               Symbol handler) {
  if (i.kind != ir::InstructionKind::Call) return false;
  const RoleEntry* entry = project.roles.find(project.index.dotted(module, f, i.value), Role::HandlesSignal);
  if (!entry) return false;
  const ir::ExprId given =
      given_for(f, project.index.modules()[module], i, entry->argument.position, entry->argument.keyword);
  return given.valid() && is_named(f, given, handler);
}

// Whether the function registers what it is given: `def on(number, handler): signal.signal(number, handler)`.
bool registers_its_argument(const Project& project, ModuleKey module, const ir::Function& f) {
  return std::ranges::any_of(f.parameters, [&](const ir::Parameter& p) {
    return ir::any_instruction(f, [&](const ir::Instruction& i) { return registers(project, module, f, i, p.name); });
  });
}

// Whether the call hands the handler to such a function of the module.
bool has_registered(const Project& project, ModuleKey module, const ir::Function& f, const ir::Instruction& i,
                    Symbol handler) {
  if (i.kind != ir::InstructionKind::Call) return false;
  const auto is_handler = [&](const ir::Argument& a) { return is_named(f, a.value, handler); };
  if (std::ranges::none_of(ir::arguments(f, i), is_handler)) return false;
  return std::ranges::any_of(project.index.modules()[module].functions, [&](const ir::Function& g) {
    return is_named(f, i.value, g.name) && registers_its_argument(project, module, g);
  });
}

}  // namespace

bool is_signal_handler(const ProjectIndex& index, const Roles& roles, FunctionKey f) {
  const Project project{index, roles};
  const ModuleKey module = index.functions()[f].module;
  const ir::Module& ir = index.modules()[module];
  const Symbol handler = index.function(f).name;
  if (index.function(f).parameters.size() > 3) return false;
  return std::ranges::any_of(ir.functions, [&](const ir::Function& g) {
    return ir::any_instruction(g, [&](const ir::Instruction& i) {
      return registers(project, module, g, i, handler) || has_registered(project, module, g, i, handler);
    });
  });
}

}  // namespace ranklint
