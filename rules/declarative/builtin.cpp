#include "rules/declarative/builtin.h"

#include <algorithm>

#include "analyzer/base/check.h"
#include "analyzer/base/embedded_file.h"
#include "rules/declarative/reader.h"

namespace ranklint {

std::span<const EmbeddedFile> declared_rule_files();  // generated: rules/<pack>/<id>.json

namespace {

DeclaredRules read_all() {
  DeclaredRules all;
  for (const EmbeddedFile& file : declared_rule_files()) {
    Result<std::vector<DeclaredRule>> read = read_rules(file.content, std::string(file.name), RuleOrigin::BuiltIn);
    const std::string complaint =
        read ? "" : read.error().path + ":" + std::to_string(read.error().line) + ": " + read.error().message;
    RANKLINT_CHECK(read.has_value(), complaint.c_str());
    for (DeclaredRule& rule : *read) all.add(std::move(rule));
  }
  return all;
}

}  // namespace

Rule declared_rule(std::string_view id) {
  static const DeclaredRules kAll = read_all();
  const auto found =
      std::find_if(kAll.rules().begin(), kAll.rules().end(), [&](const Rule& r) { return r.info->id == id; });
  RANKLINT_CHECK(found != kAll.rules().end(), "a declared rule in the registry has no file");
  return *found;
}

}  // namespace ranklint
