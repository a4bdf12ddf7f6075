#include "app/check/rule_set.h"

#include <algorithm>
#include <map>

#include "app/check/settings.h"
#include "app/files/paths.h"
#include "app/files/read.h"
#include "rules/declarative/reader.h"

namespace ranklint::app {

namespace {

// Ids and codes are what comments and configurations name: each has to mean one rule.
std::optional<Error> clash(const DeclaredRule& rule, const RuleSet& set, const std::string& shown) {
  for (const Rule& known : set.all)
    if (known.info->id == rule.id || known.info->code == rule.code)
      return Error{.message = "the rule `" + rule.id + "` (" + rule.code + ") has the id or code of `" +
                              std::string(known.info->id) + "` (" + std::string(known.info->code) +
                              "); give it another",
                   .path = shown};
  return std::nullopt;
}

std::optional<Error> add_file(const std::string& path, const std::string& shown, RuleSet& set) {
  Result<std::string> text = read_file(path);
  if (!text) return Error{.message = "can not read the rules: " + text.error().message, .path = shown};
  Result<std::vector<DeclaredRule>> rules = read_rules(text.value(), shown, RuleOrigin::User);
  if (!rules) return rules.error();
  set.texts.add(text.value());
  for (DeclaredRule& rule : *rules) {
    if (auto error = clash(rule, set, shown)) return error;
    set.declared.add(std::move(rule));
    set.all.push_back(set.declared.rules().back());
  }
  return std::nullopt;
}

}  // namespace

Result<Engine> engine_with_rules(const Engine& engine, const CheckOptions& options, const Io& io, RuleSet& set) {
  Result<std::vector<std::string>> files = rule_files_of(options, io);
  if (!files) return files.error();
  if (files->empty()) return engine;
  set.all.assign(engine.rules.begin(), engine.rules.end());
  for (const std::string& path : *files)
    if (auto error = add_file(path, shown_path(path, io.cwd), set)) return *error;
  std::stable_sort(set.all.begin(), set.all.end(),
                   [](const Rule& a, const Rule& b) { return a.info->code < b.info->code; });

  Engine with = engine;
  with.rules = set.all;
  if (!with.identity.empty()) with.identity += hex_of(set.texts.digest());
  std::map<std::string, std::string, std::less<>> pages;
  for (const Rule& rule : set.declared.rules()) pages.emplace(rule.info->id, declared_page(*rule.declared));
  with.rule_page = [own = engine.rule_page,
                    pages = std::make_shared<const decltype(pages)>(std::move(pages))](std::string_view id) {
    const auto page = pages->find(id);
    return page == pages->end() ? own(id) : std::string_view(page->second);
  };
  return with;
}

}  // namespace ranklint::app
