#include "analyzer/program/imports.h"

#include <string_view>

namespace ranklint {

std::vector<ModuleKey> imported_modules(const ProjectIndex& index, ModuleKey module) {
  const ir::Module& text = index.modules()[module];
  std::vector<ModuleKey> found;
  const auto add = [&](const ir::Instruction& import, std::string_view name) {
    const Entity entity = index.import(module, import.level, text.text(import.module), name);
    if (entity.kind == Entity::Kind::Module) found.push_back(entity.module);
  };
  for (const ir::Function& f : text.functions)
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Import) continue;
        add(i, {});
        if (i.name.valid()) add(i, text.text(i.name));  // `from package import module`
      }
  return found;
}

std::set<ModuleKey> modules_reached(const ProjectIndex& index, ModuleKey module) {
  std::set<ModuleKey> reached{module};
  std::vector<ModuleKey> left{module};
  while (!left.empty()) {
    const ModuleKey next = left.back();
    left.pop_back();
    for (const ModuleKey imported : imported_modules(index, next))
      if (reached.insert(imported).second) left.push_back(imported);
  }
  return reached;
}

}  // namespace ranklint
