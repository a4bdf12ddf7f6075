// The formats' names, as flags and configuration spell them.
#pragma once

#include <array>
#include <string_view>

#include "analyzer/base/word.h"
#include "app/report/report.h"

namespace ranklint {

// A format's first name is the one that is shown.
inline constexpr auto kFormatNames = std::to_array<Word<OutputFormat>>({
    {"full", OutputFormat::Full},
    {"concise", OutputFormat::Concise},
    {"json", OutputFormat::Json},
    {"json-lines", OutputFormat::JsonLines},
    {"jsonl", OutputFormat::JsonLines},
    {"sarif", OutputFormat::Sarif},
    {"github", OutputFormat::Github},
    {"html", OutputFormat::Html},
    {"svg", OutputFormat::Svg},
    {"junit", OutputFormat::Junit},
    {"gitlab", OutputFormat::Gitlab},
    {"rdjson", OutputFormat::Rdjson},
    {"checkstyle", OutputFormat::Checkstyle},
});

}  // namespace ranklint
