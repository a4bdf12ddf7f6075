#include "frontends/launchers/shell_words.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "frontends/launchers/shell_arithmetic.h"

namespace ranklint::launchers {
namespace {

using Value = ShellValue;

constexpr size_t kMostWords = 20000;        // of one script, what variables stand for included
constexpr size_t kLongestValue = 64 << 10;  // of a variable
constexpr size_t kMostExpanded = 4 << 20;   // bytes that variables of one script stand for

class Reader {
 public:
  Reader(std::string_view text, uint32_t first_line) : text_(text), line_(first_line) {}

  std::vector<Command> run() {
    while (at_ < text_.size() && words_ < kMostWords) read_command();
    return std::move(commands_);
  }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void advance() {
    if (text_[at_++] == '\n') ++line_, line_begin_ = at_;
  }

  SourceRange from(uint32_t line, size_t column) const {
    const auto end = static_cast<uint32_t>(at_ - line_begin_ + 1);
    return line == line_ ? SourceRange{line, static_cast<uint32_t>(column), line, end}
                         : SourceRange{line, static_cast<uint32_t>(column), line, static_cast<uint32_t>(column) + 1};
  }

  void skip_comment() {
    const size_t begin = at_;
    while (at_ < text_.size() && peek() != '\n') ++at_;
    const std::string_view comment = text_.substr(begin, at_ - begin);
    if (!comment.starts_with("#SBATCH")) return;
    Command command;
    const SourceRange range = from(line_, begin - line_begin_ + 1);
    for (size_t i = 0; i < comment.size();) {
      const size_t end = std::min(comment.find_first_of(" \t=\r", i), comment.size());
      if (end > i) command.words.push_back({std::string(comment.substr(i, end - i)), true, range});
      i = end + 1;
    }
    remember_batch_option(command);
    commands_.push_back(std::move(command));
  }

  // What Slurm tells the job about itself.
  void remember_batch_option(const Command& command) {
    for (size_t i = 0; i + 1 < command.words.size(); ++i) {
      const std::string& name = command.words[i].text;
      const Value value{{command.words[i + 1].text}, true};
      if (name == "--nodes" || name == "-N") variables_["SLURM_NNODES"] = variables_["SLURM_JOB_NUM_NODES"] = value;
      if (name == "--gpus-per-node") variables_["SLURM_GPUS_PER_NODE"] = variables_["SLURM_GPUS_ON_NODE"] = value;
      if (name == "--ntasks-per-node") variables_["SLURM_NTASKS_PER_NODE"] = value;
    }
  }

  void read_command() {
    Command command;
    while (at_ < text_.size() && words_ < kMostWords) {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == '\r')
        advance();
      else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n')))
        advance(), advance();
      else if (c == '#')
        skip_comment();
      else if (c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')') {
        advance();
        break;
      } else if (c == '<' && peek(1) == '<' && peek(2) != '<') {
        skip_document();
      } else {
        read_word(command);
      }
    }
    finish(std::move(command));
  }

  // Up to the line that ends a here-document.
  void skip_document() {
    at_ += peek(2) == '-' ? 3 : 2;
    while (peek() == ' ') ++at_;
    std::string end;
    while (at_ < text_.size() && peek() != '\n' && peek() != ' ' && peek() != ';' && peek() != '>' && peek() != ')') {
      if (peek() != '\'' && peek() != '"' && peek() != '\\') end += peek();
      ++at_;
    }
    while (at_ < text_.size() && peek() != '\n') ++at_;
    while (at_ < text_.size()) {
      advance();
      const size_t stop = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = text_.substr(at_, stop - at_);
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      at_ = stop;
      if (line == end) return;
    }
  }

  void read_word(Command& command) {
    const uint32_t line = line_;
    const size_t column = at_ - line_begin_ + 1;
    if (command.words.empty() || is_assigning(command))
      if (const std::optional<std::string> name = assigned_name()) return read_assignment(command, *name, line, column);
    Value value = read_value();
    const SourceRange range = from(line, column);
    for (std::string& text : value.words)
      if (++words_ < kMostWords) command.words.push_back({std::move(text), value.known, range});
  }

  static bool is_assigning(const Command& command) {
    const std::string& first = command.words.front().text;
    return first == "export" || first == "declare" || first == "local" || first == "readonly" || first == "typeset";
  }

  // NAME of `NAME=`, passed over; nothing, and nothing passed over, when none stands here.
  std::optional<std::string> assigned_name() {
    size_t end = at_;
    while (end < text_.size() && is_in_name(text_[end])) ++end;
    const bool adds = end + 1 < text_.size() && text_[end] == '+' && text_[end + 1] == '=';
    if (end == at_ || end >= text_.size() || (text_[end] != '=' && !adds)) return std::nullopt;
    std::string name(text_.substr(at_, end - at_));
    at_ = end + (adds ? 2 : 1);
    adds_ = adds;
    return name;
  }

