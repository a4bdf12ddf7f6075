// One JSON file of models (docs/models.md, rules/models/schema.json), read and checked.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"
#include "analyzer/resolve/models.h"

namespace ranklint {

struct NamedModel {
  Model model;
  std::vector<std::string> aliases;  // further names, those from the file's `modules` included
};

struct ModelFile {
  std::vector<NamedModel> models;
  std::vector<RoleEntry> roles;
  std::vector<NamePrior> names;
};

// The word by which files name a kind: "collective", "rank-source".
std::string_view word_of(ModelKind kind);
std::string_view word_of(Role role);
std::string_view word_of(NameMeaning meaning);
// Nothing: no role goes by the word.
std::optional<Role> role_named(std::string_view word);

// The error says where in the file: line and column, the JSON pointer and the model's name.
Result<ModelFile> read_models(std::string_view json, const std::string& path);

}  // namespace ranklint
