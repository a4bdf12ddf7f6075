// What a check keeps for the next one, with the engine of world.h: when it is used, and when it is not.
#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "app/check/record_packing.h"
#include "tests/app/world.h"

namespace ranklint::test {

namespace fs = std::filesystem;
using Catch::Contains;

namespace {

using Args = std::vector<std::string>;

// A project, and whether a check of it asks the engine.
struct Project : World {
  Project() {
    identity = "build 1";
    folder.write("train.py", "BUG\nMAYBE\n");
    folder.write("lib/sync.py", "x = 1\n");
  }
  bool is_new(const Args& args = {"check"}) const { return !run(args).log.read_paths.empty(); }
  std::vector<std::string> entries(const std::string& cache = ".ranklint_cache") const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder.path() + "/" + cache))
      if (const std::string name = entry.path().filename().string(); name.size() == 32) names.push_back(name);
    return names;
  }
};

}  // namespace

TEST_CASE("a check of what was checked before reports the same and analyses nothing") {
  const Project project;
  const Outcome first = project.run({"check"}), second = project.run({"check"});
  CHECK(first.log.read_paths.size() == 2);
  CHECK(second.log.read_paths.empty());
  CHECK(second.status == first.status);
  CHECK(second.out == first.out);
  CHECK(second.err == first.err);
}

TEST_CASE("what changes the analysis asks for a new one, and the old one is good again when it is taken back") {
  Project project;
  CHECK(project.is_new());
  project.folder.write("train.py", "BUG\nLOOP\n");
  CHECK(project.is_new());
  project.folder.write("train.py", "BUG\nMAYBE\n");
  CHECK_FALSE(project.is_new());
  project.folder.write("new.py", "");
  CHECK(project.is_new());
  fs::rename(project.folder.path() + "/new.py", project.folder.path() + "/other.py");
  CHECK(project.is_new());
  fs::remove(project.folder.path() + "/other.py");
  CHECK_FALSE(project.is_new());
  project.identity = "build 2";
  CHECK(project.is_new());
  project.identity = "build 1";
  CHECK_FALSE(project.is_new());
  project.folder.write("models.json", R"({"models": []})");
  CHECK(project.is_new({"check", "--models", "models.json"}));
  CHECK_FALSE(project.is_new({"check", "--models", "models.json"}));
  CHECK(project.is_new({"check", "train.py"}));
  CHECK(project.is_new({"check", "train.py", "--src", "lib"}));
  project.folder.write(".git/HEAD", "");
  project.folder.write(".gitignore", "train.py\n");
  CHECK(project.is_new());
}

TEST_CASE("what does not change the analysis changes nothing, and is right all the same") {
  const Project project;
  CHECK(project.is_new());
  fs::last_write_time(project.folder.path() + "/train.py", fs::file_time_type::clock::now() + std::chrono::hours(1));
  CHECK_FALSE(project.is_new({"check", "--threads", "3"}));
  const Outcome possible = project.run({"check", "--min-confidence", "possible"});
  CHECK(possible.log.read_paths.empty());
  CHECK_THAT(possible.out, Contains("found MAYBE"));
  const Outcome other_rule = project.run({"check", "--select", "RL104"});
  CHECK_THAT(other_rule.out, !Contains("RL101"));
  project.folder.write("ranklint.toml", "[per-file-ignores]\n\"train.py\" = [\"RL101\"]\n");
  CHECK_THAT(project.run({"check"}).out, !Contains("RL101"));
}

