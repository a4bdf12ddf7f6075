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
  Case() {
    entry.op = "all_reduce";
    entry.frames = {{"average", "/job/src/util.py", 7}, {"save", "/job/src/train.py", 13}};
    stuck.members = {{.rank = 0, .where = Standing::Where::InIt, .entry = &entry}};
  }
};

}  // namespace

TEST_CASE("a file is the same under the folders of another machine, by whole names") {
  CHECK(is_same_file("/job/src/train.py", "src/train.py"));
  CHECK(is_same_file("/job/src/train.py", "./train.py"));
  CHECK(is_same_file("/job/src/train.py", "/job/src/train.py"));
  CHECK_FALSE(is_same_file("/job/src/pretrain.py", "train.py"));
  CHECK_FALSE(is_same_file("/job/src/train.py", ""));
}

TEST_CASE("the collective of the witness fits best, then the finding's own line, then a line that it names besides") {
  Case c;
  c.finding.primary = at("src/other.py", 1);
  CHECK(fit(c.finding, c.stuck) == 0);
  c.finding.related.push_back({at("src/util.py", 7), ""});
  const int related = fit(c.finding, c.stuck);
  c.finding.primary = at("src/train.py", 13);
  const int primary = fit(c.finding, c.stuck);
  WitnessStep step;
  step.kind = WitnessStep::Kind::Collective;
  step.location = at("src/util.py", 7);
  step.op = "all_reduce";
  c.finding.witness.lanes.push_back({.ranks = "rank 0", .steps = {step}, .end = ""});
  CHECK(0 < related);
  CHECK(related < primary);
  CHECK(primary < fit(c.finding, c.stuck));
}

TEST_CASE("a finding about another line of the file does not fit") {
  Case c;
  c.finding.primary = at("src/train.py", 14);
  CHECK(fit(c.finding, c.stuck) == 0);
}

TEST_CASE("where a rank is that has not come counts for less") {
  Case c;
  c.finding.primary = at("src/train.py", 13);
  const int in_it = fit(c.finding, c.stuck);
  c.stuck.members[0].where = Standing::Where::NotThere;
  CHECK(fit(c.finding, c.stuck) > 0);
  CHECK(fit(c.finding, c.stuck) < in_it);
}
