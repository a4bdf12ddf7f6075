#include <catch2/catch.hpp>

#include "app/config/config.h"
#include "app/config/selectors.h"
#include "tests/app/world.h"

using namespace ranklint;
using namespace ranklint::test;
using Catch::Contains;

namespace {

Result<app::Config> parse(std::string_view text) {
  return app::parse_config(text, "/project/ranklint.toml", "ranklint.toml", fake_rules());
}

std::string place_of(const Error& error) {
  return error.path + ":" + std::to_string(error.line) + ":" + std::to_string(error.column);
}

}  // namespace

TEST_CASE("every key of the configuration is read") {
  Result<app::Config> config = parse(R"(
select = ["RL1"]
ignore = ["rank-dependent-loop"]
min-severity = "info"
min-confidence = "high"
exclude = ["a"]
extend-exclude = ["b"]
respect-gitignore = false
models = ["models/ours.json"]
output-format = "sarif"
src = ["lib"]
[per-file-ignores]
"tests/" = ["ALL"]
)");
  REQUIRE(config);
  CHECK(config->select == std::vector<std::string>{"RL1"});
  CHECK(config->ignore == std::vector<std::string>{"rank-dependent-loop"});
  CHECK(config->min_severity == Severity::Info);
  CHECK(config->min_confidence == Confidence::High);
  CHECK(config->exclude == std::vector<std::string>{"a"});
  CHECK(config->extend_exclude == std::vector<std::string>{"b"});
  CHECK(config->respect_gitignore == false);
  CHECK(config->models == std::vector<std::string>{"/project/models/ours.json"});
  CHECK(config->output_format == OutputFormat::Sarif);
  CHECK(config->src == std::vector<std::string>{"/project/lib"});
  CHECK(config->per_file_ignores.size() == 1);
}

TEST_CASE("an unknown key is an error that knows the key that was meant") {
  const auto config = parse("\nselct = []\n");
  REQUIRE_FALSE(config);
  CHECK(place_of(config.error()) == "ranklint.toml:2:1");
  CHECK(config.error().message == "unknown key `selct`; did you mean `select`?");
}

TEST_CASE("a mistake in a value is placed at the value") {
  CHECK(place_of(parse("select = [\"RL101\", \"RL7\"]").error()) == "ranklint.toml:1:20");
  CHECK_THAT(parse("min-severity = \"bad\"").error().message, Contains("one of info warning error"));
  CHECK_THAT(parse("select = \"RL1\"").error().message, Contains("must be a list of strings"));
  CHECK_THAT(parse("select = [1]").error().message, Contains("must be a string"));
  CHECK_THAT(parse("respect-gitignore = 1").error().message, Contains("true or false"));
  CHECK_THAT(parse("per-file-ignores = []").error().message, Contains("must be a table"));
  CHECK_THAT(parse("output-format = \"xml\"").error().message, Contains("sarif"));
}

TEST_CASE("a file that is no TOML is an error with its place") {
  const auto config = parse("select = [\n");
  REQUIRE_FALSE(config);
  CHECK(config.error().line >= 1);
  CHECK(config.error().path == "ranklint.toml");
}

TEST_CASE("a configuration error ends the run with 2 and tells its place") {
  const World world;
  world.folder.write("ranklint.toml", "ignroe = []\n");
  const Outcome outcome = world.run({"check"});
  CHECK(outcome.status == 2);
  CHECK(outcome.err == "ranklint: ranklint.toml:1:1: unknown key `ignroe`; did you mean `ignore`?\n");
}

TEST_CASE("the nearest configuration upwards from the first path counts") {
  const World world;
  world.folder.write("ranklint.toml", "ignore = [\"RL101\"]\n");
  world.folder.write("pkg/a.py", "BUG\n");
  CHECK(world.run({"check", "pkg/a.py"}).status == 0);
  world.folder.write("pkg/pyproject.toml", "[tool.other]\n");  // does not speak of us
  CHECK(world.run({"check", "pkg/a.py"}).status == 0);
  world.folder.write("pkg/pyproject.toml", "[tool.ranklint]\n");
  CHECK(world.run({"check", "pkg/a.py"}).status == 1);
}

TEST_CASE("a run with --isolated reads no configuration, with --config a named one") {
  const World world;
  world.folder.write("ranklint.toml", "ignore = [\"RL101\"]\n");
  world.folder.write("other/settings.toml", "ignore = [\"RL104\"]\n");
  world.folder.write("a.py", "BUG\n");
  CHECK(world.run({"check"}).status == 0);
  CHECK(world.run({"check", "--isolated"}).status == 1);
  CHECK(world.run({"check", "--config", "other/settings.toml"}).status == 1);
  CHECK(world.run({"check", "--config", "missing.toml"}).status == 2);
}

