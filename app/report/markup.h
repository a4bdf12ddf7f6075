// Text on its way into HTML and SVG. For any bytes, the result is text of the page and never markup.
#pragma once

#include <string>
#include <string_view>

namespace ranklint::report {

// Valid UTF-8 without control characters, its "<", ">", "&" and quotes written as entities.
std::string markup(std::string_view text);

// A sentence as a message holds it: what stands in backticks becomes <code>.
std::string markup_sentence(std::string_view text);

// " name=\"value\"", the value escaped.
std::string attribute(std::string_view name, std::string_view value);

}  // namespace ranklint::report
