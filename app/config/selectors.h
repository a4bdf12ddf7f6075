// Which rules are on: ids, codes, prefixes of codes, ALL, each switching on or off.
//
// The longest selector that fits a rule decides, so `select = ["RL1"], ignore = ["RL104"]` and
// `select = ["RL104"], ignore = ["RL1"]` both say what they seem to say; at equal length, off wins.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rule.h"

namespace ranklint::app {

// How closely the selector fits the rule: 0 not at all, 1 for ALL, more for longer prefixes, most for an id.
unsigned selector_fit(std::string_view selector, const RuleInfo& rule);

// Whether it fits any rule at all.
bool names_a_rule(std::string_view selector, std::span<const Rule> rules);

// An empty `select` stands for the rules that are on by default.
bool is_selected(const RuleInfo& rule, std::span<const std::string> select, std::span<const std::string> ignore);

// The candidate nearest to a word that is none of them; nothing when none is near.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

// "; did you mean `x`?" as the end of a message, or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

// All ids and codes, as candidates.
std::vector<std::string> rule_names(std::span<const Rule> rules);

}  // namespace ranklint::app
