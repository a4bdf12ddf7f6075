// Every rule, by the list in rules/registry.inc. What belongs to a rule is found from here.
#include <algorithm>
#include <any>
#include <array>
#include <set>
#include <tuple>
#include <utility>

#include "analyzer/project/project.h"
#include "analyzer/project/shared.h"
#include "rules/calibration.h"
#include "rules/declarative/builtin.h"
#include "rules/declarative/declared_rule.h"
#include "rules/finding.h"
#include "rules/rule.h"

namespace ranklint {

#define RULE(name)         \
  namespace name {         \
  extern const Rule kRule; \
  }
#define DECLARED(id)
#include "rules/registry.inc"
#undef RULE
#undef DECLARED

std::span<const Rule> all_rules() {
#define RULE(name) name::kRule,
#define DECLARED(id) declared_rule(id),
  static const std::array rules = {
#include "rules/registry.inc"
  };
#undef RULE
#undef DECLARED
  return rules;
}

const Rule* find_rule(std::string_view id_or_code) {
  auto same = [](std::string_view a, std::string_view b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
             auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
             return lower(x) == lower(y);
           });
  };
  for (const Rule& rule : all_rules())
    if (same(rule.info->id, id_or_code) || same(rule.info->code, id_or_code)) return &rule;
  return nullptr;
}

std::vector<std::string> watched_calls(std::span<const Rule> rules) {
  std::set<std::string> names;
  for (const Rule& rule : rules) names.insert(rule.calls.begin(), rule.calls.end());
  return {names.begin(), names.end()};
}

static std::string pass_name(const Rule& rule) { return "rule " + std::string(rule.info->id); }

std::vector<Pass> passes_of(std::span<const Rule> rules) {
  std::vector<Pass> passes;
  for (const Rule& rule : rules) {
    if (rule.find)
      passes.push_back({pass_name(rule), rule.find, rule.reads_messages});
    else if (rule.declared)
      passes.push_back({pass_name(rule), [rule](const Query& in, const Shared& shared) {
                          return find_declared(*rule.info, *rule.declared, in, shared);
                        }});
  }
  return passes;
}

static void show_counted_words(std::vector<Finding>& findings) {
  for (Finding& f : findings) {
    const Confidence counted = counted_confidence(f.code, f.confidence, f.evidence);
    if (counted == f.confidence) continue;
    f.arrived_at = std::exchange(f.confidence, counted);
    if (counted == Confidence::Possible) f.doubts.push_back({Reason::SeldomReal, {}});
  }
}

// Where declarations were not found, what follows is likely at best.
static void doubt_incomplete(const Shared& shared, std::vector<Finding>& findings) {
  std::set<std::string_view> incomplete;
  for (const ir::Module& module : shared.index->modules())
    if (module.incomplete) incomplete.insert(module.path);
  for (Finding& f : findings) {
    if (!incomplete.contains(f.primary.path) || f.confidence <= Confidence::Likely) continue;
    f.confidence = Confidence::Likely;
    f.evidence.push_back({{.kind = AssumptionKind::DeclarationsMissing, .subject = f.primary.path}, {}});
  }
}

std::vector<Finding> findings_of(const Analysis& analysis, std::span<const Rule> rules) {
  std::vector<Finding> findings;
  for (const Rule& rule : rules) {
    const auto found = analysis.found.find(pass_name(rule));
    if (found == analysis.found.end()) continue;
    const auto& of_rule = std::any_cast<const std::vector<Finding>&>(found->second);
    findings.insert(findings.end(), of_rule.begin(), of_rule.end());
  }
  show_counted_words(findings);
  if (analysis.shared) doubt_incomplete(*analysis.shared, findings);
  std::sort(findings.begin(), findings.end());
  return findings;
}

bool operator<(const Finding& a, const Finding& b) {
  return std::tie(a.primary.path, a.primary.range, a.code, a.message, a.primary.as_checked) <
         std::tie(b.primary.path, b.primary.range, b.code, b.message, b.primary.as_checked);
}

}  // namespace ranklint
