#include "rules/told.h"
#include "rules/wording.h"

namespace ranklint::unordered_iteration {

constexpr RuleInfo kInfo{.id = "unordered-iteration",
                         .code = "RL114",
                         .summary = "a loop communicates in an order that differs between ranks",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::string describe(const UnorderedLoop& loop) {
  const std::string order = loop.source == "set" ? "a set" : "`" + loop.source + "`";
  const std::string what = collective_text(loop.op, loop.group) + " follows the order of " + order;
  return what + (loop.callee.empty() ? "" : " in `" + loop.callee + "`") + ", which differs between ranks";
}

static void check(const Facts& facts, Reporter& report) {
  for (const UnorderedLoop& loop : facts.unordered_loops) {
    if (!is_reported(facts, loop.function)) continue;
    Finding finding = finding_at(kInfo, facts, loop.function, loop.range, loop.certainty);
    finding.message = describe(loop);
    if (loop.collective != loop.range)
      finding.related.push_back({{finding.primary.path, loop.collective}, "one round communicates here"});
    if (loop.made_in.valid())
      finding.related.push_back({{path_of(facts, loop.made_in), loop.made}, "the order is lost here"});
    finding.help =
        "go through the elements in an order that all ranks share: sorted(...), or dict.fromkeys(...) instead of a set";
    finding.fingerprint_key = loop.op + " " + loop.group + " " + loop.source + " " + loop.callee;
    finding.replay = told::in_two_orders({loop.op, loop.group, {finding.primary.path, loop.collective}});
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::unordered_iteration
