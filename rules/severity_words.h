// The words for how grave a finding is: in rules, options and reports.
#pragma once

#include "analyzer/base/word.h"
#include "rules/finding.h"

namespace ranklint {

inline constexpr std::array kSeverityWords{
    Word<Severity>{"info", Severity::Info},
    Word<Severity>{"warning", Severity::Warning},
    Word<Severity>{"error", Severity::Error},
};

}  // namespace ranklint
