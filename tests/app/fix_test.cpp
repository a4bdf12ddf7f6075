#include <catch2/catch.hpp>

#include <random>

#include "app/fix/comments.h"
#include "app/fix/edit.h"
#include "app/fix/fix.h"
#include "tests/app/world.h"

using namespace ranklint;
using namespace ranklint::test;
using Catch::Contains;

namespace {

// A finding on the whole of `code`, which stands alone in `source`.
Finding on(const std::string& rule, const std::string& code, const std::string& source) {
  const size_t at = source.find(code);
  REQUIRE(at != std::string::npos);
  const auto line = static_cast<uint32_t>(1 + std::count(source.begin(), source.begin() + static_cast<long>(at), '\n'));
  const auto column = static_cast<uint32_t>(at - app::line_begin(source, at) + 1);
  Finding finding;
  finding.rule = rule;
  finding.primary = {"a.py", {line, column, line, column + static_cast<uint32_t>(code.size())}};
  return finding;
}

// The source with the finding's fix; empty when it has none.
std::string fixed(const Finding& finding, const std::string& source, bool safe) {
  const auto fix = app::fix_for(finding, [&](const std::string&) { return std::string_view(source); });
  if (!fix) return "";
  CHECK(fix->safe == safe);
  return app::with_edits(source, fix->edits);
}

// What `check FLAGS` leaves of a file.
std::string left(const std::string& text, std::vector<std::string> flags) {
  const World world;
  world.folder.write("a.py", text);
  flags.insert(flags.begin(), "check");
  CHECK(world.run(flags).status < 2);
  return world.folder.read("a.py");
}

// `before` with the diff applied by patch(1)'s rules: the lines of each hunk at the line that it names.
std::string patched(const std::string& before, const std::string& diff) {
  std::vector<std::string> lines;
  std::istringstream in(before);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::istringstream hunks(diff);
  std::string out, line;
  size_t at = 0;
  const auto take = [&](size_t until) {
    for (; at < until; ++at) out += lines.at(at) + "\n";
  };
  while (std::getline(hunks, line)) {
    if (line.starts_with("--- ") || line.starts_with("+++ ")) continue;
    if (line.starts_with("@@")) {
      const size_t begin = std::stoul(line.substr(4));
      const bool nothing = line.substr(0, line.find(" +")).ends_with(",0");
      take(nothing ? begin : begin - 1);
    } else if (line[0] == '+') {
      out += line.substr(1) + "\n";
    } else {
      CHECK(lines.at(at) == line.substr(1));
      if (line[0] == ' ') out += line.substr(1) + "\n";
      ++at;
    }
  }
  take(lines.size());
  return out;
}

}  // namespace

TEST_CASE("a fix takes an unused comment away, and its line where nothing else stands there") {
  CHECK(left("x = 1  # ranklint: ignore[RL104] old\ny\n", {"--fix"}) == "x = 1\ny\n");
  CHECK(left("x\r\n  # ranklint: ignore[RL104]\r\ny\r\n", {"--fix"}) == "x\r\ny\r\n");
  CHECK(left("x # ranklint: ignore[RL104]", {"--fix"}) == "x");
  CHECK(left("x # ranklint: ignore\n", {"--fix"}) == "x\n");
}

TEST_CASE("a fix leaves the part of a comment that is used, and other comments") {
  CHECK(left("BUG  # ranklint: ignore[RL101, RL104] why\n", {"--fix"}) == "BUG  # ranklint: ignore[RL101] why\n");
  CHECK(left("x  # noqa # ranklint: ignore[RL104] # more\n", {"--fix"}) == "x  # noqa # more\n");
}

TEST_CASE("without --fix nothing is changed, and a line says what could be") {
  const World world;
  world.folder.write("a.py", "x  # ranklint: ignore[RL104]\n");
  const Outcome outcome = world.run({"check"});
  CHECK_THAT(outcome.err, Contains("--fix settles 1 of these"));
  CHECK(world.folder.read("a.py") == "x  # ranklint: ignore[RL104]\n");
}

TEST_CASE("a misspelt rule in a comment is corrected only when unsafe fixes are asked for") {
  const std::string text = "BUG  # ranklint: ignore[rank-guarded-colective] why\n";
  CHECK(left(text, {"--fix"}) == text);
  CHECK(left(text, {"--fix", "--unsafe-fixes"}) == "BUG  # ranklint: ignore[rank-guarded-collective] why\n");
}

TEST_CASE("fixes go on until nothing is left: a corrected comment that is unused goes too") {
  CHECK(left("x  # ranklint: ignore[rank-guarded-colective]\n", {"--fix", "--unsafe-fixes"}) == "x\n");
}

