#include "tests/rules/comparison.h"

#include <algorithm>
#include <fstream>

#include "rules/rule.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

// Found, and hidden for nothing but how such findings fared elsewhere: what is counted next may show it again.
bool is_hidden_by_count(const Finding& f) {
  return f.doubts.size() == 1 && f.doubts.front().reason == Reason::SeldomReal;
}

bool counts(const Case& c, const Finding& f) {
  const Rule* rule = find_rule(f.rule);
  const bool on = !rule || rule->info->default_on || f.rule == c.rule;
  return on && (f.confidence >= Confidence::Likely || is_hidden_by_count(f));
}

// "takes-turns, met-before"
std::string reasons_of(const Finding& f) {
  std::vector<Reason> reasons;
  for (const FindingDoubt& doubt : f.doubts) reasons.push_back(doubt.reason);
  std::ranges::sort(reasons);
  std::string text;
  for (const Reason reason : reasons) text += (text.empty() ? "" : ", ") + std::string(info_of(reason).id);
  return text;
}

bool is_silent_there(const Finding& f, const Expectation& e) {
  return f.confidence == Confidence::Possible && f.primary.path == e.path && f.primary.range.line == e.line &&
         reasons_of(f) == e.rule;
}

bool says(const std::string& message, const Expectation& e) { return message.find(e.fragment) != std::string::npos; }

bool meets(const Finding& f, const Expectation& e) {
  return f.rule == e.rule && f.primary.path == e.path && f.primary.range.line == e.line && says(f.message, e);
}

bool has_note(const Finding& f, const Expectation& e) {
  return std::any_of(f.related.begin(), f.related.end(), [&](const RelatedLocation& related) {
    return related.location.path == e.path && related.location.range.line == e.line && says(related.message, e);
  });
}

const CaseFile* file_of(const Case& c, const std::string& path) {
  for (const CaseFile& file : c.files)
    if (file.path == path) return &file;
  return nullptr;
}

// "testdata/rules/divergent-root/source.py:12", to be clicked on.
std::string place(const Case& c, const std::string& path, uint32_t line) {
  const CaseFile* file = file_of(c, path);
  if (!file) return path + ":" + std::to_string(line);
  return file->origin.lexically_relative(source_path("")).generic_string() + ":" +
         std::to_string(line + file->line_offset);
}

std::string written(const Expectation& e) {
  if (e.kind == Expectation::Kind::Silence) return "# silent: [" + e.rule + "]";
  const std::string head = e.kind == Expectation::Kind::Note ? "# expect-note:" : "# expect: [" + e.rule + "]";
  return e.fragment.empty() ? head : head + " \"" + e.fragment + "\"";
}

// The first words in backticks: the operation, as messages are worded.
std::string fragment_of(const std::string& message) {
  const size_t open = message.find('`');
  const size_t close = open == std::string::npos ? open : message.find('`', open + 1);
  return close == std::string::npos ? "" : message.substr(open, close + 1 - open);
}

Expectation expectation_of(const Finding& f) {
  return {.kind = Expectation::Kind::Finding,
          .path = f.primary.path,
          .line = f.primary.range.line,
          .rule = f.rule,
          .fragment = fragment_of(f.message)};
}

}  // namespace

Comparison compare(const Case& c, const std::vector<Finding>& findings) {
  Comparison result;
  for (const CaseFile& file : c.files)
    for (Expectation& e : parse_expectations(file.path, file.text, result.malformed))
      result.expected.push_back(std::move(e));

  for (const Finding& f : findings)
    if (counts(c, f)) result.surplus.push_back(f);
  std::vector<Finding> met;
  for (const Expectation& e : result.expected) {
    if (e.kind != Expectation::Kind::Finding) continue;
    const auto at =
        std::find_if(result.surplus.begin(), result.surplus.end(), [&](const Finding& f) { return meets(f, e); });
    if (at == result.surplus.end()) {
      result.missing.push_back(e);
      continue;
    }
    met.push_back(std::move(*at));
    result.surplus.erase(at);
  }
  for (const Expectation& e : result.expected)
    if (e.kind == Expectation::Kind::Note &&
        std::none_of(met.begin(), met.end(), [&](const Finding& f) { return has_note(f, e); }))
      result.missing.push_back(e);
  for (const Expectation& e : result.expected)
    if (e.kind == Expectation::Kind::Silence &&
        std::ranges::none_of(findings, [&](const Finding& f) { return is_silent_there(f, e); }))
      result.missing.push_back(e);
  return result;
}

std::string describe(const Case& c, const Comparison& comparison) {
  std::string text = c.name + "\n";
  for (const std::string& sentence : comparison.malformed) text += "  ! " + sentence + "\n";
  for (const Expectation& e : comparison.missing) text += "  - " + place(c, e.path, e.line) + ": " + written(e) + "\n";
  for (const Finding& f : comparison.surplus)
    text += "  + " + place(c, f.primary.path, f.primary.range.line) + ": [" + f.rule + "] " + f.message + "\n";
  return text;
}

void update(const Case& c, const Comparison& comparison) {
  std::vector<Expectation> kept;
  for (const Expectation& e : comparison.expected)
    if (std::find(comparison.missing.begin(), comparison.missing.end(), e) == comparison.missing.end())
      kept.push_back(e);
  for (const Finding& f : comparison.surplus) kept.push_back(expectation_of(f));

  for (const CaseFile& file : c.files) {
    std::string text;
    const std::string on_disk = read_file(file.origin);
    const uint32_t first = file.line_offset + 1;
    const auto last = static_cast<uint32_t>(file.line_offset + lines_of(file.text).size());
    uint32_t number = 0;
    for (std::string_view line : lines_of(on_disk)) {
      ++number;
      const bool inside = first <= number && number <= last;
      text += inside ? without_expectations(line) : line;
      for (const Expectation& e : kept)
        if (inside && e.path == file.path && e.line == number - file.line_offset) text += "  " + written(e);
      text += '\n';
    }
    if (text != on_disk) std::ofstream(file.origin, std::ios::binary) << text;
  }
}

}  // namespace ranklint::test
