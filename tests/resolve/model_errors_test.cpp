// Malformed model files are refused, by the loader with a message that says where and what, and by the schema.
// The two must agree: editors complete and check by the schema what ranklint then reads.
#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analyzer/resolve/models.h"
#include "tests/support/schema.h"
#include "tests/support/support.h"

using namespace ranklint;

namespace {

bool satisfies_schema(std::string_view text) {
  static const test::JsonSchema schema(
      nlohmann::json::parse(test::read_file(test::source_path("rules/models/schema.json"))));
  return schema.accepts_text(text);
}

Error error_of(std::string_view text) {
  Models models;
  const Result<size_t> added = models.add(text, "mine.json");
  INFO(text);
  REQUIRE_FALSE(added);
  return added.error();
}

struct Malformed {
  std::string_view text;
  std::string_view message;  // a part of it
};

// `model` as the second model of a file.
std::string second(std::string_view model) {
  return R"({"models": [{"name": "f", "kind": "pure"}, )" + std::string(model) + "]}";
}

}  // namespace

TEST_CASE("the built-in files satisfy the schema") {
  for (const std::filesystem::path& path : test::files_below(test::source_path("rules/models"), ".json")) {
    if (path.filename() == "schema.json") continue;
    INFO(path.string());
    CHECK(satisfies_schema(test::read_file(path)));
  }
}

TEST_CASE("a file that is not JSON is refused with the line and column where it stops to be") {
  const Error error = error_of("{\n  \"models\": [\n    {\"name\": \"f\", }\n  ]\n}\n");
  CHECK(error.path == "mine.json");
  CHECK(error.line == 3);
  CHECK(error.column == 19);
  CHECK(error.message == "not valid JSON");
  CHECK(error_of("").line == 1);
  CHECK(error_of("{\"models\": [").line == 1);
}

TEST_CASE("a malformed file is refused with the place and what was expected") {
  const Malformed malformed = GENERATE(values<Malformed>({
      {R"([])", "/: expected an object, found []"},
      {R"({})", "/: expected the key `models` with a list of models"},
      {R"({"models": {}})", "/: expected the key `models` with a list of models"},
      {R"({"model": [], "models": []})", "/model: unknown key; expected one of `$schema`, `library`"},
      {R"({"models": [], "modules": ["a"]})", "/modules: expected an object of modules"},
      {R"({"models": [], "modules": {"a": []}})", "/modules/a: expected a list of names of modules"},
      {R"({"models": [], "prefixes": ["a"]})", "/prefixes: expected an object of what names begin with"},
      {R"({"models": [], "prefixes": {"": ["a"]}})", "/prefixes: expected what names begin with, and not an empty"},
      {R"({"models": [], "prefixes": {"a": []}})", "/prefixes/a: expected a list of what names begin with"},
      {R"({"models": [], "library": 3})", "/library: expected a string that is not empty, found 3"},
      {R"({"models": ["f"]})", "/models/0: expected a model, an object, found \"f\""},
  }));
  CHECK_THAT(error_of(malformed.text).message, Catch::Contains(std::string(malformed.message)));
  CHECK_FALSE(satisfies_schema(malformed.text));
}