TEST_CASE("a diff shows the change and makes none") {
  const World world;
  world.folder.write("a.py", "x  # ranklint: ignore[RL104]\n");
  const Outcome outcome = world.run({"check", "--diff"});
  CHECK(outcome.status == 1);
  CHECK(outcome.out == "--- a.py\n+++ a.py\n@@ -1 +1 @@\n-x  # ranklint: ignore[RL104]\n+x\n");
  CHECK_THAT(outcome.err, Contains("1 change to make"));
  CHECK(world.folder.read("a.py") == "x  # ranklint: ignore[RL104]\n");
  world.folder.write("a.py", "x\n");
  CHECK(world.run({"check", "--diff"}).status == 0);
}

TEST_CASE("standard input can not be changed") {
  CHECK_THAT(World().run({"check", "-", "--fix"}).err, Contains("standard input can not be changed"));
}

TEST_CASE("a file keeps its permissions when it is changed, and a link stays a link") {
  namespace fs = std::filesystem;
  const World world;
  world.folder.write("real/a.py", "x  # ranklint: ignore[RL104]\n");
  const fs::path real = world.folder.path() + "/real/a.py", link = world.folder.path() + "/a.py";
  fs::permissions(real, fs::perms(0750));
  fs::create_symlink("real/a.py", link);
  CHECK(world.run({"check", "--fix", "a.py"}).status == 0);
  CHECK(fs::is_symlink(link));
  CHECK(fs::status(real).permissions() == fs::perms(0750));
  CHECK(world.folder.read("real/a.py") == "x\n");
}

TEST_CASE("add-ignore marks every finding with the reason, and nothing is told any more") {
  const World world;
  world.folder.write("a.py", "BUG LOOP\nx\r\nBUG\\\n + 1\n  LOOP");
  const Outcome outcome = world.run({"check", "--add-ignore", "one node"});
  CHECK(outcome.status == 1);  // no comment may follow a "\"
  CHECK(world.folder.read("a.py") ==
        "BUG LOOP  # ranklint: ignore[rank-dependent-loop, rank-guarded-collective] one node\nx\r\n"
        "BUG\\\n + 1\n  LOOP  # ranklint: ignore[rank-dependent-loop] one node");
}

TEST_CASE("add-ignore needs a reason") {
  const World world;
  world.folder.write("a.py", "BUG\n");
  for (const char* reason : {"", " "}) {
    const Outcome outcome = world.run({"check", "--add-ignore", reason});
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Catch::Contains("a reason is needed"));
  }
  CHECK(world.folder.read("a.py") == "BUG\n");
}

TEST_CASE("add-ignore adds to a comment that is there") {
  CHECK(left("BUG LOOP  # ranklint: ignore[RL101] why\n", {"--add-ignore", "one node"}) ==
        "BUG LOOP  # ranklint: ignore[RL101, rank-dependent-loop] why\n");
}

TEST_CASE("what the baseline knows gets no comment") {
  const World world;
  world.folder.write("a.py", "BUG\n");
  REQUIRE(world.run({"baseline", "create"}).status == 0);
  CHECK(world.run({"check", "--baseline", "ranklint-baseline.json", "--add-ignore", "x"}).status == 0);
  CHECK(world.folder.read("a.py") == "BUG\n");
}

TEST_CASE("a set that was made to be gone through becomes a dict, which keeps the order") {
  const std::string source = "for p in set(parameters):\n  pass\n";
  CHECK(fixed(on("unordered-iteration", "p in set(parameters)", source), source, true) ==
        "for p in dict.fromkeys(parameters):\n  pass\n");
  const std::string other = "for p in set(a) - set(b):\n";
  CHECK(fixed(on("unordered-iteration", "p in set(a) - set(b)", other), other, true).empty());
  const std::string none = "for p in set():\n";
  CHECK(fixed(on("unordered-iteration", "p in set()", none), none, true).empty());
}

TEST_CASE("a listing is sorted where it is made") {
  const std::string source = "files = glob.glob(folder + '/*')\n";
  Finding finding;
  finding.rule = "unsorted-shards";
  finding.related.push_back({on("", "glob.glob(folder + '/*')", source).primary, "listed here"});
  CHECK(fixed(finding, source, true) == "files = sorted(glob.glob(folder + '/*'))\n");
  const std::string entries = "files = os.scandir(folder)\n";  // entries have no order
  finding.related[0].location = on("", "os.scandir(folder)", entries).primary;
  CHECK(fixed(finding, entries, true).empty());
}

