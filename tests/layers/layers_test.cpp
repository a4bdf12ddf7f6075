// Holds the sources to docs/architecture.md: which folder may include which, and what each layer does without.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layers/sources.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

// A folder may include itself, the folders named beside it, and whatever those may include.
struct Layer {
  std::string_view folder;
  std::vector<std::string_view> may_include;
};

const std::vector<Layer>& layers() {
  static const std::vector<Layer> kLayers = {
      {"analyzer/base", {}},
      {"analyzer/mesh", {"analyzer/base"}},
      {"analyzer/ir", {"analyzer/base"}},
      {"analyzer/machine", {"analyzer/base"}},
      {"analyzer/mpi_check", {"analyzer/machine"}},
      {"analyzer/flow", {"analyzer/ir"}},
      {"analyzer/resolve", {"analyzer/ir", "analyzer/flow", "analyzer/mesh"}},
      {"analyzer/evidence", {"analyzer/resolve"}},
      {"analyzer/variance", {"analyzer/resolve", "analyzer/flow", "analyzer/mesh"}},
      {"analyzer/program", {"analyzer/variance"}},
      {"analyzer/summary", {"analyzer/program", "analyzer/evidence"}},
      {"analyzer/interp", {"analyzer/summary"}},
      {"analyzer/questions", {"analyzer/summary"}},
      {"analyzer/execution", {"analyzer/questions"}},
      {"analyzer/doubts", {"analyzer/execution"}},
      {"analyzer/messages", {"analyzer/execution"}},
      {"analyzer/product", {"analyzer/doubts"}},
      {"analyzer/project", {"analyzer/interp", "analyzer/product", "analyzer/messages", "analyzer/mpi_check"}},
      {"frontends/cpp", {"analyzer/ir", "analyzer/machine"}},
      {"frontends/launchers", {"analyzer/ir"}},
      {"frontends/requirements", {"analyzer/ir"}},
      {"frontends/python", {"analyzer/ir"}},
      {"rules", {"analyzer/project"}},
      {"runtime/base", {}},
      {"runtime/group", {"runtime/base"}},
      {"runtime/mpi", {"runtime/group"}},
      {"runtime/attention", {"runtime/group"}},
      {"runtime/sharded", {"runtime/group"}},
      {"runtime/loader", {"runtime/sharded"}},
      {"app", {"rules", "frontends/python", "frontends/cpp", "frontends/launchers", "frontends/requirements"}},
      {"app/verify", {"app", "runtime/attention", "runtime/sharded", "runtime/loader"}},
  };
  return kLayers;
}

bool lies_in(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && path.substr(folder.size()).starts_with('/');
}

// The layer a file lies in: the longest folder of the table that holds it; null for a file outside of it.
const Layer* layer_of(std::string_view path) {
  const Layer* best = nullptr;
  for (const Layer& layer : layers())
    if (lies_in(path, layer.folder) && (!best || layer.folder.size() > best->folder.size())) best = &layer;
  return best;
}

const Layer* find_layer(std::string_view folder) {
  const auto found = std::find_if(layers().begin(), layers().end(), [&](const Layer& l) { return l.folder == folder; });
  return found == layers().end() ? nullptr : &*found;
}

// Ends because the table has no circle (a test of its own).
bool may_include(const Layer& from, const Layer& to) {
  if (&from == &to) return true;
  return std::any_of(from.may_include.begin(), from.may_include.end(),
                     [&](std::string_view folder) { return may_include(*find_layer(folder), to); });
}

// The rest of app/ may speak to the bridge, but not walk over it.
bool may_include_file(std::string_view from, std::string_view to) {
  const Layer* target = layer_of(to);
  const Layer* source = layer_of(from);
  if (!source || !target) return false;
  if (source->folder == "app" && target->folder == "app/verify") return true;
  return may_include(*source, *target);
}

std::vector<std::string> bad_includes(const std::vector<Line>& sources) {
  std::vector<std::string> bad;
  for (const Line& line : sources) {
    const std::string_view name = included(line.text);
    if (!name.starts_with('"')) continue;
    if (!may_include_file(line.path, name.substr(1, name.size() - 2))) bad.push_back(describe(line));
  }
  return bad;
}