TEST_CASE("a copy of the project elsewhere uses what was kept") {
  const Project project;
  CHECK(project.is_new());
  Project copy;
  fs::remove_all(copy.folder.path() + "/lib");
  fs::copy(project.folder.path(), copy.folder.path(),
           fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  CHECK_FALSE(copy.is_new());
}

TEST_CASE("a run in which a bug of ours showed, one that runs the witnesses, and one that failed keep nothing") {
  Project project;
  CHECK(project.run({"check", "no-such-file.py"}).status == 2);
  CHECK(project.is_new({"check", "--verify"}));
  CHECK(project.is_new({"check", "--verify"}));
  CHECK_FALSE(fs::exists(project.folder.path() + "/.ranklint_cache"));
  project.folder.write("train.py", "BROKEN\n");
  CHECK(project.is_new());
  CHECK(project.is_new());
}

TEST_CASE("a damaged entry is as good as none") {
  const Project project;
  const std::string out = project.run({"check"}).out;
  REQUIRE(project.entries().size() == 1);
  const std::string name = ".ranklint_cache/" + project.entries()[0];
  project.folder.write(name, project.folder.read(name).substr(0, 100));
  CHECK(project.is_new());
  CHECK_FALSE(project.is_new());
  project.folder.write(name, "x");
  CHECK(project.run({"check"}).out == out);
}

TEST_CASE("flags, the environment and the configuration say where the cache lies, in this order") {
  Project project;
  project.folder.write("ranklint.toml", "cache-dir = \"of-file\"\n");
  CHECK(project.is_new());
  CHECK(project.entries("of-file").size() == 1);
  project.environment["RANKLINT_CACHE_DIR"] = "of-environment";
  CHECK(project.is_new());
  CHECK(project.entries("of-environment").size() == 1);
  CHECK(project.is_new({"check", "--cache-dir", "of-flag"}));
  CHECK_FALSE(project.is_new({"check", "--cache-dir", "of-flag"}));
  CHECK(project.is_new({"check", "--no-cache"}));
  project.environment["RANKLINT_NO_CACHE"] = "1";
  CHECK(project.is_new());
  CHECK(project.is_new());
  CHECK_FALSE(project.is_new({"check", "--cache-dir", "of-flag"}));
  CHECK_FALSE(fs::exists(project.folder.path() + "/.ranklint_cache"));
  CHECK(project.run({"check", "--no-cache", "--cache-dir", "x"}).status == 2);
}

TEST_CASE("the cache lies at the top of the project, wherever in it the command is run") {
  Project project;
  project.folder.write("ranklint.toml", "");
  project.subfolder = "lib";
  CHECK(project.is_new());
  CHECK(project.entries().size() == 1);
  project.folder.write("lib/.git/HEAD", "");
  CHECK(project.is_new());
  CHECK(project.entries("lib/.ranklint_cache").size() == 1);
}

TEST_CASE("`ranklint clean` removes the cache and nothing else") {
  Project project;
  CHECK(project.run({"clean"}).status == 0);
  CHECK(project.is_new());
  const Outcome cleaned = project.run({"clean"});
  CHECK(cleaned.status == 0);
  CHECK(cleaned.err == "ranklint: removed .ranklint_cache\n");
  CHECK_FALSE(fs::exists(project.folder.path() + "/.ranklint_cache"));
  CHECK(project.run({"clean", "--cache-dir", "lib"}).status == 2);
  CHECK(project.folder.read("lib/sync.py") == "x = 1\n");
}

TEST_CASE("a record is the same when it was packed, and bytes that are none are refused") {
  app::KeptRecord kept;
  kept.seen = {{Observation::Kind::Bytes, "/usr/include/a.h", {.high = 1, .low = 2}}};
  Finding& finding = kept.record.findings.emplace_back();
  finding.rule = "rank-guarded-collective";
  for (const ReasonInfo& info : all_reasons()) finding.doubts.push_back({info.reason, {"a.py", {1, 2, 3, 4}}});
  for (const AssumptionInfo& info : all_assumptions())
    finding.evidence.push_back({{info.kind, "is_main", false, 300}, {}});
  finding.witness.lanes = {{"rank 0", {{WitnessStep::Kind::Exit, {}, "leaves", "f", -1, "", ""}}, "ends"}};
  kept.record.files = {{"a.py", {{{}, "ignore", true}}, {{{1, 1, 1, 1}, "does not parse"}}, 7}};
  kept.record.incomplete = {{"a.py", 1, "f", IncompleteReason::ManyPaths}};
  kept.record.truncated_runs = {{"main.c", "an object"}};
  kept.record.function_count = uint64_t{1} << 40;
  const std::string bytes = app::pack_record(kept);
  const auto again = app::unpack_record(bytes);
  REQUIRE(again);
  CHECK(app::pack_record(*again) == bytes);
  CHECK(again->seen == kept.seen);
  CHECK(again->record.findings[0].witness.lanes[0].steps[0].nesting == -1);
  CHECK(again->record.function_count == kept.record.function_count);
  for (size_t i = 0; i < bytes.size(); ++i) CHECK_FALSE(app::unpack_record(bytes.substr(0, i)));
  CHECK_FALSE(app::unpack_record(bytes + "x"));
  for (size_t i = 0; i < bytes.size(); ++i)
    for (const unsigned flip : {0x01U, 0x80U, 0xFFU}) {
      std::string other = bytes;
      other[i] = static_cast<char>(static_cast<unsigned char>(other[i]) ^ flip);
      app::unpack_record(other);  // whatever comes of it, it ends
    }
}

}  // namespace ranklint::test
