#include "analyzer/program/imports.h"

#include <string_view>
#include <utility>

namespace ranklint {

std::vector<ModuleKey> imported_modules(const ProjectIndex& index, ModuleKey module) {
  const ir::Module& text = index.modules()[module];
  std::vector<ModuleKey> found;
  const auto add = [&](const ir::Instruction& import, std::string_view name) {
    const Entity entity = index.import(module, import.level, text.text(import.symbol), name);
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

std::vector<std::set<ModuleKey>> modules_by_distance(const ProjectIndex& index, ModuleKey module) {
  std::set<ModuleKey> reached{module};
  std::vector<std::set<ModuleKey>> by_distance;
  for (std::set<ModuleKey> next{module}; !next.empty();) {
    by_distance.push_back(std::exchange(next, {}));
    for (const ModuleKey from : by_distance.back())
      for (const ModuleKey imported : imported_modules(index, from))
        if (reached.insert(imported).second) next.insert(imported);
  }
  return by_distance;
}

std::set<ModuleKey> modules_reached(const ProjectIndex& index, ModuleKey module) {
  std::set<ModuleKey> reached;
  for (const std::set<ModuleKey>& files : modules_by_distance(index, module))
    reached.insert(files.begin(), files.end());
  return reached;
}

}  // namespace ranklint
