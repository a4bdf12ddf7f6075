// `ranklint config`, and the schema of the configuration held against what reads it.
#include <catch2/catch.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analyzer/base/toml.h"
#include "app/config/config.h"
#include "app/config/schema.h"
#include "app/report/format_names.h"
#include "tests/app/world.h"
#include "tests/support/schema.h"

using namespace ranklint;
using namespace ranklint::test;
using Catch::Contains;

namespace {

using Json = nlohmann::json;

const Json& schema_text() {
  static const Json kText = Json::parse(app::config_schema());
  return kText;
}

const JsonSchema& schema() {
  static const JsonSchema kSchema(schema_text());
  return kSchema;
}

Json json_of(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    Json out = Json::object();
    for (const auto& [key, value] : *table) out[std::string(key.str())] = json_of(value);
    return out;
  }
  if (const auto* array = node.as_array()) {
    Json out = Json::array();
    for (const toml::node& element : *array) out.push_back(json_of(element));
    return out;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* number = node.as_integer()) return number->get();
  return nullptr;
}

bool satisfies_schema(const std::string& text) {
  const toml::parse_result parsed = toml::parse(text);
  REQUIRE_FALSE(parsed.failed());
  return schema().accepts(json_of(parsed.table()));
}

bool is_read(const std::string& text) {
  return app::parse_config(text, "/project/ranklint.toml", "ranklint.toml", fake_rules()).has_value();
}

}  // namespace

TEST_CASE("the schema has the keys that are read, and no others") {
  for (const auto& [key, about] : schema_text()["properties"].items()) {
    INFO(key);
    CHECK_FALSE(about["description"].get<std::string>().empty());
    CHECK_FALSE(about["examples"].empty());
    const auto config = app::parse_config(key + " = 5\n", "/ranklint.toml", "ranklint.toml", fake_rules());
    REQUIRE_FALSE(config);
    CHECK(config.error().message.find("unknown key") == std::string::npos);
    CHECK_FALSE(satisfies_schema(key + " = 5\n"));
  }
  const std::string all = World().run({"config", "explain", "nothing"}).err;
  CHECK_THAT(all, Contains("there is no key `nothing`"));
}

TEST_CASE("the reader knows no key that the schema lacks") {
  const auto unknown = app::parse_config("zzzzzzzzzzzz = 1\n", "/ranklint.toml", "ranklint.toml", fake_rules());
  CHECK_THAT(unknown.error().message, Contains("unknown key"));
  std::vector<std::string> of_schema;
  for (const auto& [key, about] : schema_text()["properties"].items()) of_schema.push_back(key);
  std::sort(of_schema.begin(), of_schema.end());
  CHECK(app::config_keys() == of_schema);
}

TEST_CASE("the schema takes what the reader takes and refuses what it refuses") {
  for (const char* text : {"",
                           "select = [\"RL1\"]",
                           "select = [\"all\"]",
                           "ignore = [\"rank-dependent-loop\"]",
                           "select = [\"x y\"]",
                           "select = \"RL1\"",
                           "select = [1]",
                           "min-severity = \"info\"",
                           "min-severity = \"bad\"",
                           "min-severity = 1",
                           "min-confidence = \"certain\"",
                           "min-confidence = \"sure\"",
                           "respect-gitignore = false",
                           "respect-gitignore = \"no\"",
                           "exclude = []",
                           "exclude = [\"a/\"]",
                           "exclude = [true]",
                           "exclude = \"a\"",
                           "src = [\"lib\"]",
                           "roots = [\"lib\"]",
                           "models = [\"a.json\"]",
                           "rules = [\"a.json\"]",
                           "rules = {}",
                           "baseline = \"b.json\"",
                           "baseline = [\"b.json\"]",
                           "compile-commands = \"out\"",
                           "compile-commands = 1",
                           "[per-file-ignores]\n\"tests/\" = [\"RL1\"]",
                           "[per-file-ignores]\n\"tests/\" = \"RL1\"",
                           "per-file-ignores = []",
                           "selct = []",
                           "[tool.ranklint]"}) {
    INFO(text);
    CHECK(satisfies_schema(text) == is_read(text));
  }
  for (const auto& [name, format] : kFormatNames) {
    const std::string text = "output-format = \"" + std::string(name) + "\"";
    CHECK(satisfies_schema(text));
    CHECK(is_read(text));
  }
}