// What only some places may do. A place is the beginning of a path.
struct Reserve {
  std::string_view what;
  std::string_view pattern;
  std::vector<std::string_view> places;
};

const Reserve& printing() {
  static const Reserve kPrinting = {
      "only app/ and what runs a program print",
      "<iostream>|\\b(printf|fprintf|puts|fputs|putchar)\\(|std::(cout|cerr|clog)\\b",
      {"app/", "analyzer/base/contain.cpp", "analyzer/resolve/embedding/main.cpp", "runtime/group/program.cpp",
       "runtime/group/threads/run_world.cpp", "runtime/mpi/"}};
  return kPrinting;
}

const std::vector<Reserve>& reserves() {
  static const std::vector<Reserve> kReserves = {
      {"tree-sitter is the Python frontend's", "^#include .tree_sitter/", {"frontends/python/"}},
      {"YAML is read by the frontends of launchers and requirements",
       "^#include .yaml-cpp/",
       {"frontends/launchers/", "frontends/requirements/"}},
      {"Clang is the C++ frontend's", "^#include .(clang|llvm)/", {"frontends/cpp/"}},
      {"JSON is read by the loaders of models and rules, the safetensors header and app/",
       "^#include .(nlohmann/|analyzer/resolve/model_json)",
       {"analyzer/resolve/model", "rules/declarative/reader", "runtime/loader/", "app/"}},
      {"TOML is read by app/ and the frontend of requirements",
       "^#include .(toml|analyzer/base/toml)",
       {"app/", "frontends/requirements/", "analyzer/base/toml.h"}},
      {"an analysis asks for conventions (ir::Convention), not for a language",
       "\\blanguage *[!=]= *\"",
       {"app/", "frontends/"}},
      printing(),
      {"only app/ reads the environment, and what asks whether an mpirun started it",
       "\\bgetenv\\(",
       {"app/", "runtime/mpi/session.cpp"}},
  };
  return kReserves;
}

std::vector<std::string> trespasses(const Reserve& reserve, const std::vector<Line>& sources) {
  const std::regex pattern{std::string(reserve.pattern)};
  std::vector<std::string> found;
  for (const Line& line : sources) {
    const bool at_home = std::any_of(reserve.places.begin(), reserve.places.end(),
                                     [&](std::string_view place) { return line.path.starts_with(place); });
    if (!at_home && std::regex_search(line.text, pattern)) found.push_back(describe(line));
  }
  return found;
}

// As the page names it in its last column: "ir", "frontends", "runtime".
std::string short_name(std::string_view folder) {
  for (const std::string_view whole : {"frontends", "runtime"})
    if (folder.starts_with(whole)) return std::string(whole);
  return std::string(folder.starts_with("analyzer/") ? folder.substr(folder.find('/') + 1) : folder);
}

// The table of docs/architecture.md: what each folder may include, in the order of the alphabet.
std::map<std::string, std::string> included_by_page() {
  static const std::regex kRow("\\| `([a-z_/]+)/` \\|.*\\| ([^|]*) \\|");
  std::map<std::string, std::string> said;
  std::ifstream page(source_path("docs/architecture.md"));
  for (std::string line; std::getline(page, line);) {
    std::smatch row;
    if (!std::regex_match(line, row, kRow)) continue;
    std::set<std::string> folders;
    std::stringstream list(row[2].str());
    for (std::string folder; std::getline(list, folder, ',');)
      folders.insert(folder.substr(folder.find_first_not_of(' ')));
    std::string& all = said[row[1]];
    for (const std::string& folder : folders)
      if (folder != "–") all += (all.empty() ? "" : ", ") + folder;
  }
  return said;
}

// Written in halves, so that this file does not name them either.
const std::array<std::string, 5> kForeignNames = {std::string("/wo") + "rk/", std::string("registry.") + "npm",
                                                  std::string("pypi.") + "org", std::string("python") + "hosted",
                                                  std::string("deb.") + "debian"};

}  // namespace

