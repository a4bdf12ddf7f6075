#include <catch2/catch.hpp>

#include "app/trace/predicted.h"

using namespace ranklint;
using namespace ranklint::app;

namespace {

Location at(const std::string& path, uint32_t line) { return {path, {line, 5, line, 20}}; }

struct Case {
  TraceEntry entry;
  Finding finding;
  Stuck stuck;
  FrameFiles files{{"src/other.py", "src/train.py", "src/util.py"}, {}, "/home"};
  Case() {
    entry.op = "all_reduce";
    entry.frames = {{"average", "/job/src/util.py", 7}, {"save", "/job/src/train.py", 13}};
    stuck.members = {{.rank = 0, .where = Standing::Where::InIt, .entry = &entry}};
  }
};

}  // namespace

TEST_CASE("a file is the same under the folders of another machine, by whole names") {
  CHECK(FrameFiles({"src/train.py"}, {}, "/home").file_of("/job/src/train.py") == "src/train.py");
  CHECK(FrameFiles({"train.py"}, {}, "/home").file_of("/job/src/train.py") == "train.py");
  CHECK(FrameFiles({"train.py"}, {}, "/home").file_of("/job/src/pretrain.py").empty());
  CHECK(FrameFiles({"other/train.py"}, {}, "/home").file_of("/job/src/train.py").empty());
  CHECK(FrameFiles({"train.py"}, {}, "/home").file_of("").empty());
}

TEST_CASE("a file's path counts from the folder that was named, wherever that lies") {
  CHECK(FrameFiles({"code/src/train.py"}, {"/home/code"}, "/home").file_of("/job/src/train.py") == "code/src/train.py");
  CHECK(FrameFiles({"/else/src/train.py"}, {"/else"}, "/home").file_of("/job/src/train.py") == "/else/src/train.py");
  CHECK(FrameFiles({"code/src/train.py"}, {"/home/code/src/train.py"}, "/home").file_of("/job/train.py") ==
        "code/src/train.py");
  CHECK(FrameFiles({"/else/src/train.py"}, {}, "/home").file_of("/job/src/train.py") == "/else/src/train.py");
  CHECK(FrameFiles({"/else/src/train.py"}, {}, "/home").file_of("/job/train.py").empty());
}

TEST_CASE("of several files, the one whose path ends most like the frame's is meant") {
  const FrameFiles files({"a/train.py", "b/train.py", "train.py"}, {"/home/a", "/home/b"}, "/home");
  CHECK(files.file_of("/job/b/train.py") == "b/train.py");
  CHECK(files.file_of("/job/c/train.py") == "a/train.py");
}

TEST_CASE("the collective of the witness fits best, then the finding's own line, then a line that it names besides") {
  Case c;
  c.finding.primary = at("src/other.py", 1);
  CHECK(fit(c.finding, c.stuck, c.files) == 0);
  c.finding.related.push_back({at("src/util.py", 7), ""});
  const int related = fit(c.finding, c.stuck, c.files);
  c.finding.primary = at("src/train.py", 13);
  const int primary = fit(c.finding, c.stuck, c.files);
  WitnessStep step;
  step.kind = WitnessStep::Kind::Collective;
  step.location = at("src/util.py", 7);
  step.op = "all_reduce";
  c.finding.witness.lanes.push_back({.ranks = "rank 0", .steps = {step}, .end = ""});
  CHECK(0 < related);
  CHECK(related < primary);
  CHECK(primary < fit(c.finding, c.stuck, c.files));
}

TEST_CASE("a finding about another line of the file does not fit") {
  Case c;
  c.finding.primary = at("src/train.py", 14);
  CHECK(fit(c.finding, c.stuck, c.files) == 0);
}

TEST_CASE("where a rank is that has not come counts for less") {
  Case c;
  c.finding.primary = at("src/train.py", 13);
  const int in_it = fit(c.finding, c.stuck, c.files);
  c.stuck.members[0].where = Standing::Where::NotThere;
  CHECK(fit(c.finding, c.stuck, c.files) > 0);
  CHECK(fit(c.finding, c.stuck, c.files) < in_it);
}
