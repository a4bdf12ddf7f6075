#include "app/fix/fix.h"

#include <array>

#include "app/files/paths.h"
#include "app/fix/comments.h"

namespace ranklint::app {

namespace {

// The bytes of a range that a finding names.
struct Excerpt {
  std::string_view text;  // of the whole file
  size_t begin = 0;
  size_t end = 0;
  std::string_view code() const { return text.substr(begin, end - begin); }
};

std::optional<Excerpt> excerpt_at(const Location& location, const SourceOf& source) {
  const std::string_view text = source(location.path);
  const auto bytes = bytes_of(text, location.range);
  if (!bytes || bytes->first == bytes->second) return std::nullopt;
  return Excerpt{text, bytes->first, bytes->second};
}

Fix fix(bool safe, std::string title, const Location& where, std::vector<Edit> edits) {
  return {.safe = safe, .title = std::move(title), .path = where.path, .edits = std::move(edits)};
}

// "glob.glob(folder)": one call and nothing after it. Strings and comments inside are not looked into: where they hold
// brackets the answer may be no.
bool is_one_call(std::string_view code) {
  const size_t open = code.find('(');
  if (open == std::string_view::npos || !code.ends_with(')')) return false;
  int depth = 0;
  for (size_t i = open; i < code.size(); ++i) {
    if (code[i] == '(') ++depth;
    if (code[i] == ')' && --depth == 0) return i + 1 == code.size();
  }
  return false;
}

// The callee of "os.listdir(folder)".
std::string_view callee(std::string_view code) { return code.substr(0, code.find('(')); }

std::optional<Fix> unused_suppression(const Finding& finding, const SourceOf& source) {
  const auto excerpt = excerpt_at(finding.primary, source);
  if (!excerpt) return std::nullopt;
  std::optional<Edit> edit =
      without_selectors(excerpt->text, excerpt->begin, excerpt->end, quoted_words(finding.fingerprint_key));
  if (!edit) return std::nullopt;
  const std::string title = edit->text.empty() ? "remove the comment" : "remove what is unused in the comment";
  return fix(true, title, finding.primary, {std::move(*edit)});
}

// Unsafe: it begins to hide findings.
std::optional<Fix> unknown_rule(const Finding& finding, const SourceOf& source) {
  const auto excerpt = excerpt_at(finding.primary, source);
  const std::vector<std::string> meant = quoted_words(finding.help);
  if (!excerpt || !finding.help.starts_with("did you mean `") || meant.size() != 1) return std::nullopt;
  const size_t at = excerpt->code().find(finding.fingerprint_key);
  if (at == std::string_view::npos || finding.fingerprint_key.empty()) return std::nullopt;
  const size_t begin = excerpt->begin + at;
  return fix(false, "name `" + meant[0] + "`", finding.primary,
             {{begin, begin + finding.fingerprint_key.size(), meant[0]}});
}

// Unsafe: PyTorch before 2.2 knows the old name only.
std::optional<Fix> renamed_env(const Finding& finding, const SourceOf& source) {
  const auto excerpt = excerpt_at(finding.primary, source);
  const std::vector<std::string> names = quoted_words(finding.message);
  if (!excerpt || names.size() != 2) return std::nullopt;
  for (const char quote : {'"', '\''}) {
    const std::string old = quote + names[0] + quote;
    const size_t at = excerpt->code().find(old);
    if (at == std::string_view::npos || excerpt->code().find(old, at + 1) != std::string_view::npos) continue;
    const size_t begin = excerpt->begin + at + 1;
    return fix(false, "set `" + names[1] + "`", finding.primary, {{begin, begin + names[0].size(), names[1]}});
  }
  return std::nullopt;
}

// Safe: what these give are lists of strings in any order, and `sorted` gives one in a certain order.
std::optional<Fix> sorted_listing(const Location& where, size_t begin, std::string_view code) {
  if (!is_python(where.path) || !is_one_call(code)) return std::nullopt;
  const std::string_view called = callee(code);
  if (called != "os.listdir" && called != "glob.glob" && called != "listdir" && called != "glob") return std::nullopt;
  return fix(true, "sort the listing", where,
             {{begin, begin, "sorted("}, {begin + code.size(), begin + code.size(), ")"}});
}

// The finding names the place of the listing first of all that is related to it.
std::optional<Fix> unsorted_shards(const Finding& finding, const SourceOf& source) {
  if (finding.related.empty()) return std::nullopt;
  const Location& where = finding.related[0].location;
  const auto excerpt = excerpt_at(where, source);
  return excerpt ? sorted_listing(where, excerpt->begin, excerpt->code()) : std::nullopt;
}

// Safe: a dict has each key once, as a set has, and goes through them in the order in which they came.
std::optional<Fix> keyed_in_order(const Location& where, size_t begin, std::string_view code) {
  constexpr std::string_view kSet = "set(";
  if (!is_python(where.path) || !code.starts_with(kSet) || !is_one_call(code)) return std::nullopt;
  if (code.size() == kSet.size() + 1) return std::nullopt;  // of nothing
  return fix(true, "go through the elements in the order in which they came", where,
             {{begin, begin + 3, "dict.fromkeys"}});
}

// What is gone through stands in the head of the loop, "name in os.listdir(folder)"; a listing that was made before is
// what the finding names last.
std::optional<Fix> unordered_iteration(const Finding& finding, const SourceOf& source) {
  const auto excerpt = excerpt_at(finding.primary, source);
  if (!excerpt) return std::nullopt;
  const std::string_view code = excerpt->code();
  constexpr std::string_view kIn = " in ";
  const size_t in = code.find(kIn);
  if (in == std::string_view::npos || code.find(kIn, in + 1) != std::string_view::npos) return std::nullopt;
  const size_t begin = in + kIn.size();
  if (auto keyed = keyed_in_order(finding.primary, excerpt->begin + begin, code.substr(begin))) return keyed;
  if (auto sorted = sorted_listing(finding.primary, excerpt->begin + begin, code.substr(begin))) return sorted;
  if (finding.related.empty()) return std::nullopt;
  const Location& made = finding.related.back().location;
  const auto listing = excerpt_at(made, source);
  return listing ? sorted_listing(made, listing->begin, listing->code()) : std::nullopt;
}

// Unsafe: ranks send nothing any more, and the argument is newer than the function.
std::optional<Fix> distribute_from_source(const Finding& finding, const SourceOf& source) {
  const auto excerpt = excerpt_at(finding.primary, source);
  if (!excerpt || !is_python(finding.primary.path)) return std::nullopt;
  const std::string_view code = excerpt->code();
  const std::string_view called = callee(code);
  if (!is_one_call(code) || (called != "distribute_tensor" && !called.ends_with(".distribute_tensor")))
    return std::nullopt;
  if (code.find("src_data_rank") != std::string_view::npos || code.find('#') != std::string_view::npos)
    return std::nullopt;
  size_t at = code.size() - 1;
  while (at > 0 && (code[at - 1] == ' ' || code[at - 1] == '\n' || code[at - 1] == '\r' || code[at - 1] == '\t')) --at;
  const bool comma = at > 0 && code[at - 1] == ',';
  return fix(false, "pass src_data_rank=None", finding.primary,
             {{excerpt->begin + at, excerpt->begin + at, comma ? " src_data_rank=None" : ", src_data_rank=None"}});
}

// Unsafe: it waits here, where the program went on.
std::optional<Fix> unwaited_work(const Finding& finding, const SourceOf& source) {
  const auto excerpt = excerpt_at(finding.primary, source);
  if (!excerpt || !is_python(finding.primary.path) || !is_one_call(excerpt->code())) return std::nullopt;
  if (finding.message.find("thrown away") == std::string::npos) return std::nullopt;
  // The call has to be all of its statement.
  const size_t begin = line_begin(excerpt->text, excerpt->begin);
  const bool alone =
      excerpt->text.substr(begin, excerpt->begin - begin).find_first_not_of(" \t") == std::string_view::npos;
  if (!alone) return std::nullopt;
  return fix(false, "wait for it here", finding.primary, {{excerpt->end, excerpt->end, ".wait()"}});
}

struct Fixer {
  std::string_view rule;
  std::optional<Fix> (*make)(const Finding& finding, const SourceOf& source);
};

constexpr std::array<Fixer, 7> kFixers{{
    {"distribute-from-source-rank", distribute_from_source},
    {"renamed-nccl-env", renamed_env},
    {"unknown-rule", unknown_rule},
    {"unordered-iteration", unordered_iteration},
    {"unsorted-shards", unsorted_shards},
    {"unused-suppression", unused_suppression},
    {"unwaited-work", unwaited_work},
}};

}  // namespace

std::optional<Fix> fix_for(const Finding& finding, const SourceOf& source) {
  for (const Fixer& fixer : kFixers)
    if (fixer.rule == finding.rule) return fixer.make(finding, source);
  return std::nullopt;
}

}  // namespace ranklint::app
