#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/check/rule_set.h"
#include "app/cli/commands.h"
#include "app/cli/padded.h"
#include "app/cli/version.h"
#include "app/config/config.h"
#include "app/config/selectors.h"

namespace ranklint::app {

namespace {

void print_table(Io& io, std::span<const Rule> rules) {
  size_t id_width = 4;
  for (const Rule& rule : rules) id_width = std::max(id_width, rule.info->id.size());
  io.out << padded("code", 7) << padded("rule", id_width + 2) << padded("severity", 10) << "finds\n";
  for (const Rule& rule : rules) {
    const RuleInfo& info = *rule.info;
    io.out << padded(std::string(info.code), 7) << padded(std::string(info.id), id_width + 2)
           << padded(std::string(name_of_severity(info.severity)), 10) << info.summary
           << (info.default_on ? "" : " (off by default)") << '\n';
  }
}

void print_json(Io& io, std::span<const Rule> rules) {
  auto list = nlohmann::ordered_json::array();
  for (const Rule& rule : rules) {
    const RuleInfo& info = *rule.info;
    list.push_back({{"id", info.id},
                    {"code", info.code},
                    {"summary", info.summary},
                    {"severity", name_of_severity(info.severity)},
                    {"default", info.default_on},
                    {"since", info.since}});
  }
  io.out << list.dump(2) << '\n';
}

// The options of a check from here that names these files of rules.
CheckOptions named(const std::vector<std::string>& rule_files) {
  CheckOptions options;
  options.rules = rule_files;
  return options;
}

}  // namespace

int rules_command(const RulesOptions& options, Io& io, const Engine& builtin) {
  RuleSet set;
  const Result<Engine> own = engine_with_rules(builtin, named(options.rules), io, set);
  if (!own) return fail(io, own.error());
  const std::span<const Rule> all = own.value().rules;
  for (const std::string& selector : options.selectors)
    if (!names_a_rule(selector, all))
      return fail(io, "no rule is called `" + selector + "`" + did_you_mean(selector, rule_names(all)));
  std::vector<Rule> rules(all.begin(), all.end());
  std::erase_if(rules, [&](const Rule& rule) {
    return !options.selectors.empty() &&
           std::none_of(options.selectors.begin(), options.selectors.end(),
                        [&](const std::string& selector) { return selector_fit(selector, *rule.info) > 0; });
  });
  if (options.output_format == "json") {
    print_json(io, rules);
  } else {
    print_table(io, rules);
  }
  return kClean;
}

int rule_command(const RuleOptions& options, Io& io, const Engine& builtin) {
  RuleSet set;
  const Result<Engine> own = engine_with_rules(builtin, named(options.rules), io, set);
  if (!own) return fail(io, own.error());
  const Engine& engine = own.value();
  for (const Rule& rule : engine.rules) {
    if (selector_fit(options.name, *rule.info) < selector_fit(rule.info->id, *rule.info)) continue;
    const std::string_view page = engine.rule_page(rule.info->id);
    if (page.empty())
      io.out << "# " << rule.info->id << " (" << rule.info->code << ")\n\n" << rule.info->summary << '\n';
    io.out << page << (page.empty() || page.ends_with('\n') ? "" : "\n");
    return kClean;
  }
  return fail(io, "no rule is called `" + options.name + "`" + did_you_mean(options.name, rule_names(engine.rules)) +
                      "\n`ranklint rules` lists them");
}

int version_command(Io& io) {
  io.out << "ranklint " RANKLINT_VERSION "\n";
  return kClean;
}

}  // namespace ranklint::app
