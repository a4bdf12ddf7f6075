#include "analyzer/program/library_versions.h"

#include <algorithm>

#include "analyzer/program/given_for.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

std::string_view folder_above(std::string_view path) {
  const size_t slash = path.find_last_of('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

}  // namespace

LibraryVersions::LibraryVersions(const ProjectIndex& index, const Models& models)
    : index_(index), roles_(models.roles()) {
  std::vector<Symbol> words;
  for (const Role role : {Role::StatesRequirements, Role::RequiresVersion})
    for (const std::string& name : roles_.names_in(role))
      if (const Symbol word = index_.names().find(last_part(name)); word.valid()) words.push_back(word);
  if (words.empty()) return;
  for (ModuleKey m{0}; m.index < index.modules().size(); ++m.index) find_calls(m, words);
}

void LibraryVersions::find_calls(ModuleKey module, const std::vector<Symbol>& words) {
  const ir::Module& text = index_.modules()[module];
  if (std::ranges::none_of(words, [&](Symbol w) { return text.symbols.find(index_.names().text(w)).valid(); })) return;
  for (uint32_t f = 0; f < text.functions.size(); ++f) {
    const FunctionKey key = index_.key(module, ir::FunctionId{f});
    for (const ir::Block& block : text.functions[ir::FunctionId{f}].blocks)
      for (const ir::Instruction& i : block.instructions)
        if (i.kind == ir::InstructionKind::Call) take_call(key, i);
  }
}

void LibraryVersions::take_call(FunctionKey key, const ir::Instruction& call) {
  const ModuleKey module = index_.functions()[key].module;
  const ir::Module& text = index_.modules()[module];
  const ir::Function& f = index_.function(key);
  const std::string name = foreign_name(index_, module, f, call.value);
  if (name.empty()) return;
  const auto given = [&](const RoleEntry& role) {
    return given_for(f, text, call, role.argument.position, role.argument.keyword);
  };
  for (const RoleEntry* role : roles_.all(name, Role::RequiresVersion))
    if (!role->argument.present() || given(*role).valid()) state(key, call.range, role->note);
  for (const RoleEntry* role : roles_.all(name, Role::StatesRequirements)) {
    const ir::ExprId value = given(*role);
    if (!value.valid()) continue;
    const auto state_text = [&](ir::ExprId e) {
      if (f.exprs[e].kind == ir::ExprKind::String) state(key, call.range, text.text(f.exprs[e].symbol));
    };
    state_text(value);
    if (f.exprs[value].kind == ir::ExprKind::List || f.exprs[value].kind == ir::ExprKind::Tuple)
      for (const ir::ExprId item : ir::children(f, value)) state_text(item);
  }
}

void LibraryVersions::state(FunctionKey within, const SourceRange& range, std::string_view requirement) {
  if (std::optional<LibraryRequirement> read = read_requirement(requirement))
    in_folder_[std::string(folder_above(index_.path(within)))].push_back({*std::move(read), within, range});
}

const LibraryVersions::Statement* LibraryVersions::too_old(FunctionKey function,
                                                           const std::vector<std::string>& needed) const {
  std::string_view folder = index_.path(function);
  while (!folder.empty() && !needed.empty() && !in_folder_.empty()) {
    folder = folder_above(folder);
    const auto here = in_folder_.find(folder);
    if (here == in_folder_.end()) continue;
    const Statement* old = nullptr;
    bool is_new = false;
    for (const std::string& text : needed) {
      const std::optional<LibraryRequirement> need = read_requirement(text);
      for (const Statement& s : here->second) {
        if (!need || s.requirement.package != need->package) continue;
        if (!old && is_too_old(s.requirement, *need)) old = &s;
        is_new = is_new || is_new_enough(s.requirement, *need);
      }
    }
    if (old || is_new) return is_new ? nullptr : old;
  }
  return nullptr;
}

}  // namespace ranklint
