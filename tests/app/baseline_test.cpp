#include <catch2/catch.hpp>

#include "app/baseline/baseline.h"
#include "tests/app/world.h"

using namespace ranklint;
using namespace ranklint::test;
using Catch::Contains;

namespace {

constexpr const char* kFile = "ranklint-baseline.json";

// A folder whose baseline was written when its files held this.
struct Known : World {
  explicit Known(std::initializer_list<std::pair<const char*, const char*>> files) {
    for (const auto& [path, text] : files) folder.write(path, text);
    REQUIRE(run({"baseline", "create"}).status == 0);
  }
};

std::string checked(const World& world, std::vector<std::string> more = {}) {
  std::vector<std::string> args{"check", "--baseline", kFile};
  args.insert(args.end(), more.begin(), more.end());
  const std::string out = world.run(args).out;
  return out.substr(0, out.find("end of report"));
}

}  // namespace

TEST_CASE("what the baseline knows is not told, and is clean") {
  const Known world({{"a.py", "BUG\nLOOP\n"}});
  const Outcome outcome = world.run({"check", "--baseline", kFile});
  CHECK(outcome.status == 0);
  CHECK(outcome.out == "end of report\n");
  CHECK(outcome.log.suppressed == 2);
}

TEST_CASE("a known finding stays known when its line moves") {
  const Known world({{"a.py", "BUG\n"}});
  world.folder.write("a.py", "x = 1\n\n  BUG\n");
  CHECK(checked(world).empty());
}

TEST_CASE("a finding that is like a known one, but one more of them, is new") {
  const Known world({{"a.py", "BUG\n"}});
  world.folder.write("a.py", "BUG\nBUG\n");
  CHECK(checked(world) == "a.py:2:1 RL101 found BUG\n");
}

TEST_CASE("the same finding in another file is new") {
  const Known world({{"a.py", "BUG\n"}});
  world.folder.write("b.py", "BUG\n");
  CHECK(checked(world) == "b.py:1:1 RL101 found BUG\n");
}

TEST_CASE("a check from another folder knows the same findings") {
  Known world({{"src/a.py", "BUG\n"}});
  world.subfolder = "src";
  CHECK(world.run({"check", "--baseline", "../ranklint-baseline.json"}).status == 0);
}

TEST_CASE("the configuration may name the baseline, and a flag leaves it out") {
  const Known world({{"a.py", "BUG\n"}});
  world.folder.write("ranklint.toml", "baseline = \"ranklint-baseline.json\"\n");
  CHECK(world.run({"check"}).status == 0);
  CHECK(world.run({"check", "--no-baseline"}).status == 1);
  CHECK(world.run({"check", "--isolated"}).status == 1);
}

TEST_CASE("what a comment suppresses is not written into the baseline") {
  const Known world({{"a.py", "BUG # ranklint: ignore[RL101] fine\nLOOP\n"}});
  CHECK_THAT(world.folder.read(kFile),
             !Contains("RL101") && !Contains("rank-guarded") && Contains("rank-dependent-loop"));
}

