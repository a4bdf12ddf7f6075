#include "analyzer/program/suggested_by_name.h"

#include <cctype>

namespace ranklint {
namespace {

bool name_suggests_class(std::string_view variable, std::string_view name) {
  size_t at = 0;
  for (char c : variable) {
    if (c == '_') continue;
    if (at == name.size() ||
        std::tolower(static_cast<unsigned char>(name[at++])) != std::tolower(static_cast<unsigned char>(c)))
      return false;
  }
  return at == name.size();
}

}  // namespace

std::vector<FunctionKey> methods_suggested_by_name(const ProjectIndex& index, std::string_view variable, Symbol name) {
  std::vector<FunctionKey> suggested;
  for (FunctionKey method : index.methods_named(name)) {
    const ClassKey owner = index.functions()[method].owner;
    if (owner.valid() &&
        name_suggests_class(variable, index.modules()[index.classes()[owner].module].text(index.klass(owner).name)))
      suggested.push_back(method);
  }
  return suggested;
}

FunctionKey method_suggested_by_name(const ProjectIndex& index, std::string_view variable, Symbol name) {
  const std::string_view method = index.names().text(name);
  if (method.find('_', 1) == method.npos || method.starts_with("__") || index.methods_named(name).size() != 1)
    return {};
  const std::vector<FunctionKey> suggested = methods_suggested_by_name(index, variable, name);
  return suggested.empty() ? FunctionKey{} : suggested.front();
}

}  // namespace ranklint