  void read_assignment(Command& command, const std::string& name, uint32_t line, size_t column) {
    const bool adds = adds_;
    Value value;
    if (peek() == '(')
      value = read_array();
    else if (at_ < text_.size() && !ends_word(peek()))
      value = read_value(true);
    else
      value.words = {""};
    if (adds) prepend(name, value);
    Word word{.text = name + "=", .known = value.known && value.words.size() == 1, .range = from(line, column)};
    if (word.known) word.text += value.words[0];
    remember(name, std::move(value));
    command.environment.push_back(std::move(word));
  }

  void prepend(const std::string& name, Value& value) {
    const auto before = variables_.find(name);
    if (before == variables_.end() || !before->second.known)
      value.known = false;
    else if (before->second.words.size() == 1 && value.words.size() == 1)
      value.words[0] = before->second.words[0] + value.words[0];
    else
      value.words.insert(value.words.begin(), before->second.words.begin(), before->second.words.end());
  }

  void remember(const std::string& name, Value value) {
    size_t length = 0;
    for (const std::string& word : value.words) length += word.size() + 1;
    if (length > kLongestValue) value = {{""}, false};
    const auto [held, fresh] = variables_.try_emplace(name, value);
    if (fresh || held->second == value) return;
    if (depth_ > 0)
      held->second.known = false;
    else
      held->second = std::move(value);
  }

  Value read_array() {
    Value array;
    advance();
    while (at_ < text_.size() && peek() != ')' && words_ < kMostWords) {
      if (peek() == '#') {
        while (at_ < text_.size() && peek() != '\n') ++at_;
      } else if (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r' || peek() == '\\') {
        advance();
      } else if (ends_word(peek())) {
        advance();
      } else {
        Value value = read_value();
        ++words_;
        if (!value.known) value.words = {"?"};
        array.words.insert(array.words.end(), value.words.begin(), value.words.end());
      }
    }
    if (at_ < text_.size()) advance();
    return array;
  }

  static bool ends_word(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ';' || c == '&' || c == '|' || c == '(' ||
           c == ')' || c == '<' || c == '>';
  }

  // One word of the text; several where an array or an unquoted variable stands for them.
  Value read_value(bool assigned = false) {
    Value value;
    std::string text;
    bool started = false;
    while (at_ < text_.size() && !ends_word(peek())) {
      const char c = peek();
      started = true;
      if (c == '\'')
        read_plain_quotes(text);
      else if (c == '"')
        read_quotes(text, value);
      else if (c == '\\') {
        if (peek(1) == '\n') break;
        ++at_;
        if (at_ < text_.size()) text += peek(), advance();
      } else if (c == '`') {
        value.known = false;
        for (++at_; at_ < text_.size() && peek() != '`';) advance();
        if (at_ < text_.size()) ++at_;
      } else if (c == '$') {
        const Value inner = read_variable();
        value.known &= inner.known;
        add(inner, !assigned, text, value);
      } else {
        text += c;
        advance();
      }
    }
    if (!started && at_ < text_.size()) advance();  // < or > alone
    if (!text.empty() || value.words.empty()) value.words.push_back(std::move(text));
    return value;
  }

  // What a variable stands for is split into words where it is not quoted.
  static void add(const Value& inner, bool splits, std::string& text, Value& value) {
    for (size_t w = 0; w < inner.words.size(); ++w) {
      if (w > 0) value.words.push_back(std::move(text)), text.clear();
      for (char c : inner.words[w]) {
        if (!splits || (c != ' ' && c != '\t' && c != '\n'))
          text += c;
        else if (!text.empty())
          value.words.push_back(std::move(text)), text.clear();
      }
    }
  }

  void read_plain_quotes(std::string& text) {
    for (++at_; at_ < text_.size() && peek() != '\'';) text += peek(), advance();
    if (at_ < text_.size()) ++at_;
  }

  void read_quotes(std::string& text, Value& value) {
    for (++at_; at_ < text_.size() && peek() != '"';) {
      if (peek() == '\\') {
        const bool joins = peek(1) == '\n';
        ++at_;
        if (at_ < text_.size()) {
          if (!joins) text += peek();
          advance();
        }
      } else if (peek() == '$') {
        const Value inner = read_variable();
        value.known &= inner.known;
        add(inner, false, text, value);
      } else {
        text += peek();
        advance();
      }
    }
    if (at_ < text_.size()) ++at_;
  }

