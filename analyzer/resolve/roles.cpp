#include "analyzer/resolve/roles.h"

#include <algorithm>
#include <utility>

#include "analyzer/resolve/dotted.h"

namespace ranklint {

// The name without what makes it a pattern.
static std::string key_of(std::string_view name) {
  if (name.starts_with("*.")) return std::string(name.substr(2));
  return std::string(name.ends_with(".*") ? name.substr(0, name.size() - 2) : name);
}

void Roles::add(RoleEntry entry) {
  if (entry.name.starts_with('!')) {
    entry.is_exception = true;
    entry.name.erase(0, 1);
  } else {
    in_role_[static_cast<size_t>(entry.role)].push_back(entry.name);
  }
  const std::string name = entry.name;
  last_parts_.emplace(last_part(name), 0);
  auto& names = name.starts_with("*.") ? by_suffix_ : name.ends_with(".*") ? by_owner_ : by_name_;
  names[key_of(name)].push_back(std::move(entry));
}

// A later entry goes before an earlier one.
const RoleEntry* Roles::find_in(const NameMap<std::vector<RoleEntry>>& names, std::string_view name, Role role) const {
  const auto found = names.find(name);
  if (found == names.end()) return nullptr;
  for (auto entry = found->second.rbegin(); entry != found->second.rend(); ++entry)
    if (entry->role == role) return &*entry;
  return nullptr;
}

const RoleEntry* Roles::find(std::string_view qualified_name, Role role) const {
  if (qualified_name.empty()) return nullptr;
  qualified_name = qualified_name.substr(0, qualified_name.find('('));  // C++ names end in their parameters
  const std::string_view last = last_part(qualified_name);
  const size_t owner = qualified_name.size() - last.size();
  if (last_parts_.contains(last))
    if (const RoleEntry* named = find_by_name(qualified_name, role)) return named->is_exception ? nullptr : named;
  return owner == 0 ? nullptr : find_in(by_owner_, qualified_name.substr(0, owner - 1), role);
}

std::vector<const RoleEntry*> Roles::all(std::string_view qualified_name, Role role) const {
  std::vector<const RoleEntry*> entries;
  const RoleEntry* last = find(qualified_name, role);
  if (!last) return entries;
  for (const auto* names : {&by_name_, &by_suffix_, &by_owner_})
    if (const auto found = names->find(key_of(last->name)); found != names->end())
      for (const RoleEntry& entry : found->second)
        if (entry.role == role && entry.name == last->name) entries.push_back(&entry);
  return entries;
}

bool Roles::takes_by_keyword(std::string_view keyword, Role role) const {
  if (keyword.empty()) return false;
  return std::ranges::any_of(names_in(role), [&](const std::string& name) {
    return std::ranges::any_of(all(name, role),
                               [&](const RoleEntry* entry) { return entry->argument.keyword == keyword; });
  });
}

const RoleEntry* Roles::find_by_name(std::string_view qualified_name, Role role) const {
  if (const RoleEntry* exact = find_in(by_name_, qualified_name, role)) return exact;
  for (std::string_view suffix = qualified_name;;) {
    if (const RoleEntry* found = find_in(by_suffix_, suffix, role)) return found;
    const size_t dot = suffix.find('.');
    if (dot == std::string_view::npos) return nullptr;
    suffix.remove_prefix(dot + 1);
  }
}

}  // namespace ranklint