TEST_CASE("the examples of the schema are read, and its defaults are those of a run") {
  const auto& keys = schema_text()["properties"];
  REQUIRE_FALSE(keys.empty());
  const Json now = Json::parse(World().run({"config", "--json"}).out);
  for (const auto& [key, about] : keys.items()) {
    for (const Json& value : about["examples"]) CHECK(schema().accepts(Json{{key, value}}));
    if (key == "roots") continue;
    INFO(key);
    CHECK(now[key]["source"] == "default");
    CHECK(now[key]["value"] == about.value("default", Json()));
  }
}

TEST_CASE("each value is told with who said it") {
  const World world;
  world.folder.write("ranklint.toml",
                     "ignore = [\"RL104\"]\nmin-severity = \"info\"\n  baseline = "
                     "\"sub/b.json\"\n[per-file-ignores]\n\"gen/\" = [\"RL1\"]\n");
  const std::string text = world.run({"config", "--ignore", "RL116", "--min-severity=error", "--models", "m.json"}).out;
  CHECK_THAT(text, Contains("# the configuration file is ranklint.toml\n"));
  CHECK_THAT(text, Contains("ignore = [\"RL104\", \"RL116\"]           # ranklint.toml:1:1, --ignore\n"));
  CHECK_THAT(text, Contains("min-severity = \"error\"                # --min-severity\n"));
  CHECK_THAT(text, Contains("baseline = \"sub/b.json\"               # ranklint.toml:3:3\n"));
  CHECK_THAT(text, Contains("models = [\"m.json\"]                   # --models\n"));
  CHECK_THAT(text, Contains("min-confidence = \"likely\"             # default\n"));
  CHECK_THAT(text, Contains("# select is not set"));
  CHECK_THAT(text, Contains("[per-file-ignores]                    # ranklint.toml:4:2\n\"gen/\" = [\"RL1\"]\n"));
  CHECK_THAT(world.run({"config", "--no-baseline"}).out,
             Contains("# baseline is not set                 # --no-baseline\n"));
}

TEST_CASE("what is shown is a configuration that says the same") {
  const World world;
  world.folder.write(
      "ranklint.toml",
      "select = [\"ALL\"]\nextend-exclude = [\"a\\\"b\\\\c\", \"ü\"]\n[per-file-ignores]\n\"gen/\" = [\"RL1\"]\n");
  const std::string first = world.run({"config"}).out;
  world.folder.write("ranklint.toml", first);
  const auto value_of = [](const std::string& out) {
    Json values = Json::parse(out);
    for (auto& [key, entry] : values.items()) entry.erase("source");
    return values;
  };
  const World same;
  same.folder.write("ranklint.toml", first);
  world.folder.write(
      "ranklint.toml",
      "select = [\"ALL\"]\nextend-exclude = [\"a\\\"b\\\\c\", \"ü\"]\n[per-file-ignores]\n\"gen/\" = [\"RL1\"]\n");
  CHECK(value_of(world.run({"config", "--json"}).out) == value_of(same.run({"config", "--json"}).out));
}

TEST_CASE("a key is explained with what it is here, and a mistaken one with the one that was meant") {
  const World world;
  world.folder.write("ranklint.toml", "min-severity = \"info\"\n");
  const std::string text = world.run({"config", "explain", "min-severity"}).out;
  CHECK_THAT(text, Contains("min-severity: one of info, warning, error\n"));
  CHECK_THAT(text, Contains("    min-severity = \"error\"\n"));
  CHECK_THAT(text, Contains("default: \"warning\"\nflag:    --min-severity\nhere:    \"info\" (ranklint.toml:1:1)\n"));
  const Outcome wrong = world.run({"config", "explain", "severity"});
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, Contains("there is no key `severity`"));
}

TEST_CASE("a broken configuration is told where it is broken") {
  const World world;
  world.folder.write("ranklint.toml", "min-severity = \"loud\"\n");
  const Outcome outcome = world.run({"config"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("ranklint.toml:1:16: `loud` is no value of `min-severity`"));
}

TEST_CASE("the schema is written as it is checked in") {
  CHECK(World().run({"config", "schema"}).out == app::config_schema());
}
