// One JSON file of declarative rules, read and checked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"
#include "rules/declarative/declared_rule.h"

namespace ranklint {

// A file holds one rule, or `rules` with a list of them. The error says where: line and column, the JSON pointer and
// the rule's id. A built-in rule may have a code that begins with RL; others may not.
enum class RuleOrigin { BuiltIn, User };
Result<std::vector<DeclaredRule>> read_rules(std::string_view json, const std::string& path, RuleOrigin origin);

}  // namespace ranklint