TEST_CASE("a layer may include what the layers it names may include") {
  CHECK(may_include_file("analyzer/summary/summary.h", "analyzer/ir/ir.h"));
  CHECK(may_include_file("rules/collectives/x.cpp", "rules/rule.h"));
  CHECK(may_include_file("app/verify/world.cpp", "runtime/group/group.h"));
  CHECK_FALSE(may_include_file("app/cli/run.cpp", "runtime/group/group.h"));
  CHECK_FALSE(may_include_file("analyzer/ir/ir.h", "analyzer/flow/graph.h"));
  CHECK_FALSE(may_include_file("rules/collectives/x.cpp", "frontends/python/frontend.h"));
  CHECK_FALSE(may_include_file("runtime/group/group.h", "analyzer/base/ids.h"));
  CHECK_FALSE(may_include_file("analyzer/ir/ir.h", "vendor/thing.h"));
}

TEST_CASE("the table of layers names only layers above") {
  for (size_t i = 0; i < layers().size(); ++i)
    for (std::string_view folder : layers()[i].may_include) {
      INFO(layers()[i].folder << " names " << folder);
      const Layer* named = find_layer(folder);
      REQUIRE(named);
      CHECK(named < &layers()[i]);
    }
}

TEST_CASE("the page says which folder may include which") {
  const std::map<std::string, std::string> said = included_by_page();
  for (const Layer& layer : layers()) {
    if (layer.folder.starts_with("runtime/")) continue;  // one row for all of it
    INFO(layer.folder);
    std::set<std::string> folders;
    for (const std::string_view folder : layer.may_include) folders.insert(short_name(folder));
    std::string expected;
    for (const std::string& folder : folders) expected += (expected.empty() ? "" : ", ") + folder;
    const auto row = said.find(std::string(layer.folder));
    REQUIRE(row != said.end());
    CHECK(row->second == expected);
  }
}

TEST_CASE("every #include keeps to the table of layers") {
  const std::vector<Line> sources = lines_of_sources(lines_of_repository());
  REQUIRE(sources.size() > 1000);
  CHECK(bad_includes(sources) == std::vector<std::string>{});
}

TEST_CASE("an #include against the arrows is found") {
  const std::vector<Line> sources = {{"analyzer/ir/ir.h", 3, "#include \"rules/rule.h\""},
                                     {"analyzer/ir/ir.h", 4, "#include \"analyzer/base/ids.h\""}};
  CHECK(bad_includes(sources) == std::vector<std::string>{"analyzer/ir/ir.h:3: #include \"rules/rule.h\""});
}

TEST_CASE("what is reserved for a layer stays in it") {
  const std::vector<Line> sources = lines_of_sources(lines_of_repository());
  for (const Reserve& reserve : reserves()) {
    INFO(reserve.what);
    CHECK(trespasses(reserve, sources) == std::vector<std::string>{});
  }
}

TEST_CASE("printing into a buffer is not printing") {
  CHECK(trespasses(printing(), {{"rules/x.cpp", 1, "std::snprintf(buffer, n, text);"}}).empty());
  CHECK(trespasses(printing(), {{"app/cli/x.cpp", 1, "std::printf(text);"}}).empty());
  CHECK(trespasses(printing(), {{"rules/x.cpp", 1, "std::printf(text);"}}).size() == 1);
}

TEST_CASE("no file names a path of one machine or a package registry's host") {
  std::vector<std::string> found;
  for (const Line& line : lines_of_repository())
    for (const std::string& name : kForeignNames)
      if (line.text.find(name) != std::string::npos) found.push_back(describe(line));
  CHECK(found == std::vector<std::string>{});
}

TEST_CASE("a rule that reads what the search for messages finds says so, and no other") {
  std::set<std::string> reads, says;
  for (const Line& line : lines_of_sources(lines_of_repository())) {
    if (!line.path.starts_with("rules/")) continue;
    if (line.text.find("shared.messages") != std::string::npos) reads.insert(line.path);
    if (line.text.find(".reads_messages = true") != std::string::npos) says.insert(line.path);
  }
  CHECK_FALSE(reads.empty());
  CHECK(reads == says);
}

}  // namespace ranklint::test
