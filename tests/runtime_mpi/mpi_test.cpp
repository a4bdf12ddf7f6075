// Programs of three processes over one MPI.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <array>
#include <filesystem>
#include <vector>

#include "tests/hangs/outcome.h"

using hangs::Outcome;
using hangs::run_command;

static Outcome run(const std::string& program) {
  const std::string command = "timeout 100 " MPIRUN " -np 3 " + program + " 2>&1";
  UNSCOPED_INFO(command);
  return run_command(command);
}

static bool has(const Outcome& outcome, const std::string& text) {
  return outcome.output.find(text) != std::string::npos;
}

// `timeout` gives 124, so that a job that hangs is none that failed.
static void check_failed(const Outcome& outcome) {
  INFO(outcome.output);
  CHECK(outcome.exit_code != 0);
  CHECK(outcome.exit_code != 124);
}

TEST_CASE("every operation over processes gives the bytes that threads give") {
  const Outcome outcome = run(OPERATIONS);
  INFO(outcome.output);
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("what is larger than MPI counts goes in parts and arrives whole and in order") {
  const Outcome outcome = run(PARTS);
  INFO(outcome.output);
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("a rank that throws ends the job with its error") {
  const Outcome outcome = run(FAULTS " throws");
  check_failed(outcome);
  CHECK(has(outcome, "\"verdict\": \"peer_threw\", \"message\": \"rank 2 threw: no such shard"));
}

// The flight records of a fault's ranks.
static std::array<std::string, 3> records_of(const std::string& fault) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("ranklint_records_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  check_failed(run(FAULTS " " + fault + " --records " + (folder / "rank_").string()));
  std::array<std::string, 3> records;
  for (size_t rank = 0; rank < records.size(); ++rank)
    records[rank] = hangs::read(folder / ("rank_" + std::to_string(rank)));
  std::filesystem::remove_all(folder);
  return records;
}

static bool has_state(const std::string& record, const std::string& state) {
  return record.find("\"match_state\": \"" + state + "\"") != std::string::npos;
}

TEST_CASE("every process leaves its flight record, which says how its calls match") {
  const std::array<std::string, 3> records = records_of("disagrees");
  for (size_t rank = 0; rank < records.size(); ++rank) {
    INFO(records[rank]);
    CHECK(records[rank].find("\"rank\": " + std::to_string(rank) + ", \"comm_lib_version\"") != std::string::npos);
    CHECK(has_state(records[rank], "COLLECTIVE_DTYPE_MISMATCH"));
  }
}

TEST_CASE("processes tell shapes of as many elements apart, in the verdict and in the flight records") {
  for (const std::string& record : records_of("disagrees_in_shape")) {
    INFO(record);
    CHECK(has_state(record, "SIZE_OR_SYNTAX_MISMATCH"));
    CHECK(record.find("disagree in call 1 about the shape: ranks 0, 2: all_reduce (float32[2, 3], sum)") !=
          std::string::npos);
    CHECK(record.find("rank 1: all_reduce (float32[3, 2], sum)") != std::string::npos);
  }
}

TEST_CASE("a flight record says that other processes have completed what this one has not") {
  const std::array<std::string, 3> records = records_of("never_waits");
  CHECK(has_state(records[0], "COLLECTIVE_STATE_MISMATCH"));
  CHECK(has_state(records[1], "FULLY_MATCHED"));
}

TEST_CASE("a rank whose process dies ends the job") { check_failed(run(FAULTS " dies")); }

TEST_CASE("a rank that leaves the process inside of its body ends the job, and is named") {
  const Outcome outcome = run(FAULTS " exits");
  check_failed(outcome);
  CHECK(
      has(outcome,
          "\"verdict\": \"peer_threw\", \"message\": \"rank 1 threw: its process has ended inside of its body; rank 0 "
          "waits in barrier"));
}

TEST_CASE("rank 0 can leave the process inside of its body too, and names itself") {
  const Outcome outcome = run(FAULTS " rank_0_exits");
  check_failed(outcome);
  CHECK(has(outcome, "rank 0 threw: its process has ended inside of its body; rank 1 waits in barrier"));
}

TEST_CASE("a rank that leaves the process from a thread of its own ends the job, and is named") {
  const Outcome outcome = run(FAULTS " thread_exits");
  check_failed(outcome);
  CHECK(has(outcome, "rank 1 has left its process inside of its body: the job is aborted"));
}

TEST_CASE("a rank whose thread ends inside of its body ends the job, and is named") {
  const Outcome outcome = run(FAULTS " ends_its_thread");
  check_failed(outcome);
  CHECK(has(outcome,
            "\"verdict\": \"peer_threw\", \"message\": \"rank 1 threw: its thread has ended inside of its body; rank 0 "
            "waits in barrier"));
}

TEST_CASE("a tensor changed before a test completed its operation is told at the wait") {
  for (const std::string fault : {" changes_a_reduced_tensor", " changes_a_sent_tensor"}) {
    const Outcome outcome = run(FAULTS + fault);
    check_failed(outcome);
    CHECK(has(outcome, "\"verdict\": \"buffer_reuse\", \"message\": \"rank 0 changed the tensor of"));
  }
}

TEST_CASE("a deadlock is reported although another rank computes forever") {
  const Outcome outcome = run(FAULTS " computes_for_ever");
  check_failed(outcome);
  CHECK(has(outcome, "\"verdict\": \"deadlock\", \"message\": \"rank 0 waits in recv"));
}

TEST_CASE("a rank that polls what never comes is told") {
  const std::vector<std::array<std::string, 2>> faults = {
      {" polls_a_rank_that_returned",
       "\"verdict\": \"peer_exited\", \"message\": \"rank 1 returned; rank 0 waits in recv"},
      {" polls_a_rank_that_threw",
       "\"verdict\": \"peer_threw\", \"message\": \"rank 1 threw: no such shard; rank 0 waits in all_reduce"},
      {" polls_a_slow_rank", "\"verdict\": \"timeout\""},
  };
  for (const auto& [fault, verdict] : faults) {
    const Outcome outcome = run(FAULTS + fault);
    check_failed(outcome);
    CHECK(has(outcome, verdict));
  }
}

TEST_CASE("what ranks have left unmet is told when all have returned, as of threads") {
  const std::vector<std::array<std::string, 2>> faults = {
      {" leaves_messages",
       "\"message\": \"ranks 0, 1, 2 returned; rank 0 left send (float32[1], to 1, tag 5) on world (call 1, "
       "train.py:10), which "
       "rank 1 never met, and 1 more; rank 1 left recv (float32[2], from any, tag 9) on world (call 1, train.py:11), "
       "which "
       "ranks 0, 2 never met\""},
      {" leaves_a_collective",
       "\"message\": \"rank 1 returned; rank 2 left all_reduce (float32[4], sum) on pair (call 1, train.py:12), which "
       "rank 1 "
       "never met\""},
  };
  for (const auto& [fault, message] : faults) {
    const Outcome outcome = run(FAULTS + fault);
    check_failed(outcome);
    CHECK(has(outcome, "{\"verdict\": \"peer_exited\", " + message));
    CHECK(has(run_command(FAULTS + fault), message));
  }
}

TEST_CASE("what ranks have left and others have met is no fault") {
  const Outcome outcome = run(FAULTS " leaves_nothing_open --schedules 5");
  INFO(outcome.output);
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("a deadline that passes for a slow rank says that it is slow") {
  const Outcome outcome = run(FAULTS " waits_for_a_slow_rank");
  check_failed(outcome);
  CHECK(has(outcome, "still running, so slow and not deadlocked: rank 2"));
}