TEST_CASE("a loop goes through a sorted listing, made in its head or before") {
  const std::string source = "for name in os.listdir(folder):\n";
  CHECK(fixed(on("unordered-iteration", "name in os.listdir(folder)", source), source, true) ==
        "for name in sorted(os.listdir(folder)):\n");
  const std::string before = "names = os.listdir(folder)\nfor name in names:\n  send(name)\n";
  Finding finding = on("unordered-iteration", "name in names", before);
  finding.related.push_back({on("", "send(name)", before).primary, "one round communicates here"});
  CHECK(fixed(finding, before, true).empty());
  finding.related.push_back({on("", "os.listdir(folder)", before).primary, "the order is lost here"});
  CHECK(fixed(finding, before, true) == "names = sorted(os.listdir(folder))\nfor name in names:\n  send(name)\n");
}

TEST_CASE("an environment variable gets its new name, in whichever quotes") {
  const std::string source = "os.environ['NCCL_BLOCKING_WAIT'] = \"1\"\n";
  Finding finding = on("renamed-nccl-env", "os.environ['NCCL_BLOCKING_WAIT'] = \"1\"", source);
  finding.message = "`NCCL_BLOCKING_WAIT` is the old name of `TORCH_NCCL_BLOCKING_WAIT`: it warns";
  CHECK(fixed(finding, source, false) == "os.environ['TORCH_NCCL_BLOCKING_WAIT'] = \"1\"\n");
  const std::string named = "os.putenv(NAME, \"1\")\n";
  finding.primary = on("", "os.putenv(NAME, \"1\")", named).primary;
  CHECK(fixed(finding, named, false).empty());
}

TEST_CASE("a source rank is taken away, and a comma that is there is used") {
  const std::string source = "t = distribute_tensor(w, mesh, [Shard(0)])\n";
  CHECK(fixed(on("distribute-from-source-rank", "distribute_tensor(w, mesh, [Shard(0)])", source), source, false) ==
        "t = distribute_tensor(w, mesh, [Shard(0)], src_data_rank=None)\n");
  const std::string wrapped = "load(m, partial(distribute_tensor))\n";
  CHECK(
      fixed(on("distribute-from-source-rank", "load(m, partial(distribute_tensor))", wrapped), wrapped, false).empty());
}

TEST_CASE("a handle that is thrown away is waited for, and one that is kept is not touched") {
  const std::string source = "dist.all_reduce(x, async_op=True)\n";
  Finding finding = on("unwaited-work", "dist.all_reduce(x, async_op=True)", source);
  finding.message = "asynchronous `all_reduce` is started and its handle thrown away: no call can wait for it";
  CHECK(fixed(finding, source, false) == "dist.all_reduce(x, async_op=True).wait()\n");
  finding.message = "asynchronous `all_reduce` is started and its handle never looked at";
  CHECK(fixed(finding, source, false).empty());
}

TEST_CASE("edits that share bytes or a place clash") {
  CHECK(app::clash({0, 4, ""}, {3, 5, ""}));
  CHECK(app::clash({2, 2, "a"}, {2, 2, "b"}));
  CHECK(app::clash({1, 5, ""}, {3, 3, "b"}));
  CHECK_FALSE(app::clash({0, 3, ""}, {3, 5, ""}));
}

TEST_CASE("a range that lies outside of the text has no bytes") {
  CHECK_FALSE(app::bytes_of("ab\n", {1, 1, 1, 5}));
  CHECK_FALSE(app::bytes_of("ab\n", {7, 1, 7, 1}));
  CHECK_FALSE(app::bytes_of("ab\n", {1, 2, 1, 1}));
  CHECK(app::bytes_of("ab\ncd", {2, 1, 2, 3}) == std::pair<size_t, size_t>{3, 5});
}

TEST_CASE("a diff applied to the old text gives the new one, and says when a line has no end") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const auto lines = [&](size_t most) {
      std::string text;
      for (size_t n = random() % (most + 1); n > 0; --n)
        text += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
      return text;
    };
    const std::string before = lines(40);
    std::string after = before;
    for (int change = 0; change < 3; ++change)
      after.insert(after.size() / 2 & ~size_t{1}, lines(3)).erase(0, random() % 2 * 2);
    CHECK(patched(before, app::unified_diff("a", before, after)) == after);
  }
  CHECK(app::unified_diff("a", "x", "y\n") == "--- a\n+++ a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n");
  CHECK(app::unified_diff("a", "", "y\n") == "--- a\n+++ a\n@@ -0,0 +1 @@\n+y\n");
  CHECK(app::unified_diff("a", "x\n", "x\n").empty());
}

TEST_CASE("changes far apart are hunks of their own, near ones are one") {
  std::string before, after;
  for (int i = 0; i < 30; ++i) {
    before += std::to_string(i) + "\n";
    if (i != 2 && i != 6 && i != 25) after += std::to_string(i) + "\n";
  }
  const std::string diff = app::unified_diff("a", before, after);
  CHECK_THAT(diff, Contains("@@ -1,10 +1,8 @@\n") && Contains("@@ -23,7 +21,6 @@\n"));
  CHECK(patched(before, diff) == after);
}
