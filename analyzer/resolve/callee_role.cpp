#include "analyzer/resolve/callee_role.h"

#include <algorithm>

namespace ranklint {

std::string foreign_name(const ProjectIndex& index, ModuleKey module, const ir::Function& f, ir::ExprId e) {
  if (!e.valid()) return {};
  const Entity entity = index.resolve(module, f, e);
  if (entity.kind == Entity::Kind::External) return std::string(index.names().text(entity.name));
  if (entity.kind != Entity::Kind::Nothing) return {};
  std::string written = index.dotted(module, f, e);
  if (written.empty() && f.exprs[e].kind == ir::ExprKind::Attribute)
    written = "?." + std::string(index.modules()[module].text(f.exprs[e].symbol));
  return written;
}

const RoleEntry* role_of(const Roles& roles, const ProjectIndex& index, ModuleKey module, const ir::Function& f,
                         ir::ExprId callee, Role role) {
  return roles.find(foreign_name(index, module, f, callee), role);
}

bool derives_from(const Roles& roles, const ProjectIndex& index, ClassKey c, Role role) {
  return std::ranges::any_of(index.linearization(c), [&](ClassKey one) {
    return std::ranges::any_of(index.classes()[one].external_bases,
                               [&](Symbol base) { return roles.play(index.names().text(base), role); });
  });
}

const RoleEntry* role_of_method(const Roles& roles, const ProjectIndex& index, ClassKey c, std::string_view method,
                                Role role) {
  for (const ClassKey one : index.linearization(c))
    for (const Symbol base : index.classes()[one].external_bases) {
      const std::string name(index.names().text(base));
      // Where one of its arguments plays the role, its methods do not.
      if (const RoleEntry* of_class = roles.find(name, role); of_class && !of_class->argument.present())
        return of_class;
      if (const RoleEntry* entry = roles.find(name + "." + std::string(method), role)) return entry;
    }
  return nullptr;
}

const RoleEntry* role_of_method(const Roles& roles, const ProjectIndex& index, FunctionKey method, Role role) {
  const FunctionInfo& info = index.functions()[method];
  return info.owner.valid() ? role_of_method(roles, index, info.owner,
                                             index.modules()[info.module].text(index.function(method).name), role)
                            : nullptr;
}

}  // namespace ranklint
