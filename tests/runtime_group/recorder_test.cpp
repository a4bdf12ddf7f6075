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

}  // namespace

TEST_CASE("a flight record has the keys of PyTorch's and what those lack") {
  const WorldReport report = run_world(2, [](RankContext& context) {
    context.world().all_reduce(Tensor::zeros({2, 3}, DType::BF16), ReduceOp::Max, {}, at(5));
  });
  CHECK(without_times(report.flight_records[1]) ==
        R"({"version": "2.10", "rank": 1, "pg_config": {"0": {"name": "0", "desc": "world", "ranks": "[0, 1]"}}, )"
        R"("entries": [{"record_id": 0, "pg_id": 0, "process_group": ["0", "world"], "collective_seq_id": 1, )"
        R"("p2p_seq_id": 0, "op_id": 1, "profiling_name": "nccl:all_reduce", "input_sizes": [[2, 3]], )"
        R"("input_dtypes": ["BFloat16"], "output_sizes": [[2, 3]], "output_dtypes": ["BFloat16"], )"
        R"("time_created_ns": T, "time_discovered_started_ns": T, "time_discovered_completed_ns": T, )"
        R"("duration_ms": T, "timeout_ms": 0, "state": "completed", "retired": true, "is_p2p": false, )"
        R"("thread_id": "1", "thread_name": "rank 1", "frames": [{"name": "step", "filename": "src/train.py", )"
        R"("line": 5}], "rank": 1, "reduce_op": "max", "site": "train.py:5"}], "verdict": "ok", "verdict_message": ""})");
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

TEST_CASE("a flight record keeps the split sizes of uneven calls") {
  const WorldReport report = run_world(2, [](RankContext& context) {
    const std::vector<Tensor> in = {Tensor::zeros({1}), Tensor::zeros({2})};
    const std::vector<Tensor> out(2, Tensor::zeros({context.rank() + 1}));
    context.world().all_to_all({out[0].clone(), out[1].clone()}, in);
  });
  CHECK(report.flight_records[1].find(R"("input_splits": [1, 2], "output_splits": [2, 2])") != std::string::npos);
}

TEST_CASE("a flight record is a ring: the oldest entries go") {
  const WorldReport report = run_world(1, [](RankContext& context) {
    for (int i = 0; i < 10; ++i) context.world().barrier();
  }, {.recorder_entries = 4});
  CHECK(count_of(report.flight_records[0], "\"record_id\"") == 4);
  CHECK(report.flight_records[0].find("\"record_id\": 6,") != std::string::npos);
  CHECK(report.flight_records[0].find("\"record_id\": 9,") != std::string::npos);
}

TEST_CASE("a world without a flight record runs") {
  CHECK(run_world(2, [](RankContext& context) { context.world().barrier(); }, {.recorder_entries = 0}).ok());
}

}  // namespace ranklint::runtime::test
