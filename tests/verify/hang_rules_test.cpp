// Every rule of the registry: it is shown by a run, or this page says why no rank waits because of what it finds.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/project/project.h"
#include "app/engine/frontends.h"
#include "app/verify/verify.h"
#include "rules/rule.h"
#include "tests/rules/cases.h"

namespace ranklint::test {

namespace {

struct NoRun {
  std::string_view rule, because;
};

// Sorted by rule.
constexpr NoRun kNoRun[] = {
    {"aliased-buffers", "the result is wrong"},
    {"batched-p2p-order", "tensors arrive in each other's place"},
    {"broadcast-metadata-mismatch", "bytes are taken for another type"},
    {"buffer-in-use", "the result is wrong"},
    {"buffer-type-mismatch", "memory is overwritten"},
    {"call-outside-mpi", "the call fails"},
    {"chunk-fewer-than-ranks", "the index fails"},
    {"clip-without-group", "the norm is wrong"},
    {"degree-world-mismatch", "set-up fails, or ranks stay idle"},
    {"device-not-bound", "ranks share a device"},
    {"distribute-from-source-rank", "it takes time"},
    {"env-after-init", "a setting is not heard"},
    {"epoch-misuse", "the call fails"},
    {"heads-not-divisible", "the shape does not fit, on every rank"},
    {"init-order", "the call fails"},
    {"invalid-argument", "the call fails"},
    {"invalid-handle", "the call fails"},
    {"launcher-degrees", "set-up fails, or ranks stay idle"},
    {"long-work-before-collective", "it takes time, and may take too much"},
    {"message-mismatch", "the message is cut or taken for another type"},
    {"message-race", "the result depends on who comes first"},
    {"meta-without-init", "weights have no values"},
    {"mixed-tensor-dtensor", "the operation fails, on every rank"},
    {"nccl-group-unbalanced", "nothing is launched, on every rank"},
    {"nccl-use-after-destroy", "the call fails"},
    {"partial-parse", "about the source"},
    {"placement-mismatch", "values are wrong"},
    {"rank0-weights-not-synced", "weights differ"},
    {"redundant-guard", "nothing goes wrong"},
    {"renamed-nccl-env", "a setting is not heard"},
    {"request-misuse", "the call fails"},
    {"resource-leak", "memory is lost"},
    {"save-without-barrier", "a file is read half written"},
    {"sequence-not-padded", "the result is wrong"},
    {"shard-on-device", "memory runs out"},
    {"shared-file-written-by-all", "a file is torn"},
    {"sp-inputs-differ", "the result is wrong"},
    {"sync-module-states-on-cpu", "the constructor fails, on every rank"},
    {"thread-level", "two threads are in the library at once"},
    {"unknown-callee", "nothing is known to go wrong"},
    {"unknown-rule", "about a comment"},
    {"unreadable-source", "about the source"},
    {"unsorted-shards", "parts are read twice and others never"},
    {"unused-suppression", "about a comment"},
    {"unwaited-request", "the result is wrong"},
    {"unwaited-work", "the result is wrong"},
    {"watchdog-off", "a hang is not ended"},
    {"window-conflict", "the result is wrong"},
};

bool has_no_run(std::string_view rule) {
  return std::any_of(std::begin(kNoRun), std::end(kNoRun), [&](const NoRun& row) { return row.rule == rule; });
}

std::vector<Finding> findings_in(const Case& c) {
  static const Models kModels = Models::builtin();
  std::vector<SourceFile> files;
  for (const CaseFile& file : c.files) files.push_back({.path = file.path, .bytes = file.text});
  AnalysisOptions options{.threads = 1, .watched = watched_calls(all_rules()), .progress = {}, .replays = true};
  return run_rules(*analyze(std::move(files), kModels, app::lower_source, options).facts);
}

struct Shown {
  size_t confirmed = 0;
  std::set<std::string> other;  // what a run said else
  bool correct_twin = false;    // a function, or a file, called correct, about which it is silent
};

bool is_correct_by_name(std::string_view text) {
  return text.find("_ok(") != text.npos || text.find("good") != text.npos || text.find("right") != text.npos ||
         text.find("correct") != text.npos;
}

std::map<std::string, Shown, std::less<>> shown_by_fixtures() {
  std::map<std::string, Shown, std::less<>> shown;
  for (const Case& c : fixture_cases()) {
    for (const CaseFile& file : c.files)
      shown[c.rule].correct_twin |= is_correct_by_name(file.text) || is_correct_by_name(file.path);
    for (const Finding& finding : findings_in(c)) {
      const Verdict verdict = app::verify(finding);
      if (verdict.kind == Verdict::Kind::Confirmed)
        ++shown[finding.rule].confirmed;
      else
        shown[finding.rule].other.insert(verdict.reason);
    }
  }
  return shown;
}

}  // namespace

TEST_CASE(
    "every rule is confirmed by a run of its fixtures beside a correct twin, or no rank waits for what it finds") {
  auto shown = shown_by_fixtures();
  for (const Rule& rule : all_rules()) {
    Shown& by = shown[std::string(rule.info->id)];
    INFO(rule.info->id << (by.other.empty() ? "" : ": " + *by.other.begin()));
    if (has_no_run(rule.info->id)) {
      CHECK(by.confirmed == 0);
      continue;
    }
    CHECK(by.confirmed > 0);
    CHECK(by.correct_twin);
  }
}

TEST_CASE("whatever is said to have no run is a rule") {
  for (const NoRun& row : kNoRun) {
    INFO(row.rule);
    CHECK(find_rule(row.rule) != nullptr);
    CHECK(!row.because.empty());
  }
}

}  // namespace ranklint::test
