// What decides about a name is data: a role or a model of the function (rules/models/*.json), a meaning of names
// (rules/models/names.json), or a value that is asked. Code that searches a name for letters, or compares one with a
// word that stands in the code, knows a library or a habit of naming that no user can add to. What did so when this was
// written is listed, may not do so more often, and its number goes down when it does so less often.
#include <catch2/catch.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
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
    {"analyzer/interp/function_run_calls.cpp", 2, kMethods},
    {"analyzer/interp/function_run_models.cpp", 5, kModelWords},
    {"analyzer/interp/selections.cpp", 1, kMethods},
    {"analyzer/interp/passed_rank.cpp", 1, kNames},
    {"analyzer/ir/verify_function.cpp", 2, kNotation},
    {"analyzer/ir/words.cpp", 7, kNotation},
    {"analyzer/machine/library.cpp", 3, kC},
    {"analyzer/machine/link.cpp", 2, kC},
    {"analyzer/machine/machine.cpp", 6, kC},
    {"analyzer/machine/string_functions.cpp", 13, kC},
    {"analyzer/mesh/axes.cpp", 2, kOwnWords},
    {"analyzer/mesh/rank_set.cpp", 2, kText},
    {"analyzer/product/arguments.cpp", 2, kModelWords},
    {"analyzer/program/test_files.cpp", 6, kText},
    {"analyzer/project/edit.cpp", 1, kLibrary},
    {"analyzer/project/relevance.cpp", 1, kLanguage},
    {"analyzer/resolve/index.cpp", 2, kLanguage},
    {"analyzer/summary/groups.cpp", 1, kNames},
    {"analyzer/summary/names.cpp", 1, kLanguage},
    {"analyzer/variance/beliefs.cpp", 1, kNames},
    {"analyzer/mpi_check/attributes.cpp", 1, kMpi},
    {"analyzer/mpi_check/call.cpp", 6, kMpi},
    {"analyzer/mpi_check/collectives/data.cpp", 11, kMpi},
    {"analyzer/mpi_check/check.cpp", 17, kMpi},
    {"analyzer/mpi_check/collectives/calls.cpp", 3, kMpi},
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
    {"rules/collectives/divergent-shape.cpp", 2, kLibrary},
    {"rules/collectives/unordered-iteration.cpp", 2, kModelWords},
    {"rules/declarative/matching.cpp", 8, kNotation},
    {"rules/declarative/reader.cpp", 2, kNotation},
    {"rules/dtensor/implicit-redistribute.cpp", 1, kText},
    {"rules/sequence-parallel/degree-world-mismatch.cpp", 1, kLibrary},
    {"rules/wording.cpp", 2, kText},
};

// The places where a text is searched for letters, or compared with a word.
size_t decisions_in(const std::string& line) {
  static const std::regex kDecides(R"re((?:\.(?:find|rfind|starts_with|ends_with)\(|[!=]= )"[^"]*[A-Za-z][^"]*")re");
  if (line.find('"') == line.npos) return 0;
  return static_cast<size_t>(std::distance(std::sregex_iterator(line.begin(), line.end(), kDecides), {}));
}

std::map<std::string, size_t> decisions_by_file(const std::vector<Line>& sources) {
  std::map<std::string, size_t> found;
  for (const Line& line : sources)
    if (line.path.starts_with("analyzer/") || line.path.starts_with("rules/"))
      if (const size_t count = decisions_in(line.text)) found[line.path] += count;
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
  CHECK(decisions_in("if (name.find(\"group\") != name.npos || name.ends_with(\"Parallel\")) return true;") == 2);
  CHECK(decisions_in("return name == \"forward\" || name != \"step\";") == 2);
  CHECK(decisions_in("if (name.starts_with(\"*.\")) name.remove_prefix(2);") == 0);
  CHECK(decisions_in("if (name.starts_with('%')) return;") == 0);
  CHECK(decisions_in("text += \"a == \";") == 0);
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
