// Enough of XML to hold a report against: whether it is well-formed, and its elements in order.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ranklint::test {

struct XmlElement {
  std::string tag;
  std::map<std::string, std::string> attributes;  // as written, entities and all
  size_t depth = 0;                               // 0: the root
  std::string text;                               // its own, as written
};

// Nothing for what is not well-formed: tags that do not match, a bare "&" or "<", an attribute without quotes or given
// twice, a character that XML has no place for, more than one root.
std::optional<std::vector<XmlElement>> xml_elements(std::string_view document);

}  // namespace ranklint::test
