// The pages of rules inside a report, so that its readers can read why a finding matters.
//
// Of Markdown this knows what rule pages use: headings, paragraphs, lists, code in fences or indented, `code`, links.
// A link becomes its words, since a report leads nowhere but to itself. Comments that tests read (`# expect: ...`)
// are left out.
#include <vector>

#include "app/report/formats/html.h"
#include "app/report/markup.h"

namespace ranklint::report::html {

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

std::string without_links(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t open = text.find('[');
    const size_t middle = open == text.npos ? open : text.find("](", open);
    const size_t close = middle == text.npos ? middle : text.find(')', middle);
    if (close == text.npos || text.substr(open + 1, middle - open - 1).find('[') != text.npos) break;
    out += text.substr(0, open);
    out += text.substr(open + 1, middle - open - 1);
    text.remove_prefix(close + 1);
  }
  return out + std::string(text);
}

std::string_view without_expectation(std::string_view line) {
  for (const std::string_view mark : {"# expect", "// expect"})
    if (const size_t at = line.find(mark); at != line.npos)
      line = line.substr(0, line.find_last_not_of(" \t", at == 0 ? 0 : at - 1) + 1);
  return line;
}

class PageReader {
 public:
  explicit PageReader(std::string_view page) : lines_(lines_of(page)) {}

  std::string run() {
    while (at_ < lines_.size()) read_block();
    return std::move(out_);
  }

 private:
  void read_block() {
    const std::string_view line = lines_[at_];
    if (line.empty()) {
      ++at_;
    } else if (line.starts_with("```")) {
      read_fence();
    } else if (line.starts_with("    ")) {
      read_indented();
    } else if (line.starts_with('#')) {
      read_heading();
    } else if (line.starts_with("- ")) {
      read_list();
    } else {
      out_ += "<p>" + words() + "</p>\n";
    }
  }

  void read_fence() {
    std::string code;
    for (++at_; at_ < lines_.size() && !lines_[at_].starts_with("```"); ++at_)
      code += markup(without_expectation(lines_[at_])) + "\n";
    ++at_;
    out_ += "<pre>" + code + "</pre>\n";
  }

  void read_indented() {
    std::string code;
    for (; at_ < lines_.size() && (lines_[at_].starts_with("    ") || (lines_[at_].empty() && at_ + 1 < lines_.size() &&
                                                                       lines_[at_ + 1].starts_with("    ")));
         ++at_)
      code += markup(lines_[at_].substr(std::min<size_t>(4, lines_[at_].size()))) + "\n";
    out_ += "<pre>" + code + "</pre>\n";
  }

  // The page's own title is that of the element around it.
  void read_heading() {
    const std::string_view line = lines_[at_++];
    const size_t words = line.find_first_not_of("# ");
    if (line.starts_with("##") && words != line.npos) out_ += "<h3>" + markup_sentence(line.substr(words)) + "</h3>\n";
  }

  void read_list() {
    out_ += "<ul>\n";
    while (at_ < lines_.size() && lines_[at_].starts_with("- ")) {
      lines_[at_].remove_prefix(2);
      out_ += "<li>" + words() + "</li>\n";
      if (at_ + 1 < lines_.size() && lines_[at_].empty() && lines_[at_ + 1].starts_with("- ")) ++at_;
    }
    out_ += "</ul>\n";
  }

  // Up to an empty line or the start of another block.
  std::string words() {
    std::string text;
    do {
      const std::string_view line = lines_[at_++];
      text += (text.empty() ? "" : " ") + std::string(line.substr(std::min(line.find_first_not_of(' '), line.size())));
    } while (at_ < lines_.size() && !lines_[at_].empty() && !lines_[at_].starts_with("- ") &&
             !lines_[at_].starts_with("```") && !lines_[at_].starts_with('#'));
    return markup_sentence(without_links(text));
  }

  std::vector<std::string_view> lines_;
  size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string page_of(const ReportRule& rule) { return PageReader(rule.page).run(); }

}  // namespace ranklint::report::html
