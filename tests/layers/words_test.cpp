// A run of an MPI program states facts (analyzer/mpi_check/facts.inc), and the rules have the words for them.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layers/sources.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

constexpr std::string_view kChecks = "analyzer/mpi_check/";

struct Exception {
  std::string_view code, reason;
};

constexpr std::string_view kShared =
    "why a run was given up: analyzer/machine gives reasons too, and they are texts there";

constexpr Exception kMayHaveWords[] = {
    {"not_known(", kShared},
    {" lose(", kShared},
    {"lost_because = ", kShared},
    {"this build runs no small worlds", "the same, where no run is built in"},
};

bool has_words(const std::string& literal) {
  static const std::regex kWords("[A-Za-z`] [A-Za-z`]|^ [a-z]|[a-z] $");
  return std::regex_search(literal, kWords);
}

bool may_have_words(const std::string& line) {
  return std::ranges::any_of(kMayHaveWords, [&](const Exception& e) { return line.find(e.code) != std::string::npos; });
}

std::vector<std::string> lines_with_words(const std::vector<Line>& sources) {
  std::vector<std::string> found;
  for (const Line& line : sources)
    if (line.path.starts_with(kChecks) && !may_have_words(line.text) &&
        std::ranges::any_of(literals_in(line.text), has_words))
      found.push_back(describe(line));
  return found;
}

// The rows of facts.inc: FACT(name, kind, ...), NOTE(name, kind, ...) and PHRASE(name, ...).
struct Row {
  std::string macro, name, kind;
};

std::vector<Row> rows_of_facts() {
  static const std::regex kRow(R"re(^(FACT|NOTE|PHRASE)\((\w+)(?:, (\w+))?.*\)$)re");
  std::vector<Row> rows;
  std::istringstream lines(read_file(source_path("analyzer/mpi_check/facts.inc")));
  for (std::string line; std::getline(lines, line);)
    if (std::smatch m; std::regex_match(line, m, kRow))
      rows.push_back({m[1].str(), m[2].str(), m[1].str() == "PHRASE" ? std::string() : m[3].str()});
  return rows;
}

// How often each word of the form `prefix`NAME stands in the sources of a folder.
std::map<std::string, size_t> uses_of(const std::vector<Line>& sources, std::string_view folder,
                                      const std::string& prefix) {
  const std::regex use(prefix + "(\\w+)");
  std::map<std::string, size_t> uses;
  for (const Line& line : sources)
    if (line.path.starts_with(folder))
      for (std::sregex_iterator it(line.text.begin(), line.text.end(), use), end; it != end; ++it)
        ++uses[(*it)[1].str()];
  return uses;
}

}  // namespace

TEST_CASE("what runs of MPI programs find is stated without words") {
  CHECK(lines_with_words(lines_of_sources(lines_of_repository())) == std::vector<std::string>{});
}

TEST_CASE("words of a sentence are found, names and signs are none") {
  const auto finds = [](const std::string& text) {
    return lines_with_words({{"analyzer/mpi_check/x.cpp", 1, text}}).size() == 1;
  };
  CHECK(finds("report(call, \"is given 0\");"));
  CHECK(finds("text += \" of \" + name;"));
  CHECK(finds("text = \"`\" + name + \"` waits\";"));
  CHECK_FALSE(finds("Signature{\"Barrier\", \"c\", collective, kBarrier},"));
  CHECK_FALSE(finds("name + \" \" + said;"));
  CHECK_FALSE(finds("return not_known(call, \"the lock is not known\");"));
  CHECK(lines_with_words({{"rules/mpi/x.cpp", 1, "\"is given 0\""}}).empty());
}

TEST_CASE("each fact is stated somewhere, and each kind of problem is worded by one rule") {
  const std::vector<Line> sources = lines_of_sources(lines_of_repository());
  const std::vector<Row> rows = rows_of_facts();
  REQUIRE(rows.size() > 250);
  const auto stated = uses_of(sources, kChecks, "Fact::");
  const auto worded = uses_of(sources, "rules/mpi/", "Sentences kSentences\\{mpi_check::ProblemKind::");
  std::vector<std::string> wrong;
  for (const Row& row : rows) {
    if (!stated.contains(row.name)) wrong.push_back(row.name + " is never stated");
    if (!row.kind.empty() && (!worded.contains(row.kind) || worded.at(row.kind) != 1))
      wrong.push_back(row.kind + " needs sentences in one rule");
  }
  CHECK(wrong == std::vector<std::string>{});
}

}  // namespace ranklint::test
