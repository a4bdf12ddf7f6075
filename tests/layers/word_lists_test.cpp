// Words that name what libraries give, and what people call things, are data (rules/models/*.json, names.json): a list
// of words in the code knows a library, or a habit of naming, that no user can add to. The lists that are left are of
// words that this program gives itself, or of a notation that it reads; each is here, with how many words it has.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layers/sources.h"

namespace ranklint::test {

namespace {

constexpr std::string_view kListOfLanguage = "names that the language gives",
                           kListOfNotation = "words of a notation that is read",
                           kListOfOwn = "words that this program gives itself",
                           kListOfText = "the wording of a message, or code that is shown",
                           kListOfFolders = "names of folders",
                           kListOfLibrary = "arguments of one function of a library";

struct ListsOfFile {
  std::string_view path;
  size_t lists = 0, words = 0;
  std::string_view reason;
};

constexpr ListsOfFile kListsLeft[] = {
    {"analyzer/base/confidence_words.h", 1, 4, kListOfOwn},
    {"analyzer/base/contain.cpp", 1, 5, kListOfFolders},
    {"analyzer/evidence/assumptions.cpp", 1, 18, kListOfOwn},
    {"analyzer/evidence/reasons.cpp", 1, 89, kListOfOwn},
    {"analyzer/interp/model_conditions.cpp", 1, 6, kListOfNotation},
    {"analyzer/product/lockstep_ranks.cpp", 1, 2, kListOfText},
    {"analyzer/resolve/index.cpp", 1, 2, kListOfFolders},
    {"analyzer/variance/computed.cpp", 1, 14, kListOfNotation},
    {"analyzer/variance/local_source.cpp", 1, 4, kListOfOwn},
    {"rules/collectives/early-exit-before-collective.cpp", 1, 2, kListOfText},
    {"rules/collectives/exception-skips-collective.cpp", 1, 2, kListOfText},
    {"rules/declarative/declared_rule.h", 1, 7, kListOfNotation},
    {"rules/declarative/reader.cpp", 7, 64, kListOfNotation},
    {"rules/mismatches.cpp", 1, 2, kListOfText},
    {"rules/mpi/differing-collective-arguments.cpp", 1, 12, kListOfText},
    {"rules/mpi/sentences.cpp", 1, 10, kListOfText},
    {"rules/p2p/p2p-cycle.cpp", 1, 2, kListOfText},
    {"rules/p2p/p2p-self.cpp", 1, 2, kListOfText},
    {"rules/p2p/unmatched-p2p.cpp", 1, 2, kListOfText},
    {"rules/replay_templates.cpp", 1, 4, kListOfText},
    {"rules/sequence-parallel/degree-world-mismatch.cpp", 1, 2, kListOfLibrary},
    {"rules/severity_words.h", 1, 3, kListOfOwn},
};

struct WordList {
  size_t line = 0;
  size_t words = 0;
};

bool is_word(std::string_view literal) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto belongs = [&](char c) {
    return is_letter(c) || std::string_view(" .*:/-").find(c) != std::string_view::npos;
  };
  const size_t begin = literal.find_first_not_of(' ');
  if (begin == literal.npos) return false;
  const std::string_view inner = literal.substr(begin, literal.find_last_not_of(' ') + 1 - begin);
  return inner.find(' ') == inner.npos && std::ranges::all_of(inner, belongs) &&
         std::ranges::any_of(inner, [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

// Reads a source token by token; a list is the outermost pair of braces with no statement in it, and two or more words.
class ListFinder {
 public:
  std::vector<WordList> run(const std::vector<Line>& file) {
    for (const Line& line : file)
      if (included(line.text).empty()) read(line);
    close_all();
    return std::move(found_);
  }

 private:
  struct Braces {
    size_t line = 0, words = 0;
    bool has_statement = false;
    std::vector<WordList> inner;
  };

  void read(const Line& line) {
    const std::string& text = line.text;
    for (size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (std::isspace(static_cast<unsigned char>(c))) continue;
      if (c == '\'' && at + 2 < text.size() && !std::isalnum(static_cast<unsigned char>(previous_))) {
        at = text.find('\'', at + (text[at + 1] == '\\' ? 3 : 2));
        if (at == text.npos) return;
      } else if (c == '"') {
        const size_t end = end_of_literal(text, at);
        if (previous_ != '=' && is_word(std::string_view(text).substr(at + 1, end - at - 1))) ++open_.back().words;
        at = end;
      } else if (c == '{') {
        open_.push_back({.line = line.number, .words = 0, .has_statement = false, .inner = {}});
      } else if (c == ';') {
        open_.back().has_statement = true;
      } else if (c == '}' && open_.size() > 1) {
        close();
      }
      previous_ = c;
    }
  }

  static size_t end_of_literal(const std::string& text, size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at)
      if (text[at] == '\\') ++at;
    return std::min(at, text.size());
  }

  void keep(const std::vector<WordList>& lists) {
    std::ranges::copy_if(lists, std::back_inserter(found_), [](const WordList& list) { return list.words > 1; });
  }

  void close() {
    const Braces closed = std::move(open_.back());
    open_.pop_back();
    if (closed.has_statement) return keep(closed.inner);
    size_t words = closed.words;
    for (const WordList& list : closed.inner) words += list.words;
    if (words > 0) open_.back().inner.push_back({closed.line, words});
  }

  void close_all() {
    while (open_.size() > 1) close();
    keep(open_.front().inner);
  }

  std::vector<WordList> found_;
  std::vector<Braces> open_{Braces{.line = 0, .words = 0, .has_statement = true, .inner = {}}};
  char previous_ = '\0';
};

std::map<std::string, std::vector<WordList>> lists_by_file(const std::vector<Line>& sources) {
  std::map<std::string, std::vector<Line>> files;
  for (const Line& line : sources)
    if (is_general(line.path)) files[line.path].push_back(line);
  std::map<std::string, std::vector<WordList>> found;
  for (const auto& [path, lines] : files)
    if (std::vector<WordList> lists = ListFinder().run(lines); !lists.empty()) found[path] = std::move(lists);
  return found;
}

// What is wrong with the table: a file with other lists than it says, and one that has none.
std::vector<std::string> wrong_with(const std::map<std::string, std::vector<WordList>>& found,
                                    const std::vector<ListsOfFile>& left) {
  std::vector<std::string> wrong;
  for (const auto& [path, lists] : found) {
    size_t words = 0;
    for (const WordList& list : lists) words += list.words;
    const auto known = std::ranges::find(left, std::string_view(path), &ListsOfFile::path);
    if (known == left.end() || known->lists != lists.size() || known->words != words)
      wrong.push_back(path + ":" + std::to_string(lists.front().line) + " has " + std::to_string(lists.size()) +
                      " lists of " + std::to_string(words) + " words");
  }
  for (const ListsOfFile& file : left)
    if (!found.contains(std::string(file.path)))
      wrong.push_back(std::string(file.path) + " has no list of " + std::string(file.reason) +
                      ": take it off the table");
  return wrong;
}

std::vector<WordList> lists_in(const std::vector<std::string>& text) {
  std::vector<Line> lines;
  for (size_t i = 0; i < text.size(); ++i) lines.push_back({"rules/x.cpp", i + 1, text[i]});
  return ListFinder().run(lines);
}

}  // namespace

TEST_CASE("below analyzer/ and rules/ no list of words stands in the code, but for what is in the table") {
  CHECK(wrong_with(lists_by_file(lines_of_sources(lines_of_repository())),
                   {std::begin(kListsLeft), std::end(kListsLeft)}) == std::vector<std::string>{});
}

TEST_CASE("a list of words is found in whatever form it stands, other braces are not") {
  const auto words = [](const std::vector<std::string>& text) {
    const std::vector<WordList> lists = lists_in(text);
    return lists.size() == 1 ? lists[0].words : lists.size() * 100;
  };
  CHECK(words({"constexpr std::array<std::string_view, 2> kCalls{\"load\",", "  \"save\"};"}) == 2);
  CHECK(words({"void f() {", "  if (among(x, {\"a\", \"b.c\", \" d \"})) return;", "}"}) == 3);
  CHECK(words({"void f() {", "  for (std::string_view word : {\"load\", \"save\"}) g(word);", "}"}) == 2);
  CHECK(words({"constexpr std::array kBeliefs = {", "  Belief{\"rank\", Kind::A},", "  Belief{\"main\", Kind::B}};"}) ==
        2);
  CHECK(words({"constexpr std::string_view kCalls[] = {\"<reads-file>\", \"^samples-class\"};"}) == 0);
  CHECK(words({"constexpr RuleInfo kInfo{.id = \"a\", .code = \"b\"};"}) == 0);
  CHECK(words({"void f() {", "  add({at, \"made here\"}, {at, \"used here\"});", "}"}) == 0);
  CHECK(words({"void f() {", "  g(\"a\");", "  h(\"b\");", "}"}) == 0);
}

TEST_CASE("the table of lists can only shrink") {
  const std::map<std::string, std::vector<WordList>> found{{"a", {{1, 2}, {5, 3}}}};
  CHECK(wrong_with(found, {{"a", 2, 5, ""}}).empty());
  CHECK(wrong_with(found, {{"a", 2, 4, ""}}).size() == 1);
  CHECK(wrong_with(found, {{"a", 3, 5, ""}}).size() == 1);
  CHECK(wrong_with(found, {}).size() == 1);
  CHECK(wrong_with({}, {{"a", 2, 5, "x"}}).size() == 1);
}

}  // namespace ranklint::test
