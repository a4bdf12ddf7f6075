#include <functional>
#include <regex>

#include "runtime/group/ticks.h"
#include "tests/runtime_group/support.h"

namespace ranklint::runtime::test {

namespace {

Site at(uint32_t line) { return {"src/train.py", line, "step"}; }

// What differs from run to run becomes T.
std::string without_times(const std::string& json) {
  return std::regex_replace(json, std::regex(R"re((_ns"|"duration_ms"): [0-9.]+)re"), "$1: T");
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + 1)) ++count;
  return count;
}

using States = std::vector<std::string>;

// The match states of all entries.
States states_in(const std::string& record) {
  States states;
  const std::regex key(R"re("match_state": "(\w+)")re");
  for (std::sregex_iterator i(record.begin(), record.end(), key), end; i != end; ++i) states.push_back((*i)[1]);
  return states;
}

}  // namespace

TEST_CASE("a flight record has the keys of PyTorch's and what those lack") {
  const WorldReport report = run_world(2, [](RankContext& context) {
    context.world().all_reduce(Tensor::zeros({2, 3}, DType::BF16), ReduceOp::Max, {}, at(5));
  });
  CHECK(without_times(report.flight_records[1]) ==
        R"({"version": "2.10", "rank": 1, "comm_lib_version": "ranklint", "nccl_comm_state": {}, )"
        R"("pg_config": {"0": {"name": "0", "desc": "world", "ranks": "[0, 1]"}}, "pg_status": {"0": )"
        R"({"last_enqueued_collective": 1, "last_started_collective": 1, "last_completed_collective": 1}}, )"
        R"("entries": [{"record_id": 0, "pg_id": 0, "process_group": ["0", "world"], "collective_seq_id": 1, )"
        R"("p2p_seq_id": 0, "op_id": 1, "profiling_name": "nccl:all_reduce", "input_sizes": [[2, 3]], )"
        R"("input_dtypes": ["BFloat16"], "output_sizes": [[2, 3]], "output_dtypes": ["BFloat16"], )"
        R"("time_created_ns": T, "time_discovered_started_ns": T, "time_discovered_completed_ns": T, )"
        R"("duration_ms": T, "timeout_ms": 1800000, "state": "completed", "retired": true, "is_p2p": false, )"
        R"("thread_id": "1", "thread_name": "rank 1", "frames": [{"name": "step", "filename": "src/train.py", )"
        R"("line": 5}], "rank": 1, "op": "all_reduce", "reduce_op": "max", "site": "train.py:5", )"
        R"("match_state": "FULLY_MATCHED"}], "verdict": "ok", "verdict_message": ""})");
}

TEST_CASE("a flight record shows where a rank stopped") {
  const WorldReport report = run_world(2, [](RankContext& context) {
    context.world().barrier();
    if (context.rank() == 0) context.world().recv(Tensor::zeros({3}), 1, 4, {}, at(9));
  });
  const std::string& record = report.flight_records[0];
  CHECK(record.find(R"("profiling_name": "nccl:recv 0<-1")") != std::string::npos);
  CHECK(record.find(R"("state": "scheduled", "retired": false, "is_p2p": true)") != std::string::npos);
  CHECK(record.find(R"("verdict": "peer_exited")") != std::string::npos);
}

TEST_CASE(
    "a flight record tells messages by the places in their group, and only operations that PyTorch's tools know") {
  const WorldReport report = run_world(4, [](RankContext& context) {
    ProcessGroup upper = context.new_group({3, 1}, "upper");
    if (context.rank() == 1) upper.send(Tensor::zeros({3}), 3);
    if (context.rank() == 3) upper.recv(Tensor::zeros({3}), 1);
    context.world().monitored_barrier(std::chrono::seconds(10));
  });
  const std::string& record = report.flight_records[3];
  CHECK(record.find(R"("profiling_name": "nccl:split")") != std::string::npos);
  CHECK(record.find(R"("profiling_name": "nccl:recv 1<-0")") != std::string::npos);
  CHECK(record.find(R"("profiling_name": "nccl:barrier")") != std::string::npos);
}

