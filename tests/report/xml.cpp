#include "tests/report/xml.h"

#include <regex>

namespace ranklint::test {

namespace {

bool is_entity(std::string_view text) {
  for (const std::string_view name : {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;", "&#39;"})
    if (text.starts_with(name)) return true;
  return false;
}

bool is_text(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '<' || (c < 32 && c != '\n' && c != '\t' && c != '\r')) return false;
    if (c == '&' && !is_entity(text.substr(i))) return false;
  }
  return true;
}

// `inside` is what stands between "<" and ">", without a "/" at its end.
std::optional<XmlElement> element_of(const std::string& inside) {
  static const std::regex kTag("^([A-Za-z][A-Za-z0-9-]*)");
  static const std::regex kAttribute("^\\s+([A-Za-z][A-Za-z0-9:-]*)=\"([^\"]*)\"");
  std::smatch match;
  if (!std::regex_search(inside, match, kTag)) return std::nullopt;
  XmlElement element{.tag = match[1], .attributes = {}, .text = {}};
  std::string rest = match.suffix();
  while (std::regex_search(rest, match, kAttribute)) {
    const std::string value = match[2];
    if (!is_text(value) || !element.attributes.emplace(match[1], value).second) return std::nullopt;
    rest = std::string(match.suffix());
  }
  return rest.find_first_not_of(" \n") == rest.npos ? std::optional(element) : std::nullopt;
}

}  // namespace

std::optional<std::vector<XmlElement>> xml_elements(std::string_view document) {
  std::vector<XmlElement> elements;
  std::vector<size_t> open;
  if (document.starts_with("<?xml")) document.remove_prefix(document.find("?>") + 2);
  while (!document.empty()) {
    const size_t tag = document.find('<');
    const std::string text(document.substr(0, tag));
    if (!is_text(text)) return std::nullopt;
    if (open.empty() && text.find_first_not_of(" \n") != text.npos) return std::nullopt;
    if (!open.empty()) elements[open.back()].text += text;
    if (tag == document.npos) break;
    const size_t end = document.find('>', tag);
    if (end == document.npos) return std::nullopt;
    std::string inside(document.substr(tag + 1, end - tag - 1));
    document.remove_prefix(end + 1);
    if (inside.starts_with('/')) {
      if (open.empty() || elements[open.back()].tag != inside.substr(1)) return std::nullopt;
      open.pop_back();
      continue;
    }
    const bool is_closed = inside.ends_with('/');
    if (is_closed) inside.pop_back();
    std::optional<XmlElement> element = element_of(inside);
    if (!element || (open.empty() && !elements.empty())) return std::nullopt;
    element->depth = open.size();
    elements.push_back(std::move(*element));
    if (!is_closed) open.push_back(elements.size() - 1);
  }
  return open.empty() && !elements.empty() ? std::optional(elements) : std::nullopt;
}

}  // namespace ranklint::test
