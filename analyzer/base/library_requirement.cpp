#include "analyzer/base/library_requirement.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ranklint {
namespace {

constexpr uint32_t kLargestPart = 1'000'000;  // a version's number; dates are shorter

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.'; }

void skip_blanks(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size())); }

std::string normal_name(std::string_view name) {
  std::string normal;
  for (const char c : name)
    if (c != '-' && c != '_' && c != '.')
      normal += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!normal.empty() && normal.back() != '-')
      normal += '-';
  return normal;
}

// Takes `1.13.1` away; a suffix stays.
Version take_version(std::string_view& text) {
  Version version;
  if (text.starts_with('v')) text.remove_prefix(1);
  while (!text.empty() && std::isdigit(static_cast<unsigned char>(text[0]))) {
    uint32_t number = 0;
    for (; !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])); text.remove_prefix(1))
      number = std::min(kLargestPart, number * 10 + static_cast<uint32_t>(text[0] - '0'));
    version.push_back(number);
    if (text.size() < 2 || text[0] != '.' || !std::isdigit(static_cast<unsigned char>(text[1]))) break;
    text.remove_prefix(1);
  }
  return version;
}

// The first version behind all that begin with the first `length` numbers: 1.9 -> 1.10.
Version behind(Version version, size_t length) {
  version.resize(std::max<size_t>(1, std::min(length, version.size())));
  ++version.back();
  return version;
}

// `^0.3.1` stays below 0.4, `^1.6` below 2.
Version behind_compatible(const Version& version) {
  size_t leading = 0;
  while (leading + 1 < version.size() && version[leading] == 0) ++leading;
  return behind(version, leading + 1);
}

void limit(LibraryRequirement& r, const Version& from, const Version& below) {
  if (!from.empty() && (r.from.empty() || is_before(r.from, from))) r.from = from;
  if (!below.empty() && (r.below.empty() || is_before(below, r.below))) r.below = below;
}

// Takes one of `>=1.13`, `==1.9.*`, `^1.6` away. False: it is none that sets a bound.
bool take_bound(std::string_view& text, LibraryRequirement& r) {
  // The longer ones first.
  static constexpr std::array<std::string_view, 11> kOperators{
      "===", "==", "~=", ">=", "<=", "!=", "=", "^", "~", ">", "<"};
  const auto* const found = std::ranges::find_if(kOperators, [&](std::string_view o) { return text.starts_with(o); });
  const std::string_view op = found == kOperators.end() ? "==" : *found;
  text.remove_prefix(found == kOperators.end() ? 0 : op.size());
  skip_blanks(text);
  const Version version = take_version(text);
  if (version.empty()) return false;
  const size_t all = version.size();
  if (op == ">=" || op == ">")
    limit(r, version, {});
  else if (op == "<")
    limit(r, {}, version);
  else if (op == "<=")
    limit(r, {}, behind(version, all));
  else if (op == "~=")
    limit(r, version, behind(version, all - 1));
  else if (op == "~")
    limit(r, version, behind(version, std::min<size_t>(all, 2)));
  else if (op == "^")
    limit(r, version, behind_compatible(version));
  else if (op != "!=")
    limit(r, version, behind(version, all));
  return true;
}

}  // namespace

bool is_before(const Version& a, const Version& b) {
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const uint32_t left = i < a.size() ? a[i] : 0, right = i < b.size() ? b[i] : 0;
    if (left != right) return left < right;
  }
  return false;
}

std::optional<LibraryRequirement> read_requirement(std::string_view text) {
  // What holds for some machines alone, or one of several, says nothing of all.
  text = text.substr(0, text.find('#'));
  if (text.find_first_of(";|") != text.npos) return std::nullopt;
  skip_blanks(text);
  if (const size_t channel = text.find("::"); channel != text.npos) text.remove_prefix(channel + 2);
  const size_t length = static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_part_of_name) - text.begin());
  LibraryRequirement r{.package = normal_name(text.substr(0, length)), .from = {}, .below = {}};
  if (r.package.empty() || !std::isalnum(static_cast<unsigned char>(text[0]))) return std::nullopt;
  text.remove_prefix(length);
  skip_blanks(text);
  if (text.starts_with('[')) text.remove_prefix(std::min(text.find(']'), text.size() - 1) + 1);
  skip_blanks(text);
  if (text.starts_with('(')) text.remove_prefix(1);
  while (!text.empty() && std::string_view(")@").find(text[0]) == std::string_view::npos) {
    if (!take_bound(text, r)) break;
    text.remove_prefix(std::min(text.find_first_of(",)"), text.size()));
    if (!text.starts_with(',')) break;
    text.remove_prefix(1);
    skip_blanks(text);
  }
  if (r.from.empty() && r.below.empty()) return std::nullopt;
  return r;
}

bool is_first_version(std::string_view text) {
  const std::optional<LibraryRequirement> requirement = read_requirement(text);
  return requirement && !requirement->from.empty();
}

bool is_too_old(const LibraryRequirement& stated, const LibraryRequirement& needed) {
  return !stated.below.empty() && !is_before(needed.from, stated.below);
}

bool is_new_enough(const LibraryRequirement& stated, const LibraryRequirement& needed) {
  return !stated.from.empty() && !is_before(stated.from, needed.from);
}

}  // namespace ranklint
