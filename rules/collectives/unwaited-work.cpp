#include "rules/wording.h"

namespace ranklint::unwaited_work {

constexpr RuleInfo kInfo{.id = "unwaited-work",
                         .code = "RL112",
                         .summary = "an asynchronous collective is not waited for before its buffer is used",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

static std::string describe(const LooseHandle& handle) {
  const std::string what = "asynchronous " + collective_text(handle.op, handle.group);
  switch (handle.what) {
    case LooseHandle::What::Dropped: return what + " is started and its handle thrown away: nobody can wait for it";
    case LooseHandle::What::NeverWaited: return what + " is started and its handle never looked at";
    case LooseHandle::What::Overwritten: return what + " loses its handle before a wait: another value replaces it";
    case LooseHandle::What::LeftOnAPath: return what + " is not waited for on a path that returns";
    case LooseHandle::What::Touched: return "the buffer of " + what + " is used before the wait";
  }
  return what;
}

static void check(const Facts& facts, Reporter& report) {
  for (const LooseHandle& handle : facts.loose_handles) {
    if (!is_reported(facts, handle.function)) continue;
    Finding finding = finding_at(kInfo, facts, handle.function, handle.range, handle.certainty);
    finding.message = describe(handle);
    if (handle.start != handle.range) finding.related.push_back({{finding.primary.path, handle.start}, "started here"});
    finding.help = "keep the handle and call wait() before the next use of the buffer, or leave async_op out";
    finding.fingerprint_key = handle.op + " " + handle.group;
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::unwaited_work
