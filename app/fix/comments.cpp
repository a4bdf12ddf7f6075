#include "app/fix/comments.h"

#include <algorithm>
#include <set>

#include "analyzer/base/joined.h"
#include "app/files/paths.h"

namespace ranklint::app {

namespace {

constexpr std::string_view kBlanks = " \t\f";

// The parts of a comment `# ranklint: ignore[a, b] reason` as bytes of the text.
struct Comment {
  size_t begin = 0;       // of "#" or "//"
  size_t end = 0;         // where it, or the line, ends or another comment begins
  size_t list_begin = 0;  // after "["; 0: there are no brackets
  size_t list_end = 0;    // before "]"
};

std::optional<Comment> comment_in(std::string_view text, size_t begin, size_t end) {
  const std::string_view whole = text.substr(0, end);
  const size_t word = whole.find("ranklint:", begin);
  if (word == std::string_view::npos) return std::nullopt;
  const size_t hash = whole.rfind('#', word);
  const size_t slashes = whole.rfind("//", word);
  const auto later = [&](size_t at) { return at != std::string_view::npos && at >= begin; };
  if (!later(hash) && !later(slashes)) return std::nullopt;
  Comment comment{.begin = later(hash) ? hash : slashes,
                  .end = std::min({end, whole.find(" #", word), whole.find(" //", word)})};
  while (comment.end > word &&
         (kBlanks.find(whole[comment.end - 1]) != std::string_view::npos || whole[comment.end - 1] == '\r'))
    --comment.end;
  const size_t open = whole.find('[', word), close = whole.find(']', word);
  if (open < comment.end && close < comment.end && open < close) {
    comment.list_begin = open + 1;
    comment.list_end = close;
  }
  return comment;
}

std::vector<std::string> selectors_in(std::string_view list) {
  std::vector<std::string> all;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    std::string_view one = list.substr(0, comma);
    while (!one.empty() && kBlanks.find(one.front()) != std::string_view::npos) one.remove_prefix(1);
    while (!one.empty() && kBlanks.find(one.back()) != std::string_view::npos) one.remove_suffix(1);
    if (!one.empty()) all.emplace_back(one);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return all;
}

Edit removal(std::string_view text, const Comment& comment) {
  Edit edit{comment.begin, comment.end, ""};
  while (edit.begin > 0 && kBlanks.find(text[edit.begin - 1]) != std::string_view::npos) --edit.begin;
  const bool alone = (edit.begin == 0 || text[edit.begin - 1] == '\n') && line_end(text, edit.end) == edit.end;
  if (!alone) return edit;
  if (edit.end < text.size() && text[edit.end] == '\r') ++edit.end;
  if (edit.end < text.size() && text[edit.end] == '\n') ++edit.end;
  return edit;
}

// The end of the line that takes the comment: the first of the finding, or its last where the first ends in a "\", or
// none.
std::optional<size_t> line_for(std::string_view text, std::pair<size_t, size_t> bytes) {
  for (const size_t at : {bytes.first, bytes.second})
    if (const size_t end = line_end(text, at); end == 0 || text[end - 1] != '\\') return end;
  return std::nullopt;
}

Edit ignore_at(std::string_view text, size_t end, const std::set<std::string>& rules, const Finding& finding,
               std::string_view reason) {
  const size_t begin = line_begin(text, end);
  if (const auto comment = comment_in(text, begin, end);
      comment && comment->list_begin != 0 &&
      text.substr(begin, comment->begin - begin).find_first_not_of(kBlanks) != std::string_view::npos) {
    std::vector<std::string> all =
        selectors_in(text.substr(comment->list_begin, comment->list_end - comment->list_begin));
    all.insert(all.end(), rules.begin(), rules.end());
    return {comment->list_begin, comment->list_end, joined(all, ", ")};
  }
  std::string text_of = (is_python(finding.primary.path) ? "  # ranklint: ignore[" : "  // ranklint: ignore[") +
                        joined({rules.begin(), rules.end()}, ", ") + "]";
  if (!reason.empty()) text_of.append(" ").append(reason);
  return {end, end, std::move(text_of)};
}

}  // namespace

std::vector<std::string> quoted_words(std::string_view text) {
  std::vector<std::string> words;
  for (size_t open = text.find('`'); open != std::string_view::npos;) {
    const size_t close = text.find('`', open + 1);
    if (close == std::string_view::npos) break;
    words.emplace_back(text.substr(open + 1, close - open - 1));
    open = text.find('`', close + 1);
  }
  return words;
}

std::optional<Edit> without_selectors(std::string_view text, size_t begin, size_t end,
                                      const std::vector<std::string>& unused) {
  const auto comment = comment_in(text, begin, end);
  if (!comment || unused.empty()) return std::nullopt;
  if (comment->list_begin == 0) return removal(text, *comment);
  std::vector<std::string> left =
      selectors_in(text.substr(comment->list_begin, comment->list_end - comment->list_begin));
  std::erase_if(left, [&](const std::string& selector) {
    return std::find(unused.begin(), unused.end(), selector) != unused.end();
  });
  if (left.empty()) return removal(text, *comment);
  return Edit{comment->list_begin, comment->list_end, joined(left, ", ")};
}

std::vector<Edit> ignoring(std::string_view text, std::span<const Finding* const> findings, std::string_view reason) {
  std::map<size_t, std::pair<std::set<std::string>, const Finding*>> lines;  // by the place where the line ends
  for (const Finding* finding : findings) {
    SourceRange range = finding->primary.range;
    if (range.end_line == 0) range.end_line = range.line, range.end_column = range.column;
    const auto bytes = bytes_of(text, range);
    const auto end = bytes ? line_for(text, *bytes) : std::nullopt;
    if (!end) continue;
    auto& [rules, first] = lines[*end];
    rules.insert(finding->rule);
    first = finding;
  }
  std::vector<Edit> edits;
  for (const auto& [end, line] : lines) edits.push_back(ignore_at(text, end, line.first, *line.second, reason));
  return edits;
}

}  // namespace ranklint::app