TEST_CASE("flags win over the configuration, and --ignore adds to it") {
  const World world;
  world.folder.write("ranklint.toml", "select = [\"RL104\"]\nmin-confidence = \"certain\"\noutput-format = \"json\"\n");
  world.folder.write("a.py", "BUG\nMAYBE\n");
  CHECK(world.run({"check"}).status == 0);
  CHECK(world.run({"check"}).log.format == OutputFormat::Json);
  CHECK(world.run({"check", "--output-format", "full"}).log.format == OutputFormat::Full);
  CHECK_THAT(world.run({"check", "--select", "RL101"}).out, !Contains("MAYBE"));
  CHECK_THAT(world.run({"check", "--select", "RL101", "--min-confidence", "possible"}).out, Contains("MAYBE"));
}

TEST_CASE("rules are ignored per file, by patterns from the configuration's folder") {
  World world;
  world.folder.write("ranklint.toml", "[per-file-ignores]\n\"tests/\" = [\"RL101\"]\n\"*_gen.py\" = [\"ALL\"]\n");
  for (const char* name : {"tests/deep/a.py", "src/a.py", "src/b_gen.py"}) world.folder.write(name, "BUG\nLOOP\n");
  const std::string expected =
      "src/a.py:1:1 RL101 found BUG\nsrc/a.py:2:1 RL104 found LOOP\ntests/deep/a.py:2:1 RL104 found LOOP\nend of "
      "report\n";
  CHECK(world.run({"check"}).out == expected);
  world.subfolder = "tests/deep";
  CHECK(world.run({"check"}).out == "a.py:2:1 RL104 found LOOP\nend of report\n");
}

TEST_CASE("source roots are read but not reported") {
  const World world;
  world.folder.write("ranklint.toml", "src = [\"lib\"]\n");
  world.folder.write("lib/helper.py", "BUG  # ranklint: ignore[RL104]\nSYNTAX\n");
  world.folder.write("train/a.py", "fine\n");
  const Outcome outcome = world.run({"check", "train", "--min-severity", "info"});
  CHECK(outcome.status == 0);
  CHECK(outcome.log.read_paths == std::vector<std::string>{"lib/helper.py", "train/a.py"});
  CHECK(outcome.log.reported_paths == std::vector<std::string>{"train/a.py"});
}

TEST_CASE("a folder that a flag names is read besides, and what is named as a path is reported") {
  const World world;
  world.folder.write("a.py", "BUG\n");
  world.folder.write("b.py", "BUG\n");
  const Outcome outcome = world.run({"check", "--src", ".", "a.py"});
  CHECK(outcome.out == "a.py:1:1 RL101 found BUG\nend of report\n");
  CHECK(outcome.log.read_paths == std::vector<std::string>{"a.py", "b.py"});
  CHECK(outcome.log.reported_paths == std::vector<std::string>{"a.py"});
}

TEST_CASE("the nearest word is found only when it is near") {
  const std::vector<std::string> words{"select", "ignore"};
  CHECK(app::nearest("selects", words) == "select");
  CHECK_FALSE(app::nearest("banana", words).has_value());
  CHECK_FALSE(app::nearest("", words).has_value());
}

TEST_CASE("a configuration that lies below and does not hold is told") {
  const World world;
  world.folder.write("a/ranklint.toml", "ignore = [\"RL101\"]\n");
  world.folder.write("a/x.py", "BUG\n");
  world.folder.write("b/ranklint.toml", "ignore = [\"RL104\"]\n");
  world.folder.write("b/x.py", "LOOP\n");
  CHECK_THAT(world.run({"check", "a", "b"}).err,
             Catch::Contains("b/ranklint.toml: not used, a/ranklint.toml holds for all"));
  CHECK_THAT(world.run({"check"}).err,
             Catch::Contains("a/ranklint.toml: not used") && Catch::Contains("b/ranklint.toml: not used"));
  CHECK(world.run({"check", "b"}).err.empty());
  CHECK(world.run({"check", "--isolated"}).err.empty());
}

TEST_CASE("the table of pyproject.toml in a file of its own is told as that") {
  const World world;
  world.folder.write("ranklint.toml", "[tool.ranklint]\nignore = []\n");
  CHECK_THAT(world.run({"check"}).err,
             Catch::Contains("unknown key `tool`; the table [tool.ranklint] is for pyproject.toml"));
}
