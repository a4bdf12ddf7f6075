// The rules of a run: ranklint's own and those of the user's files.
#pragma once

#include <memory>
#include <vector>

#include "analyzer/base/digest.h"
#include "analyzer/base/result.h"
#include "app/check/engine.h"
#include "app/check/io.h"
#include "app/check/options.h"
#include "rules/declarative/declared_rule.h"

namespace ranklint::app {

struct RuleSet {
  DeclaredRules declared;
  std::vector<Rule> all;  // sorted by code
  Digester texts;         // of the files, in their order
};

// The engine with the rules of the files that the configuration and `--rules` name besides. `set` holds them and has to
// outlive it.
Result<Engine> engine_with_rules(const Engine& engine, const CheckOptions& options, const Io& io, RuleSet& set);

}  // namespace ranklint::app