  // $X, ${X}, ${X[@]}, ${X:-default}, $((1 + 2)); not known for anything else.
  Value read_variable() {
    ++at_;
    if (peek() == '(') return read_parentheses();
    if (peek() == '{') {
      const size_t begin = ++at_;
      int open = 1;
      while (at_ < text_.size() && open > 0) {
        open += peek() == '{' ? 1 : peek() == '}' ? -1 : 0;
        advance();
      }
      return expanded(text_.substr(begin, at_ - begin - (open == 0 ? 1 : 0)));
    }
    const size_t begin = at_;
    while (at_ < text_.size() && is_in_name(peek())) ++at_;
    if (at_ == begin && at_ < text_.size() && !ends_word(peek())) ++at_;  // $@, $?
    return variable(text_.substr(begin, at_ - begin));
  }

  Value variable(std::string_view name) {
    const auto found = variables_.find(std::string(name));
    if (found == variables_.end()) return {{""}, false};
    for (const std::string& word : found->second.words) expanded_ += word.size() + 1;
    return expanded_ > kMostExpanded ? Value{{""}, false} : found->second;
  }

  Value expanded(std::string_view inner) {
    size_t end = 0;
    while (end < inner.size() && is_in_name(inner[end])) ++end;
    const std::string_view name = inner.substr(0, end), rest = inner.substr(end);
    if (rest.empty() || rest == "[@]" || rest == "[*]") return variable(name);
    if (!rest.starts_with(":-") && !rest.starts_with(":=") && !rest.starts_with("-")) return {{""}, false};
    if (variables_.contains(std::string(name))) return variable(name);
    const std::string_view otherwise = rest.substr(rest.starts_with("-") ? 1 : 2);
    if (otherwise.find_first_of("$`") != otherwise.npos) return {{""}, false};
    return {{std::string(otherwise)}, true};
  }

  Value read_parentheses() {
    const bool counts = peek(1) == '(';
    const size_t begin = at_;
    int open = 0;
    do {
      open += peek() == '(' ? 1 : peek() == ')' ? -1 : 0;
      advance();
    } while (at_ < text_.size() && open > 0);
    if (!counts || at_ - begin < 4) return {{""}, false};
    const std::optional<int64_t> n = arithmetic(text_.substr(begin + 2, at_ - begin - 4), variables_);
    return n ? Value{{std::to_string(*n)}, true} : Value{{""}, false};
  }

  void finish(Command command) {
    static constexpr std::array<std::string_view, 6> kOpening{"if", "for", "while", "until", "case", "select"};
    static constexpr std::array<std::string_view, 3> kClosing{"fi", "done", "esac"};
    static constexpr std::array<std::string_view, 9> kPassing{"then", "else", "do",    "{",   "}",
                                                              "time", "exec", "nohup", "elif"};
    const auto among = [](const std::string& word, const auto& list) {
      return std::find(list.begin(), list.end(), word) != list.end();
    };
    while (!command.words.empty()) {
      const std::string& first = command.words.front().text;
      if (among(first, kOpening)) {
        ++depth_;
        if (first == "for" && command.words.size() > 1) variables_[command.words[1].text] = {{""}, false};
      } else if (among(first, kClosing)) {
        depth_ = std::max(0, depth_ - 1);
      } else if (first == "export" || first == "declare" || first == "local" || first == "readonly" ||
                 first == "typeset") {
        command.exports |= first == "export";
      } else if (first == "read") {
        for (size_t i = 1; i < command.words.size(); ++i) variables_[command.words[i].text] = {{""}, false};
      } else if (!among(first, kPassing)) {
        break;
      }
      command.words.erase(command.words.begin());
      take_assignments(command);
    }
    command.is_nested = depth_ > 0;
    if (!command.words.empty() || !command.environment.empty()) commands_.push_back(std::move(command));
  }

  // `then N=4`: assignments after a word of the language.
  void take_assignments(Command& command) {
    while (!command.words.empty()) {
      const std::string& text = command.words.front().text;
      size_t end = 0;
      while (end < text.size() && is_in_name(text[end])) ++end;
      if (end == 0 || end >= text.size() || text[end] != '=') return;
      remember(text.substr(0, end), {{text.substr(end + 1)}, command.words.front().known});
      command.environment.push_back(std::move(command.words.front()));
      command.words.erase(command.words.begin());
    }
  }

  std::string_view text_;
  size_t at_ = 0, line_begin_ = 0, words_ = 0, expanded_ = 0;
  uint32_t line_;
  int depth_ = 0;  // of if, for, while, case
  bool adds_ = false;
  std::map<std::string, Value> variables_;
  std::vector<Command> commands_;
};

}  // namespace

std::vector<Command> commands_of(std::string_view script, uint32_t first_line) {
  return Reader(script, first_line).run();
}

}  // namespace ranklint::launchers