TEST_CASE("a flight record has a list of equal pieces as the tensor that they make") {
  const WorldReport report = run_world(2, [](RankContext& context) {
    context.world().reduce_scatter(Tensor::zeros({3, 1}), {Tensor::zeros({3, 1}), Tensor::zeros({3, 1})});
  });
  CHECK(report.flight_records[0].find(
            R"("input_sizes": [[2, 3, 1]], "input_dtypes": ["Float"], "output_sizes": [[3, 1]])") != std::string::npos);
}

TEST_CASE("a flight record says how each call matches the other ranks'") {
  const auto states_of_rank_0 = [](const std::function<void(ProcessGroup&, int)>& body) {
    return states_in(run_world(2, [&](RankContext& context) {
                       context.world().barrier();
                       body(context.world(), context.rank());
                     }).flight_records[0]);
  };
  const Tensor tensor = Tensor::zeros({6});
  CHECK(states_of_rank_0([](ProcessGroup&, int) {}) == States{"FULLY_MATCHED"});
  CHECK(states_of_rank_0([&](ProcessGroup& world, int rank) {
          rank == 0 ? world.barrier() : world.all_reduce(tensor.clone());
        }) == States{"FULLY_MATCHED", "COLLECTIVE_TYPE_MISMATCH"});
  CHECK(states_of_rank_0([&](ProcessGroup& world, int rank) { world.all_reduce(Tensor::zeros({4 + rank})); }) ==
        States{"FULLY_MATCHED", "SIZE_OR_SYNTAX_MISMATCH"});
  CHECK(states_of_rank_0([&](ProcessGroup& world, int rank) { world.broadcast(tensor.clone(), rank); }) ==
        States{"FULLY_MATCHED", "SIZE_OR_SYNTAX_MISMATCH"});
  CHECK(states_of_rank_0([&](ProcessGroup& world, int rank) {
          world.all_reduce(Tensor::zeros({4}, rank == 0 ? DType::F32 : DType::I32));
        }) == States{"FULLY_MATCHED", "COLLECTIVE_DTYPE_MISMATCH"});
  CHECK(states_of_rank_0([&](ProcessGroup& world, int rank) {
          if (rank == 0) world.barrier();
        }) == States{"FULLY_MATCHED", "UNDECIDED"});
  CHECK(states_of_rank_0([&](ProcessGroup& world, int rank) {
          if (rank == 0) world.recv(Tensor::zeros({2}), 1);
          if (rank == 1) world.send(Tensor::zeros({3}), 0);
        }) == States{"FULLY_MATCHED", "SIZE_OR_SYNTAX_MISMATCH"});
  CHECK(states_of_rank_0([&](ProcessGroup& world, int rank) {
          const Work work = world.all_reduce(tensor.clone(), ReduceOp::Sum, {.async = rank == 0});  // never waited for
        }) == States{"FULLY_MATCHED", "COLLECTIVE_STATE_MISMATCH"});
}

TEST_CASE("a call in dispute is none of another group, nor another message, of the same number") {
  const auto states_of = [](const std::function<void(RankContext&)>& body) {
    return states_in(run_world(2, body).flight_records[0]);
  };
  CHECK(states_of([](RankContext& context) {
          ProcessGroup pair = context.new_group({0, 1}, "pair");
          for (int i = 0; i < 2; ++i) pair.barrier();
          context.world().broadcast(floats({1}), context.rank());
        }) == States{"FULLY_MATCHED", "FULLY_MATCHED", "FULLY_MATCHED", "SIZE_OR_SYNTAX_MISMATCH"});
  CHECK(states_of([](RankContext& context) {
          const Tensor tensor = floats({1});
          if (context.rank() == 1) return context.world().send(tensor, 0).wait(), void();
          context.world().send(tensor, 1, 5);  // never received: rank 0's second message is rank 1's first
          context.world().recv(Tensor::zeros({2}), 1);
        }) == States{"UNDECIDED", "SIZE_OR_SYNTAX_MISMATCH"});
}

TEST_CASE("a flight record tells the last collective of a group without its messages") {
  const WorldReport report = run_world(2, [](RankContext& context) {
    for (int i = 0; i < 3; ++i) {
      if (context.rank() == 0) context.world().send(floats({1}), 1);
      if (context.rank() == 1) context.world().recv(floats({1}), 0);
    }
    context.world().barrier();
  });
  CHECK(report.flight_records[0].find(
            R"("pg_status": {"0": {"last_enqueued_collective": 1, "last_started_collective": 1, )"
            R"("last_completed_collective": 1}})") != std::string::npos);
}