TEST_CASE("a malformed model is refused with its name, the place and what was expected") {
  const Malformed malformed = GENERATE(values<Malformed>({
      {R"({"name": "g"})", "/models/1: expected the key `kind`"},
      {R"({"kind": "pure"})", "/models/1: expected the key `name`"},
      {R"({"name": "", "kind": "pure"})", "/models/1/name: expected a qualified name"},
      {R"({"name": "?.a.b", "kind": "pure"})", "/models/1/name: expected a qualified name"},
      {R"({"name": "a.*.b", "kind": "pure"})", "/models/1/name: expected a qualified name"},
      {R"({"name": "a..b", "kind": "pure"})", "/models/1/name: expected a qualified name"},
      {R"({"name": "*.", "kind": "pure"})", "/models/1/name: expected a qualified name"},
      {R"({"name": "g", "kind": "colective"})", "/models/1/kind (model `g`): expected one of `collective`"},
      {R"({"name": "g", "kind": 3})", "/models/1/kind (model `g`): expected one of `collective`"},
      {R"({"name": "g", "kind": "pure", "gruop": "world"})", "/models/1/gruop (model `g`): unknown key"},
      {R"({"name": "g", "kind": "collective"})",
       "/models/1 (model `g`): expected the key `op` in a model of this kind"},
      {R"({"name": "g", "kind": "rank-source"})", "expected the key `axes` in a model of this kind"},
      {R"({"name": "g", "kind": "guard-context", "axes": ["tp"]})", "expected the key `shape`"},
      {R"({"name": "g", "kind": "class"})", "expected the key `instance`"},
      {R"({"name": "g", "kind": "pure", "group": "wrld"})", "/models/1/group (model `g`): expected one of `world`"},
      {R"({"name": "g", "kind": "pure", "group": {"otherwise": "wrld"}})", "/models/1/group/otherwise (model `g`)"},
      {R"({"name": "g", "kind": "pure", "group": {"keyword": "g"}})",
       "/models/1/group/keyword (model `g`): unknown key"},
      {R"({"name": "g", "kind": "pure", "group": {"otherwise": "world", "axes": ["tp"]}})", "not both"},
      {R"({"name": "g", "kind": "pure", "group": {"axes": []}})",
       "/models/1/group/axes (model `g`): expected a list of axes"},
      {R"({"name": "g", "kind": "pure", "axes": ["TP"]})", "/models/1/axes/0 (model `g`): expected one of axes"},
      {R"({"name": "g", "kind": "pure", "axes": "tp"})", "/models/1/axes (model `g`): expected a list of axes"},
      {R"({"name": "g", "kind": "pure", "root": ["src", 1]})", "/models/1/root (model `g`): expected an argument"},
      {R"({"name": "g", "kind": "pure", "root": [1]})", "/models/1/root (model `g`): expected an argument"},
      {R"({"name": "g", "kind": "pure", "root": -1})", "/models/1/root (model `g`): expected an argument"},
      {R"({"name": "g", "kind": "pure", "root": 256})", "/models/1/root (model `g`): expected an argument"},
      {R"({"name": "g", "kind": "pure", "implicit": "yes"})",
       "/models/1/implicit (model `g`): expected `true` or `false`"},
      {R"({"name": "g", "kind": "pure", "when": []})", "/models/1/when (model `g`): expected a list of conditions"},
      {R"({"name": "g", "kind": "pure", "when": [{"equals": "true"}]})",
       "/models/1/when/0 (model `g`): expected the key"},
      {R"({"name": "g", "kind": "pure", "when": [{"argument": "a"}]})", "expected either `equals` or `not_equals`"},
      {R"({"name": "g", "kind": "pure", "when": [{"equals": "true", "made_with": {"b": "1"}}]})",
       "expected `made_with` and `maker` together"},
      {R"({"name": "g", "kind": "pure", "when": [{"argument": "a", "equals": "true", "maker": "C", "made_with": "b"}]})",
       "/models/1/when/0/made_with (model `g`): expected keywords"},
      {R"({"name": "g", "kind": "pure", "shape": "first"})", "/models/1/shape (model `g`): expected one of"},
      {R"({"name": "g", "kind": "pure", "predicate": "second"})", "/models/1/predicate (model `g`): expected one of"},
      {R"({"name": "g", "kind": "pure", "direction": "both"})", "/models/1/direction (model `g`): expected one of"},
      {R"({"name": "g", "kind": "pure", "confidence": "sure"})", "/models/1/confidence (model `g`): expected one of"},
      {R"({"name": "g", "kind": "pure", "aliases": ["a b"]})", "/models/1/aliases/0 (model `g`)"},
      {R"({"name": "g", "kind": "pure", "note": ""})", "/models/1/note (model `g`): expected a string"},
  }));
  const std::string text = second(malformed.text);
  CHECK_THAT(error_of(text).message, Catch::Contains(std::string(malformed.message)));
  CHECK_FALSE(satisfies_schema(text));
}

TEST_CASE("what an error shows of a large value is short") {
  const std::string many = R"({"models": [{"name": "g", "kind": ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]}]})";
  CHECK_THAT(error_of(many).message, Catch::Contains("found array of 10"));
}

TEST_CASE("a deeply nested file is read to its end or refused, and nothing worse") {
  Models models;
  CHECK_FALSE(models.add(std::string(200000, '['), "deep.json"));
  CHECK_FALSE(models.add(std::string(100000, '[') + std::string(100000, ']'), "deep.json"));
}