TEST_CASE("update adds what is new, drops what is gone and keeps the reasons") {
  const Known world({{"a.py", "BUG\nLOOP\n"}});
  std::string text = world.folder.read(kFile);
  const size_t loop = text.find("rank-dependent-loop");
  text.replace(text.find("\"reason\": \"\"", loop), 12, "\"reason\": \"one rank\"");
  world.folder.write(kFile, text);
  world.folder.write("a.py", "LOOP\n");
  world.folder.write("b.py", "BUG\n");
  const Outcome outcome = world.run({"baseline", "update"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("2 findings (1 added, 1 dropped, 1 kept)"));
  CHECK_THAT(world.folder.read(kFile), Contains("one rank") && Contains("b.py") && Contains("rank-dependent-loop"));
  CHECK(checked(world).empty());
}

TEST_CASE("prune drops what is gone and adds nothing") {
  const Known world({{"a.py", "BUG\nLOOP\n"}});
  world.folder.write("a.py", "BUG\nBUG\n");
  CHECK_THAT(world.run({"baseline", "prune"}).out, Contains("1 finding (0 added, 1 dropped, 1 kept)"));
  CHECK(checked(world) == "a.py:2:1 RL101 found BUG\n");
}

TEST_CASE("what was not looked for is not dropped") {
  const Known world({{"a.py", "BUG\nLOOP\n"}, {"b.py", "BUG\n"}});
  const std::string before = world.folder.read(kFile);
  CHECK(world.run({"baseline", "prune", "a.py"}).status == 0);
  CHECK(world.run({"baseline", "prune", "--select", "RL101"}).status == 0);
  CHECK(world.run({"baseline", "update", "--min-severity", "error", "--min-confidence", "certain"}).status == 0);
  CHECK(world.folder.read(kFile) == before);
}

TEST_CASE("an entry of a file that is no more is dropped") {
  const Known world({{"a.py", "x\n"}, {"b.py", "BUG\n"}});
  std::filesystem::remove(world.folder.path() + "/b.py");
  CHECK_THAT(world.run({"baseline", "prune"}).out, Contains("0 findings (0 added, 1 dropped"));
}

TEST_CASE("a check says how many entries are no more") {
  const Known world({{"a.py", "BUG\n"}});
  world.folder.write("a.py", "x\n");
  CHECK_THAT(world.run({"check", "--baseline", kFile}).err,
             Contains("1 finding of the baseline is no more; `ranklint baseline prune`"));
  CHECK(world.run({"check", "--baseline", kFile, "--quiet"}).err.empty());
}

TEST_CASE("create does not write over a baseline that is there") {
  const Known world({{"a.py", "BUG\n"}});
  const Outcome again = world.run({"baseline", "create"});
  CHECK(again.status == 2);
  CHECK_THAT(again.err, Contains("ranklint-baseline.json: there is a baseline already; `ranklint baseline update`"));
}

TEST_CASE("a baseline that is missing, cut short or no baseline is an error that names it") {
  const World world;
  world.folder.write("a.py", "BUG\n");
  CHECK_THAT(world.run({"check", "--baseline", "b.json"}).err,
             Contains("b.json: can not read the baseline: no such file"));
  for (const auto& [text, message] : std::map<std::string, std::string>{
           {"{\"ranklint-baseline\": 1,\n \"find", "b.json:2:7: the JSON ends too early"},
           {"{}", "this is no baseline of ranklint"},
           {"[]", "this is no baseline of ranklint"},
           {R"({"ranklint-baseline": 9})", "of another version"},
           {R"({"ranklint-baseline": 1})", "no list `findings`"},
           {R"({"ranklint-baseline": 1, "findings": [3]})", "entry 1 of `findings` is no object"},
           {R"({"ranklint-baseline": 1, "findings": [{"rule": "a"}]})", "entry 1 of `findings` has no `fingerprint`"},
           {R"({"ranklint-baseline": 1, "findings": [{"fingerprint": 3}]})", "has a `fingerprint` that is no text"}}) {
    world.folder.write("b.json", text);
    const Outcome outcome = world.run({"check", "--baseline", "b.json"});
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains("b.json") && Contains(message));
  }
}

TEST_CASE("a printed baseline is read back as it was") {
  const app::Baseline baseline{{{"0123", "rank-guarded-collective", "a.py", "f", "says \"this\"", "a reason"},
                                {"4567", "x", "b.py", "", "m", ""}}};
  const Result<app::Baseline> read = app::read_baseline(app::print_baseline(baseline), "b.json");
  REQUIRE(read);
  CHECK(read.value().entries == baseline.entries);
}

TEST_CASE("baseline without an action says what is possible") {
  const Outcome outcome = World().run({"baseline"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("`ranklint baseline --help`"));
  CHECK_THAT(World().run({"baseline", "--help"}).out, Contains("prune"));
}
