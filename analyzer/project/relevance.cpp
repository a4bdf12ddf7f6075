#include "analyzer/project/relevance.h"

#include <algorithm>

namespace ranklint {

namespace {

// `train.sync_all` of `train.sync_all(int)#util.cpp`.
std::string_view with_scopes(std::string_view qualified) { return qualified.substr(0, qualified.find_first_of("(#")); }

// `train.sync_all(int)#util.cpp` is called as `sync_all`.
std::string bare(std::string_view qualified) {
  qualified = with_scopes(qualified);
  qualified = qualified.substr(qualified.rfind('.') + 1);
  if (qualified.starts_with('~')) qualified.remove_prefix(1);  // a function that makes an object ends it
  return std::string(qualified);
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

bool counts(ModelKind kind) {
  return kind == ModelKind::Collective || kind == ModelKind::GroupCreate || kind == ModelKind::PointToPoint ||
         kind == ModelKind::Setup || kind == ModelKind::Teardown;
}

}  // namespace

// A call of a function that Clang resolved has its signature; of a method that may be overridden, of a class or in C
// its name alone. Types of parameters whose headers are missing differ from file to file, so only the scopes are
// compared.
bool CommunicatingNames::communicates(const std::string& callee) const {
  const bool is_resolved = callee.find('(') != callee.npos;
  if (is_resolved ? functions_.contains(with_scopes(callee)) : names_.contains(bare(callee))) return true;
  const Model* model = models_.find(callee);
  return model && counts(model->kind);
}

bool CommunicatingNames::add(std::span<const ir::Module> modules) {
  for (const ir::Module& module : modules) {
    if (!module.has(ir::Convention::OneNamespace)) continue;  // nothing there is called by its bare name elsewhere
    for (const ir::Function& f : module.functions) {
      Function function{.name = std::string(module.text(f.qualified_name))};
      for (const ir::Block& block : f.blocks)
        for (const ir::Instruction& i : block.instructions) {
          if (i.kind != ir::InstructionKind::Call) continue;
          const ir::Expr& callee = f.exprs[i.value];
          if (callee.kind == ir::ExprKind::Name || callee.kind == ir::ExprKind::Attribute)
            function.callees.emplace(module.text(callee.symbol));
        }
      if (!function.callees.empty()) open_.push_back(std::move(function));
    }
  }
  bool grew = false;
  for (bool again = true; again;) {
    again = false;
    std::erase_if(open_, [&](const Function& f) {
      if (std::none_of(f.callees.begin(), f.callees.end(), [&](const std::string& c) { return communicates(c); }))
        return false;
      if (f.name == "main") return true;
      const bool is_new_name = names_.insert(bare(f.name)).second;
      again |= functions_.emplace(with_scopes(f.name)).second || is_new_name;
      return true;
    });
    grew |= again;
  }
  return grew;
}

bool CommunicatingNames::mentioned_in(std::string_view bytes) const {
  for (size_t i = 0; i < bytes.size();) {
    if (!is_word(bytes[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < bytes.size() && is_word(bytes[end])) ++end;
    if (names_.contains(bytes.substr(i, end - i))) return true;
    i = end;
  }
  return false;
}

bool may_define(std::string_view bytes, const std::set<std::string>& functions) {
  for (size_t begin = 0; begin < bytes.size();) {
    const std::string_view line = bytes.substr(begin, std::min(bytes.find('\n', begin), bytes.size()) - begin);
    begin += line.size() + 1;
    const size_t open = line.find('(');
    if (open == line.npos || !is_word(line[0])) continue;
    size_t end = open;
    while (end > 0 && line[end - 1] == ' ') --end;
    size_t first = end;
    while (first > 0 && is_word(line[first - 1])) --first;
    if (functions.contains(std::string(line.substr(first, end - first)))) return true;
  }
  return false;
}

}  // namespace ranklint
