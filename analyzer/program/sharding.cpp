#include "analyzer/program/sharding.h"

#include <algorithm>
#include <string_view>

#include "analyzer/program/given_for.h"
#include "analyzer/program/imports.h"
#include "analyzer/program/run_programs.h"
#include "analyzer/resolve/callee_role.h"

namespace ranklint {
ShardingMentions::ShardingMentions(const ProjectIndex& index, const Models& models)
    : index_(index),
      models_(models),
      imports_(index.modules().size()),
      importers_(index.modules().size()),
      reached_(index.modules().size()),
      names_kind_(index.modules().size()),
      used_(index, models) {
  for (ModuleKey m{0}; m.index < index.modules().size(); ++m.index) {
    const ir::Module& module = index.modules()[m];
    if (module.has(ir::Convention::NotImported)) {
      find_choices(m);
      continue;
    }
    find_imports(m);
    names_kind_[m.index] = names(module, NameMeaning::ShardingKind);
    if (names_kind_[m.index] || names(module, NameMeaning::ShardingOption)) reached_[m.index] = true;
  }
  spread(importers_, names_kind_);
  spread(importers_, reached_);
  spread(imports_, reached_);
}

void ShardingMentions::find_imports(ModuleKey m) {
  imports_[m.index] = imported_modules(index_, m);
  for (const ModuleKey imported : imports_[m.index]) importers_[imported.index].push_back(m);
}

void ShardingMentions::find_choices(ModuleKey launcher) {
  for (const ir::Function& f : index_.modules()[launcher].functions)
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (i.kind == ir::InstructionKind::Call) take_choice(launcher, f, i);
}

// For the script that it starts; for all where it is not known.
void ShardingMentions::take_choice(ModuleKey launcher, const ir::Function& f, const ir::Instruction& call) {
  const ir::Module& text = index_.modules()[launcher];
  const RoleEntry* role = role_of(models_.roles(), index_, launcher, f, call.value, Role::StartsScript);
  if (!role) return;
  const ir::ExprId script = given_for(f, text, call, role->argument.position, role->argument.keyword);
  const bool chooses = std::ranges::any_of(ir::arguments(f, call), [&](const ir::Argument& a) {
    return f.exprs[a.value].kind == ir::ExprKind::String &&
           models_.names().suggest(text.text(f.exprs[a.value].symbol), NameMeaning::ShardingOption);
  });
  for (uint32_t m = 0; chooses && m < reached_.size(); ++m)
    if (!script.valid() || is_path_of(index_.modules()[ModuleKey{m}].path, text.text(f.exprs[script].symbol)))
      reached_[m] = true;
}

bool ShardingMentions::names(const ir::Module& module, NameMeaning meaning) const {
  for (uint32_t s = 0; s < module.symbols.size(); ++s)
    if (models_.names().suggest(module.text(Symbol{s}), meaning)) return true;
  return false;
}

bool ShardingMentions::reach(FunctionKey f) const {
  const ModuleKey module = index_.functions()[f].module;
  return reach(module) && (names_kind_[module.index] || used_.are_of(f));
}

std::vector<ModuleKey> ShardingMentions::files_around(ModuleKey module) const {
  std::vector<bool> reached(imports_.size());
  reached[module.index] = true;
  spread(importers_, reached);
  spread(imports_, reached);
  std::vector<ModuleKey> files;
  for (uint32_t m = 0; m < reached.size(); ++m)
    if (reached[m]) files.push_back(ModuleKey{m});
  return files;
}

std::vector<bool> ShardingMentions::files_below(ModuleKey module) const {
  std::vector<bool> reached(imports_.size());
  reached[module.index] = true;
  spread(imports_, reached);
  return reached;
}

void ShardingMentions::spread(const std::vector<std::vector<ModuleKey>>& edges, std::vector<bool>& reached) {
  std::vector<uint32_t> left;
  for (uint32_t m = 0; m < reached.size(); ++m)
    if (reached[m]) left.push_back(m);
  while (!left.empty()) {
    const uint32_t m = left.back();
    left.pop_back();
    for (const ModuleKey next : edges[m]) {
      if (reached[next.index]) continue;
      reached[next.index] = true;
      left.push_back(next.index);
    }
  }
}

}  // namespace ranklint
