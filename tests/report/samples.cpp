#include "tests/report/samples.h"

#include <algorithm>
#include <array>

#include "analyzer/base/check.h"

namespace ranklint::test {

namespace {

constexpr std::string_view kLoop = R"(import torch.distributed as dist

from lib.pipeline import Pipeline


def validate(config, world, step):
    """Samples a few clips, on the first rank only."""
    if world.rank_in_group == 0:
        clips = []
        prompts = config.prompts
        limit = config.limit
        seeds = range(limit)
        pipeline = Pipeline.load(
            config.model_path,
            seeds=seeds,
        )
        for prompt in prompts:
            clips.append(pipeline(prompt))
        return clips
    dist.broadcast_object_list([step], src=0)
    return []
)";

constexpr std::string_view kPipeline = R"(from lib.parallel import warm_up


class Pipeline:
    @classmethod
    def load(cls, path, seeds):
        self = cls()
        self.post_init(seeds)
        return self

    def post_init(self, seeds):
        warm_up(self.shape)
)";

constexpr std::string_view kParallel = R"(def warm_up(shape):
    group = sequence_group()
    return group.all_to_all(shape)
)";

constexpr std::string_view kWide =
    "# tabs, wide characters and CRLF\r\n"
    "def f(rank, x):\r\n"
    "\tif rank == 0:\r\n"
    "\t\tlog(\"数据 🚀 prêt\", reduce(x))\r\n"
    "\telse:\r\n"
    "\t\tpass\r\n";

constexpr std::string_view kHostile =
    "def g(rank):\n"
    "    if rank == 0: print(\"\x1b[31mred\xff\", "
    "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\", barrier(), \"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
    "yyyyyyyyyyyyyyyyyyyyyyyyyy\")\n";

struct Sample {
  std::string_view path;
  std::string_view bytes;
};

constexpr std::array kSamples = std::to_array<Sample>({
    {"train/loop.py", kLoop},
    {"lib/pipeline.py", kPipeline},
    {"lib/parallel.py", kParallel},
    {"train/große läufe.py", kWide},
    {"train/hostile.py", kHostile},
});

// Line and column of a byte.
std::pair<uint32_t, uint32_t> position(std::string_view bytes, size_t offset) {
  const std::string_view before = bytes.substr(0, offset);
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {static_cast<uint32_t>(1 + std::count(before.begin(), before.end(), '\n')),
          static_cast<uint32_t>(offset - line_start + 1)};
}

using Kind = WitnessStep::Kind;

}  // namespace

std::string_view sample_source(const std::string& path) {
  for (const Sample& sample : kSamples)
    if (sample.path == path) return sample.bytes;
  return {};
}

Location at(const std::string& path, std::string_view text) {
  const std::string_view bytes = sample_source(path);
  const size_t offset = bytes.find(text);
  RANKLINT_CHECK(offset != bytes.npos, "a sample lacks the text that a test looks for");
  const auto [line, column] = position(bytes, offset);
  const auto [end_line, end_column] = position(bytes, offset + text.size());
  return {path, {line, column, end_line, end_column}};
}

Finding guarded_constructor() {
  const Location guard = at("train/loop.py", "world.rank_in_group == 0");
  const Location load =
      at("train/loop.py", "Pipeline.load(\n            config.model_path,\n            seeds=seeds,\n        )");
  const Location post_init = at("lib/pipeline.py", "self.post_init(seeds)");
  const Location warm_up = at("lib/pipeline.py", "warm_up(self.shape)");
  const Location all_to_all = at("lib/parallel.py", "group.all_to_all(shape)");
  const Location broadcast = at("train/loop.py", "dist.broadcast_object_list([step], src=0)");

  Finding f;
  f.rule = "rank-guarded-collective";
  f.code = "RL101";
  f.severity = Severity::Error;
  f.confidence = Confidence::High;
  f.primary = load;
  f.message = "`all_to_all` on `sp` is issued by rank 0 and not by ranks 1..3";
  f.related = {{guard, "ranks diverge here"},
               {all_to_all, "`all_to_all` is issued here"},
               {broadcast, "the other ranks go on here"}};
  f.witness.lanes = {
      {"rank 0",
       {{Kind::Branch, guard, "`world.rank_in_group == 0` is true", "train.loop.validate", 0, "", ""},
        {Kind::Call, load, "calls `load`", "train.loop.validate", 0, "", ""},
        {Kind::Call, post_init, "calls `post_init`", "lib.pipeline.Pipeline.load", 1, "", ""},
        {Kind::Call, warm_up, "calls `warm_up`", "lib.pipeline.Pipeline.post_init", 2, "", ""},
        {Kind::Collective, all_to_all, "`all_to_all` on `sp`", "lib.parallel.warm_up", 3, "all_to_all", "sp"}},
       "waits for ranks 1..3"},
      {"ranks 1..3",
       {{Kind::Branch, guard, "`world.rank_in_group == 0` is false", "train.loop.validate", 0, "", ""},
        {Kind::Collective, broadcast, "`broadcast_object_list` on `world`", "train.loop.validate", 0,
         "broadcast_object_list", "world"}},
       "waits for rank 0"}};
  f.witness.assumptions = {"`config.validate` is true", "`limit` is at least 1"};
  f.evidence = {{{.kind = AssumptionKind::NamePrior, .subject = "rank_in_group"}, guard},
                {{.kind = AssumptionKind::GroupHasMembers, .subject = "sp"}, {}}};
  f.help = "run the constructor on every rank, and guard only what writes the result";
  f.function = "train.loop.validate";
  f.fingerprint_key = "load|all_to_all|sp|world.rank_in_group == 0";
  return f;
}

