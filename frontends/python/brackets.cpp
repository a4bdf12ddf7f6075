#include "frontends/python/brackets.h"

#include <algorithm>
#include <utility>

#include "frontends/python/strings.h"

namespace ranklint::python {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\\'; }

bool is_word(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

class BracketReader {
 public:
  BracketReader(std::string_view text, size_t longest) : text_(text), longest_(longest), strings_(text) {}

  std::vector<LongBracket> run() {
    while (at_ < text_.size()) step();
    std::ranges::sort(found_, {}, &LongBracket::open);
    return std::move(found_);
  }

 private:
  struct Open {
    LongBracket bracket;
    size_t piece = 0;          // where the piece begins
    bool is_whole = false;     // it may not be cut
    bool has_element = false;  // since the last comma
    size_t before_pieces = 0;  // how many had been found where the first piece begins
  };

  void step() {
    const char c = text_[at_];
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return;
    }
    if (is_blank(c)) {
      ++at_;
      return;
    }
    if (!open_.empty() && !closes(c)) open_.back().has_element = c != ',';
    if (c == '\'' || c == '"')
      at_ = strings_.end_of(at_);
    else if (is_word(c))
      read_word();
    else
      read_mark(c);
  }

  void read_word() {
    const size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (!open_.empty() && (word == "for" || word == "lambda" || word == "as")) open_.back().is_whole = true;
    after_with_ = word == "with";
  }

  void read_mark(char c) {
    if (c == '(' || c == '[' || c == '{')
      open();
    else if (closes(c))
      close();
    after_with_ = false;
    ++at_;
    if (c == ',' && !open_.empty()) end_element(open_.back());
  }

  void open() {
    Open& opened = open_.emplace_back();
    opened.bracket.open = at_;
    opened.piece = at_ + 1;
    opened.is_whole = after_with_;
  }

  void end_element(Open& open) {
    if (at_ - open.piece < longest_) return;
    if (open.bracket.cuts.empty()) open.before_pieces = found_.size();
    open.bracket.cuts.push_back(at_);
    open.piece = at_;
  }

  void close() {
    if (open_.empty()) return;
    Open open = std::move(open_.back());
    open_.pop_back();
    if (open.is_whole || open.bracket.cuts.empty()) return;
    open.bracket.close = at_;
    open.bracket.last_is_open = open.has_element;
    // Those within its pieces are found again when these are read.
    found_.resize(open.before_pieces);
    found_.push_back(std::move(open.bracket));
  }

  std::string_view text_;
  const size_t longest_;
  StringReader strings_;
  size_t at_ = 0;
  bool after_with_ = false;
  std::vector<Open> open_;
  std::vector<LongBracket> found_;
};

}  // namespace

std::vector<LongBracket> long_brackets_of(std::string_view text, size_t longest) {
  return text.size() > longest ? BracketReader(text, longest).run() : std::vector<LongBracket>();
}

}  // namespace ranklint::python
