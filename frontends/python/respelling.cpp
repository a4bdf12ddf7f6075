#include "frontends/python/respelling.h"

#include <algorithm>
#include <array>

#include "frontends/python/strings.h"

namespace ranklint::python {

namespace {

constexpr std::array<std::string_view, 35> kKeywords = {
    "False",  "None",     "True", "and",    "as",   "assert", "async",   "await",  "break", "class",  "continue", "def",
    "del",    "elif",     "else", "except", "for",  "from",   "finally", "global", "if",    "import", "in",       "is",
    "lambda", "nonlocal", "not",  "or",     "pass", "raise",  "return",  "try",    "while", "with",   "yield"};
// Names that are keywords at the beginning of a statement: what follows them is left as it is.
constexpr std::array<std::string_view, 5> kSoftKeywords = {"case", "exec", "match", "print", "type"};

bool is_among(std::string_view word, auto& words) { return std::find(words.begin(), words.end(), word) != words.end(); }
bool is_constant(std::string_view word) { return word == "None" || word == "True" || word == "False"; }

bool begins_name(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Respeller {
 public:
  explicit Respeller(std::string_view source) : source_(source), strings_(source) { out_.text = source; }

  Respelling run() {
    while (at_ < source_.size()) step();
    return std::move(out_);
  }

 private:
  struct Bracket {
    char open;
    bool has_type_parameters = false;
  };
  // What the last token was, as far as the next one depends on it.
  struct Last {
    bool begins_line = false;      // there is none in this line
    bool is_operand = false;       // it ends an operand: a star after it multiplies
    std::string_view word = {};    // a name or a keyword
    std::string_view before = {};  // the word before that, where one stands there
  };

  void step() {
    const char c = source_[at_];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
      ++at_;
    } else if (c == '\n') {
      if (brackets_.empty())
        last_ = {.begins_line = true};
      else
        blank(at_, at_ + 1);
      ++at_;
    } else if (c == '\\') {
      at_ = behind_blanks(at_);
    } else if (c == '#') {
      const size_t begin = at_;
      at_ = std::min(source_.find('\n', at_), source_.size());
      if (!brackets_.empty()) blank(begin, at_);  // or it would take the next line, too
    } else if (c == '\'' || c == '"') {
      at_ = std::min(strings_.end_of(at_), source_.size());
      last_ = {.is_operand = true};
    } else if (begins_name(c)) {
      take_word();
    } else if (is_digit(c)) {
      while (at_ < source_.size() && (is_digit(source_[at_]) || begins_name(source_[at_]) || source_[at_] == '.'))
        ++at_;
      last_ = {.is_operand = true};
    } else {
      take_operator(c);
    }
  }

  // The place after blanks and line ends that end no statement; after a backslash at least.
  size_t behind_blanks(size_t at) const {
    for (; at < source_.size(); ++at) {
      const char c = source_[at];
      if (c == '\\')
        at += source_.substr(at + 1).starts_with("\r\n") ? 2 : 1;
      else if (c == '\n' ? brackets_.empty() : c != ' ' && c != '\t' && c != '\r' && c != '\f')
        return at;
    }
    return source_.size();
  }

  std::string_view word_at(size_t at) const {
    size_t end = at;
    while (end < source_.size() && (begins_name(source_[end]) || is_digit(source_[end]))) ++end;
    return source_.substr(at, end - at);
  }

  void take_word() {
    const std::string_view word = word_at(at_);
    const size_t begin = at_, next = source_.find_first_not_of(" \t", at_ += word.size());
    const bool keyword = is_among(word, kKeywords),
               quoted = at_ < source_.size() && (source_[at_] == '\'' || source_[at_] == '"');
    const bool defines = last_.word == "class" || last_.word == "def" || last_.word == "type";
    if (!keyword && !is_among(word, kSoftKeywords) && !quoted && !defines && !after_dot_ &&
        next != std::string_view::npos && source_[next] == '[') {
      out_.names.push_back(static_cast<uint32_t>(begin));
      std::fill_n(out_.text.begin() + static_cast<std::ptrdiff_t>(begin), word.size(), '1');
      out_.changed = true;
    }
    last_ = {.is_operand = !keyword || is_constant(word) || after_dot_, .word = word, .before = last_.word};
    after_dot_ = false;
  }

  void take_operator(char c) {
    const bool dot = c == '.' && !source_.substr(at_).starts_with("...");
    if (c == '(' || c == '[' || c == '{') return open(c);
    if (c == ')' || c == ']' || c == '}') return close();
    if (c == ',') end_default();
    const size_t length =
        source_.substr(at_).starts_with("...") ? 3 : std::min(operator_length(c), source_.size() - at_);
    if (c == '*' && length == 1) take_star();
    if (c == '=' && length == 1 && !brackets_.empty() && brackets_.back().has_type_parameters && default_at_ == 0) {
      default_at_ = at_;
      default_depth_ = brackets_.size();
    }
    at_ += length;
    if (!dot && length != 3) last_ = {};
    if (length == 3) last_ = {.is_operand = true};
    after_dot_ = dot;
  }

  // Those that begin with a sign that is a token of its own, too.
  size_t operator_length(char c) const {
    const std::string_view rest = source_.substr(at_ + 1);
    if (c == '*' && rest.starts_with('*')) return 2;
    return rest.starts_with('=') && std::string_view("=!<>:*").find(c) != std::string_view::npos ? 2 : 1;
  }

  void open(char c) {
    const bool defined = last_.before == "class" || last_.before == "def" || last_.before == "type";
    brackets_.push_back({.open = c, .has_type_parameters = c == '[' && last_.is_operand && defined});
    last_ = {};
    ++at_;
  }

  void close() {
    end_default();
    if (!brackets_.empty()) brackets_.pop_back();
    last_ = {.is_operand = true};
    ++at_;
  }

  // The default of a type parameter ends before this comma or bracket.
  void end_default() {
    if (default_at_ == 0 || brackets_.size() != default_depth_) return;
    blank(default_at_, at_);
    default_at_ = 0;
  }

  void blank(size_t begin, size_t end) {
    std::fill(out_.text.begin() + static_cast<std::ptrdiff_t>(begin),
              out_.text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    out_.changed = true;
  }

  void take_star() {
    if (last_.is_operand || last_.word == "except" || (!brackets_.empty() && brackets_.back().open != '[')) return;
    const size_t operand = behind_blanks(at_ + 1);
    if (operand == source_.size() || last_.begins_line || !is_misread(operand))
      return;  // a blank would indent the line
    blank(at_, at_ + 1);
    out_.stars.push_back({.begin = static_cast<uint32_t>(at_), .operand = static_cast<uint32_t>(operand)});
  }

  // Whether an operand begins there that the grammar does not accept after a star.
  bool is_misread(size_t operand) const {
    const char c = source_[operand];
    if (!begins_name(c)) return std::string_view("([{'\"-+~").find(c) != std::string_view::npos || is_digit(c);
    const std::string_view word = word_at(operand);
    const size_t end = operand + word.size();
    const bool quoted = end < source_.size() && (source_[end] == '\'' || source_[end] == '"');
    return quoted || is_constant(word) || word == "await";
  }

  std::string_view source_;
  StringReader strings_;
  Respelling out_;
  size_t at_ = 0;
  std::vector<Bracket> brackets_;
  Last last_{.begins_line = true};
  bool after_dot_ = false;
  size_t default_at_ = 0, default_depth_ = 0;  // of the default that is read; 0: none
};

}  // namespace

Respelling respelling_of(std::string_view source) { return Respeller(source).run(); }

}  // namespace ranklint::python
