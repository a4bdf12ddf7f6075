#include "rules/declarative/declared_rule.h"

#include <algorithm>

#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

constexpr std::string_view kNoSurer = "the rule says that it is no surer by itself";

// What has to be watched for the rule to be judged: last parts of names, and kinds as they are.
void add_names(const std::vector<std::string>& patterns, std::vector<std::string>& names) {
  for (const std::string& pattern : patterns)
    names.emplace_back(pattern.starts_with('<') ? pattern : last_part(pattern));
}

}  // namespace

void DeclaredRules::add(DeclaredRule rule) {
  Stored& stored = stored_.emplace_back();
  stored.rule = std::move(rule);
  const DeclaredRule& r = stored.rule;
  stored.info = {.id = r.id,
                 .code = r.code,
                 .summary = r.summary,
                 .severity = r.severity,
                 .since = r.since,
                 .no_wait = r.waits_in.empty() ? r.summary : std::string_view(),
                 .premise = r.premise.empty() ? kNoSurer : std::string_view(r.premise),
                 .default_on = r.default_on};
  for (const auto* list :
       {&r.calls, &r.order.after, &r.order.before, &r.order.not_after, &r.order.not_before, &r.order.nowhere})
    add_names(*list, stored.names);
  // Entries of dictionaries are asked for by key.
  const std::string entry = std::string(name_of(Builtin::Dict)) + "." + std::string(name_of(Builtin::SetItem));
  if (std::ranges::find(r.calls, entry) != r.calls.end())
    for (const ArgumentTest& test : r.arguments)
      for (const Literal& key : test.one_of)
        if (test.argument.position == 0 && key.kind == Literal::Kind::Text) stored.names.push_back("=" + key.text);
  stored.calls.assign(stored.names.begin(), stored.names.end());
  rules_.push_back({.info = &stored.info, .find = nullptr, .calls = stored.calls, .declared = &stored.rule});
}

std::string declared_page(const DeclaredRule& rule) {
  if (!rule.page.empty()) return rule.page;
  std::string page = "# " + rule.id + " (" + rule.code + ")\n\n" + rule.summary + "\n\nIt says: " + rule.message + "\n";
  if (!rule.help.empty()) page += "\n## How to fix\n\n" + rule.help + "\n";
  return page;
}

}  // namespace ranklint