TEST_CASE("a flight record has shapes whole, whatever their dimensions and sizes") {
  constexpr int64_t kLarge = int64_t{3} << 30;
  const WorldReport report = run_world(1, [&](RankContext& context) {
    context.world().all_reduce(Tensor::zeros({2, 1, 2, 1, 3}));
    context.world().all_reduce(Tensor::zeros({kLarge, 0}));
  });
  const std::string& record = report.flight_records[0];
  CHECK(record.find(
            R"("input_sizes": [[2, 1, 2, 1, 3]], "input_dtypes": ["Float"], "output_sizes": [[2, 1, 2, 1, 3]])") !=
        std::string::npos);
  CHECK(record.find(R"("input_sizes": [[3221225472, 0]])") != std::string::npos);
}

TEST_CASE("a flight record has the time-out in force") {
  const WorldReport report = run_world(1,
                                       [](RankContext& context) {
                                         context.world().barrier();
                                         context.world().barrier({.timeout = std::chrono::seconds(2)});
                                       },
                                       {.default_timeout = std::chrono::seconds(7)});
  CHECK(count_of(report.flight_records[0], "\"timeout_ms\": 7000,") == 1);
  CHECK(count_of(report.flight_records[0], "\"timeout_ms\": 2000,") == 1);
}

TEST_CASE("names that are no UTF-8 leave JSON that is") {
  const WorldReport report = run_world(1, [](RankContext& context) {
    context.new_group({0}, "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 \xFF \xC0\xAF \xED\xA0\x80 \xE2\x82");
  });
  CHECK(report.flight_records[0].find("\"desc\": \"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 \\ufffd \\ufffd\\ufffd "
                                      "\\ufffd\\ufffd\\ufffd \\ufffd\\ufffd\"") != std::string::npos);
}

TEST_CASE("a flight record names whom a call still waited for") {
  const WorldReport report = run_world(3, [](RankContext& context) {
    if (context.rank() != 1) context.world().barrier();
  });
  CHECK(report.flight_records[2].find(R"("match_state": "UNDECIDED", "missing_ranks": [1])") != std::string::npos);
  const WorldReport two_groups = run_world(2, [](RankContext& context) {
    ProcessGroup one = context.new_group({0, 1}, "one"), two = context.new_group({0, 1}, "two");
    if (context.rank() == 1) return;
    const Work work = one.barrier({.async = true});
    two.barrier();
  });
  CHECK(count_of(two_groups.flight_records[0], "missing_ranks") == 1);
}

TEST_CASE("a flight record keeps the split sizes of uneven calls") {
  const WorldReport report = run_world(2, [](RankContext& context) {
    const std::vector<Tensor> in = {Tensor::zeros({1}), Tensor::zeros({2})};
    const std::vector<Tensor> out(2, Tensor::zeros({context.rank() + 1}));
    context.world().all_to_all({out[0].clone(), out[1].clone()}, in);
  });
  CHECK(report.flight_records[1].find(R"("input_splits": [1, 2], "output_splits": [2, 2])") != std::string::npos);
}

TEST_CASE("a flight record is a ring: the oldest entries go, and nothing of them stays") {
  const WorldReport report = run_world(2,
                                       [](RankContext& context) {
                                         for (int i = 0; i < 9; ++i)
                                           context.world().barrier({.implicit_in = i < 4 ? "loader" : ""});
                                         if (context.rank() == 0) context.world().barrier();
                                       },
                                       {.recorder_entries = 4});
  CHECK(count_of(report.flight_records[0], "\"record_id\"") == 4);
  CHECK(count_of(report.flight_records[0], "implicit_in") == 0);
  CHECK(count_of(report.flight_records[0], R"("state": "completed")") == 3);
  CHECK(report.flight_records[0].find("\"record_id\": 6,") != std::string::npos);
  CHECK(report.flight_records[0].find("\"record_id\": 9,") != std::string::npos);
}

TEST_CASE("a world without a flight record runs") {
  CHECK(run_world(2, [](RankContext& context) { context.world().barrier(); }, {.recorder_entries = 0}).ok());
}

}  // namespace ranklint::runtime::test
