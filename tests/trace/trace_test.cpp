// `ranklint trace` on what PyTorch wrote: testdata/trace/checkpoint/ holds a program and the dumps of its three ranks
// under gloo, with the folders' names changed.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "app/cli/run.h"
#include "app/engine/engine.h"
#include "tests/support/support.h"

using Catch::Contains;
namespace fs = std::filesystem;

namespace ranklint::test {

namespace {

struct Told {
  int status = 0;
  std::string out, err;
};

Told trace(const std::vector<std::string>& args, const std::string& cwd = source_path("testdata/trace/checkpoint")) {
  std::ostringstream out, err;
  app::Io io{.read_stdin = [] { return std::string(); },
             .out = out,
             .err = err,
             .environment = environment_without_cache,
             .cwd = cwd};
  std::vector<std::string> all{"trace"};
  all.insert(all.end(), args.begin(), args.end());
  const int status = app::run(all, io, app::real_engine());
  return {status, out.str(), err.str()};
}

struct Scratch {
  fs::path path = fs::temp_directory_path() / ("ranklint-trace-" + std::to_string(::getpid()));
  Scratch() { fs::create_directories(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { fs::remove_all(path); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
  }
};

}  // namespace

TEST_CASE("each rank's place, its line and the finding that predicted it are reported") {
  const Told told = trace({"pickles", "train.py"});
  CHECK(told.status == 1);
  CHECK(told.err.empty());
  CHECK(told.out ==
        "3 dumps, 1 call not over\n\n"
        "`all_reduce` on `dp`, number 5: rank 0 waits, ranks 1, 2 issue something else\n"
        "  rank 0 waits\n"
        "      /job/train.py:7 in average\n"
        "      | dist.all_reduce(loss, group=group)\n"
        "  rank 1 is in `barrier` on `dp`, number 5\n"
        "      /job/train.py:15 in save\n"
        "      | dist.barrier(group=group)\n"
        "  rank 2 is in `barrier` on `dp`, number 5\n"
        "      /job/train.py:15 in save\n"
        "      | dist.barrier(group=group)\n"
        "  predicted by RL101 rank-guarded-collective, train.py:13:16\n"
        "      `all_reduce` on `world` is issued by rank 0 and not by the other ranks\n");
}

TEST_CASE("the sources may lie in another folder than the one that the program is run in") {
  const std::string here = source_path("testdata/trace/checkpoint");
  for (const std::string& named : {here, here + "/train.py", std::string("checkpoint")}) {
    const Told told = trace({here + "/pickles", named}, source_path("testdata/trace"));
    CHECK_THAT(told.out, Contains("| dist.all_reduce(loss, group=group)") && Contains("predicted by RL101"));
    CHECK(told.err.empty());
  }
}

TEST_CASE("sources that are not those of the job are said to be others") {
  const Told told = trace({source_path("testdata/trace/checkpoint/pickles"),
                           source_path("testdata/rules/rank-guarded-collective/pipeline")});
  CHECK_THAT(told.err,
             Contains("none of the files in the dumps (such as /job/train.py) lies in ") && Contains("pipeline"));
  CHECK_THAT(told.out, !Contains("predicted"));
}

TEST_CASE("the JSON that PyTorch writes says the same, without frames") {
  const Told told = trace({"json", "--no-check"});
  CHECK(told.status == 1);
  CHECK_THAT(told.out, Contains("`all_reduce` on `dp`, number 5: rank 0 waits, ranks 1, 2 issue something else") &&
                           Contains("the dump has no frames"));
}

TEST_CASE("a program reads the same as JSON") {
  const Told told = trace({"pickles", "train.py", "--output-format", "json"});
  CHECK_THAT(told.out, Contains(R"("kind": "disagree")") && Contains(R"("rule": "rank-guarded-collective")") &&
                           Contains(R"("state": "issues another call")"));
}

TEST_CASE("a dump that is cut short is an error with its name, and the others are still told") {
  const Scratch folder;
  const std::string whole = read_file(source_path("testdata/trace/checkpoint/pickles/trace_rank_0"));
  folder.write("trace_rank_0", whole);
  folder.write("trace_rank_1", whole.substr(0, 500));
  folder.write("trace_rank_2.json", "{\"entries\": [");
  folder.write("train.log", "step 4\n");
  const Told told = trace({folder.path.string(), "--no-check"});
  CHECK(told.status == 2);
  CHECK_THAT(told.err, Contains("trace_rank_1: at byte ") && Contains("cut short") &&
                           Contains("trace_rank_2.json:1:14: the JSON ends too early") &&
                           Contains("train.log: no dump, left out"));
  CHECK_THAT(told.out, Contains("rank 0 waits"));
}

TEST_CASE("a folder without dumps, a missing folder and two dumps of a rank are errors") {
  const Scratch folder;
  CHECK_THAT(trace({folder.path.string()}).err, Contains("no dumps here") && Contains("TORCH_FR_BUFFER_SIZE"));
  CHECK_THAT(trace({"nowhere"}).err, Contains("nowhere: the dumps can not be listed"));
  folder.write("a_1.json", R"({"entries": []})");
  folder.write("b_1.json", R"({"entries": []})");
  const Told told = trace({folder.path.string()});
  CHECK(told.status == 2);
  CHECK_THAT(told.err, Contains("b_1.json: a second dump of rank 1"));
}

TEST_CASE("when every call is over the status is 0") {
  const Scratch folder;
  folder.write(
      "a_1.json",
      R"({"entries": [{"process_group": ["0", "x"], "collective_seq_id": 1, "profiling_name": "nccl:broadcast", "state": "completed"}]})");
  const Told told = trace({folder.path.string()});
  CHECK(told.status == 0);
  CHECK(told.out == "1 dump, every call is over\n");
}

// Each of these once ended in "every call is over", or would leave the reader to think so.
TEST_CASE("of a dump that is damaged, empty or cut short nothing is said but where it is damaged") {
  const std::string whole = read_file(source_path("testdata/trace/checkpoint/pickles/trace_rank_0"));
  const std::string over =
      R"({"entries": [{"process_group": ["0", "x"], "collective_seq_id": 1, "profiling_name": "nccl:broadcast", "state": "completed"}]})";
  struct Case {
    std::string bytes, error;
  };
  const Case bad = GENERATE_COPY(
      Case{"", "trace_rank_1.json: the dump is empty"}, Case{" \n", "trace_rank_1.json: the dump is empty"},
      Case{std::string(64, '\0'), "neither a pickle nor a JSON object begins there"},
      Case{"[1, 2]", "neither a pickle nor a JSON object begins there"},
      Case{"{", "trace_rank_1.json:1:2: the JSON ends too early"},
      Case{over.substr(0, 60), "trace_rank_1.json:1:61: the JSON ends too early"},
      Case{"{}", "trace_rank_1.json: this is no dump of the flight recorder: it has no list `entries`"},
      Case{R"({"entries": [{}, 7]})", "trace_rank_1.json: the dump is damaged: number 1 of `entries` is no object"},
      Case{whole.substr(0, 500), "trace_rank_1.json: at byte "},
      Case{whole.substr(0, whole.size() - 1), "trace_rank_1.json: at byte "});
  const Scratch folder;
  folder.write("trace_rank_1.json", bad.bytes);
  for (const bool with_another : {false, true}) {
    if (with_another) folder.write("trace_rank_0.json", over);
    for (const char* format : {"text", "json"}) {
      const Told told = trace({folder.path.string(), "--no-check", "--output-format", format});
      CHECK(told.status == 2);
      CHECK_THAT(told.err, Contains(bad.error) && Contains("trace_rank_1.json"));
      CHECK_THAT(told.out, !Contains("over"));
      if (format == std::string("json") && !told.out.empty()) CHECK_THAT(told.out, Contains(R"("complete": false)"));
    }
  }
}

TEST_CASE("where no call waits, a rank without a dump or without calls is told and the status is 2") {
  const std::string config = R"("pg_config": {"0": {"name": "0", "ranks": "[0, 1]"}})";
  const std::string call =
      R"({"process_group": ["0", "x"], "collective_seq_id": 1, "profiling_name": "nccl:broadcast", "state": "completed"})";
  const Scratch folder;
  folder.write("trace_rank_0.json", "{" + config + R"(, "entries": [)" + call + "]}");
  Told told = trace({folder.path.string()});
  CHECK(told.status == 2);
  CHECK_THAT(told.err, Contains("trace_rank_0.json: no dump of rank 1 was found, which is in group `0`"));
  CHECK(told.out == "1 dump, no call in them waits; of the other ranks nothing is known\n");
  folder.write("trace_rank_1.json", "{" + config + R"(, "entries": []})");
  told = trace({folder.path.string()});
  CHECK(told.status == 2);
  CHECK_THAT(told.err, Contains("trace_rank_1.json: no call is recorded here: whether rank 1 waits is not known"));
  folder.write("trace_rank_1.json", "{" + config + R"(, "entries": [)" + call + "]}");
  told = trace({folder.path.string()});
  CHECK(told.status == 0);
  CHECK(told.out == "2 dumps, every call is over\n");
}

TEST_CASE("a dump that is not there is an error with its name") {
  const Told told = trace({"pickles/trace_rank_9"});
  CHECK(told.status == 2);
  CHECK_THAT(told.err, Contains("pickles/trace_rank_9: the dumps can not be listed"));
  CHECK(told.out.empty());
}

}  // namespace ranklint::test
