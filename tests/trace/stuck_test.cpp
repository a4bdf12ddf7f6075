#include <catch2/catch.hpp>

#include <map>

#include "app/trace/stuck.h"

using namespace ranklint;
using namespace ranklint::app;
using Catch::Contains;

namespace {

TraceEntry call(const std::string& op, int64_t sequence, bool over, const std::string& group = "dp") {
  TraceEntry entry;
  entry.group = entry.group_said = group;
  entry.sequence = sequence;
  entry.op = op;
  entry.over = over;
  return entry;
}

Dump dump(int rank, std::vector<TraceEntry> entries) {
  return {.file = "d" + std::to_string(rank), .rank = rank, .entries = std::move(entries), .members = {}};
}

using Where = Standing::Where;

}  // namespace

TEST_CASE("when every call is over nothing stands still") {
  CHECK(find_stuck(std::vector{dump(0, {call("broadcast", 1, true)}), dump(1, {call("broadcast", 1, true)})}).empty());
}

TEST_CASE("a rank that has not come is missing, and where it is instead is told") {
  const std::vector dumps{dump(0, {call("all_reduce", 2, false)}),
                          dump(1, {call("all_reduce", 1, true), call("broadcast", 4, false, "world")})};
  const std::vector<Stuck> found = find_stuck(dumps);
  REQUIRE(found.size() == 2);
  CHECK(found[0].kind == Stuck::Kind::Missing);
  CHECK(found[0].op == "all_reduce");
  CHECK(found[0].members[0].where == Where::InIt);
  CHECK(found[0].members[1].where == Where::NotThere);
  CHECK(found[0].members[1].entry->op == "broadcast");
}

TEST_CASE("another call under the same number is a disagreement, and so are other sizes") {
  std::vector dumps{dump(0, {call("all_reduce", 2, false)}), dump(1, {call("barrier", 2, false)})};
  CHECK(find_stuck(dumps)[0].kind == Stuck::Kind::Disagree);
  dumps[1].entries[0].op = "all_reduce";
  CHECK(find_stuck(dumps)[0].kind == Stuck::Kind::Slow);
  dumps[0].entries[0].sizes = "[[4]]";
  dumps[1].entries[0].sizes = "[[8]]";
  CHECK(find_stuck(dumps)[0].kind == Stuck::Kind::Disagree);
}

TEST_CASE("only the first call of a group is told, since what comes behind it waits for it") {
  const std::vector dumps{dump(0, {call("all_reduce", 2, false), call("all_reduce", 3, false)}),
                          dump(1, {call("x", 1, true)})};
  const std::vector<Stuck> found = find_stuck(dumps);
  REQUIRE(found.size() == 1);
  CHECK(found[0].sequence == 2);
}

TEST_CASE("a member without a dump is known from the others, and one whose ring has forgotten is unknown") {
  std::vector dumps{dump(0, {call("all_reduce", 2, false)}), dump(1, {call("all_reduce", 9, true)})};
  dumps[0].members["dp"] = {0, 1, 5};
  const Stuck stuck = find_stuck(dumps)[0];
  REQUIRE(stuck.members.size() == 3);
  CHECK(stuck.members[1].where == Where::NoDump);
  CHECK(stuck.members[2].rank == 5);
  CHECK(stuck.members[2].where == Where::NoDump);
}

TEST_CASE("a message that is not over is told for its rank") {
  TraceEntry send = call("send 0->1", 3, false);
  send.is_message = true;
  const std::vector<Stuck> found = find_stuck(std::vector{dump(0, {send}), dump(1, {call("all_reduce", 1, true)})});
  REQUIRE(found.size() == 1);
  CHECK(found[0].op == "send 0->1");
}

TEST_CASE("the frame that is told is the first of one's own") {
  TraceEntry entry;
  entry.frames = {{"all_reduce", "/opt/lib/torch/distributed/c10d.py", 1},
                  {"wrapper", "/x/site-packages/y.py", 2},
                  {"save", "/job/train.py", 3}};
  REQUIRE(own_frame(entry) != nullptr);
  CHECK(own_frame(entry)->function == "save");
  entry.frames.pop_back();
  CHECK(own_frame(entry) == nullptr);
}

TEST_CASE("a dump is read: names, numbers, states, groups") {
  const Result<Dump> read =
      read_dump(R"({"rank": 2, "pg_config": {"7": {"name": "7", "desc": "dp", "ranks": "[0, 2, 10]"}}, "entries": [
      {"process_group": ["7", "dp"], "collective_seq_id": 3, "p2p_seq_id": 0, "profiling_name": "nccl:all_reduce", "is_p2p": false,
       "state": "started", "retired": false, "input_sizes": [[4]], "frames": [{"name": "f", "filename": "/a.py", "line": 9}]}]})",
                "x.json");
  REQUIRE(read.has_value());
  const Dump& dump = read.value();
  CHECK(dump.rank == 2);
  CHECK(dump.members.at("7") == std::vector<int>{0, 2, 10});
  const TraceEntry& entry = dump.entries.at(0);
  CHECK(entry.op == "all_reduce");
  CHECK(entry.sequence == 3);
  CHECK(entry.started);
  CHECK_FALSE(entry.over);
  CHECK(entry.sizes == "[[4]]");
  CHECK(entry.frames.at(0).line == 9);
}

TEST_CASE("the rank is in the name where the dump does not tell it") {
  for (const auto& [name, rank] : std::map<std::string, int>{
           {"nccl_trace_rank_3", 3}, {"d/rank12.json", 12}, {"trace_7.pickle", 7}, {"run.04", 4}})
    CHECK(read_dump(R"({"entries": []})", name).value().rank == rank);
  CHECK_THAT(read_dump(R"({"entries": []})", "dump.json").error().message,
             Contains("the rank of this dump is unknown"));
}

TEST_CASE("values of another kind than a dump has are no crash") {
  for (
      const char* text :
      {R"({"entries": [{"process_group": 4, "frames": [1], "profiling_name": [], "state": {}, "collective_seq_id": "x"}], "pg_config": [], "pg_status": 3})",
       R"({"entries": [], "pg_config": {"a": {"ranks": "[99999999999999999999, -1]"}}, "rank": -4})"})
    CHECK(read_dump(text, "r_1").has_value());
  CHECK_FALSE(read_dump("{}", "r_1").has_value());
  CHECK(read_dump(R"({"entries": [{}, 3]})", "r_1").error().message ==
        "the dump is damaged: number 1 of `entries` is no object");
}
