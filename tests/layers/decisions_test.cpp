// What decides about a name is data: a role or a model of the function (rules/models/*.json), a meaning of names
// (rules/models/names.json), or a value that is asked. Code that searches a name for letters, or compares one with a
// word that stands in the code, knows a library or a habit of naming that no user can add to. What did so when this was
// written is listed, may not do so more often, and its number goes down when it does so less often.
#include <catch2/catch.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layers/counted_files.h"
#include "tests/layers/sources.h"

namespace ranklint::test {

namespace {

constexpr std::string_view kLanguage = "names that the language gives: `__init__`, `range`, `isinstance`",
                           kMethods = "methods of containers and tensors, that are no roles yet",
                           kLibrary = "functions, arguments and types of a library, that are no roles yet",
                           kNames = "words of names, that are no meanings yet",
                           kMpi = "the names of MPI's constants and calls, which are carried out there",
                           kC = "the names of C's functions, which are carried out there",
                           kModelWords = "words by which models call an operation, or what it is a part of",
                           kOwnWords = "words that this program gives itself: an axis, a way out of a function",
                           kNotation = "words of a notation that is read there",
                           kText = "the wording of a message, or the path of a file";

constexpr CountedFile kDecisionsLeft[] = {
    {"analyzer/doubts/round_doubts.cpp", 1, kModelWords},
    {"analyzer/interp/batches.cpp", 1, kLanguage},
    {"analyzer/interp/function_run_calls.cpp", 2, kLibrary},
    {"analyzer/interp/function_run_models.cpp", 5, kModelWords},
    {"analyzer/interp/passed_rank.cpp", 1, kNames},
    {"analyzer/interp/selections.cpp", 1, kMethods},
    {"analyzer/interp/stated_types.cpp", 2, kModelWords},
    {"analyzer/ir/verify_function.cpp", 2, kNotation},
    {"analyzer/ir/words.cpp", 7, kNotation},
    {"analyzer/machine/library.cpp", 3, kC},
    {"analyzer/machine/link.cpp", 2, kC},
    {"analyzer/machine/machine.cpp", 6, kC},
    {"analyzer/machine/string_functions.cpp", 13, kC},
    {"analyzer/mesh/axes.cpp", 2, kOwnWords},
    {"analyzer/mesh/rank_set.cpp", 2, kText},
    {"analyzer/mpi_check/attributes.cpp", 1, kMpi},
    {"analyzer/mpi_check/call.cpp", 6, kMpi},
    {"analyzer/mpi_check/check.cpp", 18, kMpi},
    {"analyzer/mpi_check/collectives/agreement.cpp", 3, kMpi},
    {"analyzer/mpi_check/collectives/arguments.cpp", 1, kMpi},
    {"analyzer/mpi_check/collectives/calls.cpp", 3, kMpi},
    {"analyzer/mpi_check/collectives/data.cpp", 12, kMpi},
    {"analyzer/mpi_check/collectives/layout.cpp", 2, kMpi},
    {"analyzer/mpi_check/communicators.cpp", 20, kMpi},
    {"analyzer/mpi_check/datatypes.cpp", 2, kMpi},
    {"analyzer/mpi_check/deadlock.cpp", 1, kMpi},
    {"analyzer/mpi_check/engine.cpp", 2, kMpi},
    {"analyzer/mpi_check/files.cpp", 8, kMpi},
    {"analyzer/mpi_check/groups.cpp", 4, kMpi},
    {"analyzer/mpi_check/handles.cpp", 4, kMpi},
    {"analyzer/mpi_check/messages.cpp", 1, kMpi},
    {"analyzer/mpi_check/other.cpp", 2, kMpi},
    {"analyzer/mpi_check/point_to_point.cpp", 10, kMpi},
    {"analyzer/mpi_check/races.cpp", 2, kMpi},
    {"analyzer/mpi_check/threads.cpp", 2, kMpi},
    {"analyzer/mpi_check/topologies.cpp", 2, kMpi},
    {"analyzer/mpi_check/topology_creation.cpp", 4, kMpi},
    {"analyzer/mpi_check/trace.cpp", 4, kMpi},
    {"analyzer/mpi_check/types.cpp", 5, kMpi},
    {"analyzer/mpi_check/window_accesses.cpp", 6, kMpi},
    {"analyzer/mpi_check/window_epochs.cpp", 1, kMpi},
    {"analyzer/mpi_check/windows.cpp", 7, kMpi},
    {"analyzer/product/arguments.cpp", 2, kModelWords},
    {"analyzer/program/run_programs.cpp", 1, kLanguage},
    {"analyzer/project/live_code.cpp", 1, kLanguage},
    {"analyzer/program/test_files.cpp", 6, kText},
    {"analyzer/project/edit.cpp", 1, kLibrary},
    {"analyzer/project/relevance.cpp", 1, kLanguage},
    {"analyzer/resolve/index.cpp", 2, kLanguage},
    {"analyzer/resolve/model_reader.cpp", 30, kNotation},
    {"analyzer/summary/groups.cpp", 1, kOwnWords},
    {"analyzer/summary/names.cpp", 1, kLanguage},
    {"analyzer/variance/beliefs.cpp", 1, kNotation},
    {"rules/collectives/unordered-iteration.cpp", 2, kModelWords},
    {"rules/declarative/matching.cpp", 7, kNotation},
    {"rules/declarative/reader.cpp", 5, kNotation},
    {"rules/dtensor/implicit-redistribute.cpp", 1, kText},
    {"rules/sequence-parallel/degree-world-mismatch.cpp", 1, kLibrary},
    {"rules/wording.cpp", 2, kText},
};

// The constants that hold a word: `constexpr std::string_view kFront = "front"`.
std::set<std::string> constants_in(const std::vector<Line>& sources) {
  static const std::regex kConstant(R"re(\b(k[A-Z]\w*) = "[^"]*[A-Za-z])re");
  std::set<std::string> found;
  for (const Line& line : sources)
    for (std::sregex_iterator at(line.text.begin(), line.text.end(), kConstant), end; at != end; ++at)
      found.insert((*at)[1]);
  return found;
}

// The places where a text is searched for letters, or compared with a word, on either side, or with a constant that
// holds one.
size_t decisions_in(const std::string& line, const std::set<std::string>& constants) {
  static const std::string kWord = R"re("[^"]*[A-Za-z][^"]*")re";
  static const std::string kAsks = R"re((?:\.(?:find|rfind|starts_with|ends_with|contains)\(|[!=]= ))re";
  static const std::regex kOfWord(kAsks + kWord + "|" + kWord + " [!=]="),
      kOfConstant(kAsks + R"re((k[A-Z]\w*)\b|\b(k[A-Z]\w*) [!=]=)re");
  size_t count = 0;
  if (line.find('"') != line.npos)
    count = static_cast<size_t>(std::distance(std::sregex_iterator(line.begin(), line.end(), kOfWord), {}));
  for (std::sregex_iterator at(line.begin(), line.end(), kOfConstant), end; at != end; ++at)
    count += constants.contains((*at)[1]) || constants.contains((*at)[2]);
  return count;
}

std::map<std::string, size_t> decisions_by_file(const std::vector<Line>& sources) {
  const std::set<std::string> constants = constants_in(sources);
  std::map<std::string, size_t> found;
  for (const Line& line : sources)
    if (line.path.starts_with("analyzer/") || line.path.starts_with("rules/"))
      if (const size_t count = decisions_in(line.text, constants)) found[line.path] += count;
  return found;
}

}  // namespace

TEST_CASE(
    "below analyzer/ and rules/ no name is searched for letters or compared with a word, but for what is listed") {
  const std::vector<Line> sources = lines_of_sources(lines_of_repository());
  REQUIRE(sources.size() > 1000);
  CHECK(mistakes_in({std::begin(kDecisionsLeft), std::end(kDecisionsLeft)}, decisions_by_file(sources)) ==
        std::vector<std::string>{});
}

TEST_CASE("a decision by a word in the code is found, a separator and a sign are none") {
  const auto count = [](const std::string& line) { return decisions_in(line, {"kFront"}); };
  CHECK(count("if (name.find(\"group\") != name.npos || name.ends_with(\"Parallel\")) return true;") == 2);
  CHECK(count("return name == \"forward\" || name != \"step\";") == 2);
  CHECK(count("return \"forward\" == name || keys.contains(\"step\");") == 2);
  CHECK(count("return name == kFront || kFront != name || name.starts_with(kFront) || name == kBack;") == 3);
  CHECK(count("if (name.starts_with(\"*.\")) name.remove_prefix(2);") == 0);
  CHECK(count("if (name.starts_with('%')) return;") == 0);
  CHECK(count("text += \"a == \";") == 0);
  CHECK(constants_in({{"a", 1, "constexpr std::string_view kA = \"a\", kB = \"b\", kDot = \".\";"}}) ==
        std::set<std::string>{"kA", "kB"});
  CHECK(decisions_by_file({{"app/x.cpp", 1, "a == \"b\""}}).empty());
}

TEST_CASE("a list of counted files can only shrink") {
  CHECK(mistakes_in({{"a", 2, ""}}, {{"a", 2}}).empty());
  CHECK(mistakes_in({{"a", 2, ""}}, {{"a", 1}}) == std::vector<std::string>{"a: expected 2 places, got 1"});
  CHECK(mistakes_in({{"a", 2, ""}}, {{"a", 3}}).size() == 1);
  CHECK(mistakes_in({}, {{"b", 1}}) == std::vector<std::string>{"b: expected 0 places, got 1"});
  CHECK(mistakes_in({{"a", 2, "why"}}, {}) == std::vector<std::string>{"a: take it off the list (why)"});
}

}  // namespace ranklint::test
