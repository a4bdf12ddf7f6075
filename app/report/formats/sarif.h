// The parts of a SARIF 2.1.0 log. Internal to sarif*.cpp.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "app/report/report.h"
#include "app/report/source_text.h"

namespace ranklint::report::sarif {

using Json = nlohmann::ordered_json;

std::string_view level_of(Severity severity);

// A location's physical part, relative to the project root. `message` may be empty.
Json location(const Location& at, Sources& sources, const std::string& message, const std::string& function = {});

// What is not about a rule: the notifications that tool.driver describes, in this order.
inline constexpr std::string_view kUnreadFiles = "unread-files";
inline constexpr std::string_view kNotCheckedWhole = "not-checked-whole";

// tool.driver: the rules of the run and those that only a finding names.
Json driver(const ReportInput& input);

// One code flow: each rank class is a thread. Null for a witness without lanes.
Json code_flow(const Finding& finding, Sources& sources);

// The rule's place in driver()["rules"].
size_t rule_index(const Json& driver, const std::string& code);

}  // namespace ranklint::report::sarif