Finding no_witness() {
  Finding f;
  f.rule = "unwaited-work";
  f.code = "RL112";
  f.severity = Severity::Warning;
  f.confidence = Confidence::Likely;
  f.primary = at("lib/parallel.py", "group.all_to_all(shape)");
  f.message = "the handle of `all_to_all` is dropped, so nothing waits for its result";
  f.related = {{at("lib/pipeline.py", "warm_up(self.shape)"), "reached from here"}};
  f.help = "keep the handle and call `wait()` before the result is read";
  f.function = "lib.parallel.warm_up";
  f.fingerprint_key = "all_to_all|sp";
  return f;
}

Finding tabs_and_wide() {
  const std::string path = "train/große läufe.py";
  const Location guard = at(path, "rank == 0");
  const Location reduce = at(path, "reduce(x)");
  Finding f;
  f.rule = "divergent-root";
  f.code = "RL109";
  f.severity = Severity::Info;
  f.confidence = Confidence::Possible;
  f.doubts = {{Reason::ChosenArgument, guard}, {Reason::BelievedRank, at(path, "log")}};
  f.primary = reduce;
  f.message = "`reduce` has another root on each of `ranks[0](x)`, {0} and 100%";
  f.related = {{guard, "ranks[part] here"}};
  f.witness.lanes = {
      {"rank 0", {{Kind::Collective, reduce, "`reduce` on `world`", "f", 0, "reduce", "world"}}, "waits for rank 1"},
      {"rank 1", {{Kind::Exit, guard, "leaves", "f", 0, "", ""}}, "never calls `reduce`"},
      {"rank 2", {}, "never calls `reduce`"}};
  f.function = "f";
  f.fingerprint_key = "reduce|world";
  return f;
}

Finding hostile_text() {
  Finding f;
  f.rule = "rank-guarded-collective";
  f.code = "RL101";
  f.confidence = Confidence::Certain;
  f.primary = at("train/hostile.py", "barrier()");
  f.message = "a message with \x1b[1m an escape sequence,\na line feed and \xff a broken byte";
  f.related = {{at("train/hostile.py", "rank == 0"),
                "a label that is far too long to stand beside its line in any terminal of a usual width"}};
  f.function = "g";
  f.fingerprint_key = "barrier|world|rank == 0";
  return f;
}

Finding unknown_range() {
  Finding f;
  f.rule = "world-size-mismatch";
  f.code = "RL701";
  f.severity = Severity::Warning;
  f.confidence = Confidence::Certain;
  f.primary = {"launch.sh", {}};
  f.message = "3 ranks can not be cut into `sp` of 2";
  f.fingerprint_key = "sp|2|3";
  return f;
}

Finding file_gone() {
  Finding f;
  f.rule = "rank-dependent-loop";
  f.code = "RL104";
  f.confidence = Confidence::Certain;
  f.primary = {"/opt/site/gone, or moved.py", {7, 5, 7, 20}};
  f.message = "the loop around `all_reduce` runs once more on rank 0";
  f.related = {{{"/opt/site/gone, or moved.py", {6, 3, 6, 9}}, "the bound depends on the rank"}};
  f.function = "gone.train";
  f.fingerprint_key = "all_reduce|world";
  return f;
}

ReportInput sample_input() {
  static constexpr RuleInfo kGuarded{
      .id = "rank-guarded-collective",
      .code = "RL101",
      .summary = "some ranks of a group enter code that communicates on it, others do not",
      .severity = Severity::Error,
      .since = "0.1"};
  static constexpr std::string_view kPage =
      "# rank-guarded-collective (RL101)\n\n## What it does\n\nFinds code that communicates\nand that some ranks "
      "enter.\n\n"
      "## Why it matters\n\nThe others never come.\n";
  ReportInput input;
  input.findings = {file_gone(), unknown_range(), no_witness(), tabs_and_wide(), hostile_text(), guarded_constructor()};
  input.suppressed = {{no_witness(), "waited for by the caller", at("lib/parallel.py", "group = sequence_group()")}};
  input.notes = {
      {"unreadable-source", "RL903", Severity::Warning, {"train/secret.py", {}}, "can not be read: permission denied"},
      {"partial-parse", "RL904", Severity::Info, at("lib/parallel.py", "shape"), "`warm_up` is read in part"}};
  input.rules = {{&kGuarded, kPage}};
  input.counts = {.files = 120,
                  .functions = 1204,
                  .unresolved_calls = 12,
                  .communicating_functions = 30,
                  .unknown_constructs = 3,
                  .limited_functions = 2,
                  .programs = 4};
  input.truncated_runs = {{"src/solver.cpp", "an object with a destructor"}};
  input.unread = {
      {"C or C++ file", "this build has no frontend for \"C\"", "use one that has", {"src/a.c", "src/<b>.cpp"}}};
  input.incomplete = {{IncompletePlace::Kind::File, "lib/parallel.py", 2, {}, "parse-error", "does not parse"},
                      {IncompletePlace::Kind::Function, "lib/parallel.py", 4, "Trainer.step", "many-paths",
                       "too many paths to compare"},
                      {IncompletePlace::Kind::Program,
                       "src/solver.cpp",
                       0,
                       {},
                       "program-cut-off",
                       "not run to its end: an object with a destructor"}};
  input.source = sample_source;
  input.version = "0.1.0";
  input.home_page = "https://example.org/ranklint";
  input.project_root = "/home/me/my project";
  return input;
}

}  // namespace ranklint::test
