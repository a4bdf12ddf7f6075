#include "rules/mismatches.h"
#include "rules/told.h"
#include "rules/wording.h"

namespace ranklint::generator_collective {

constexpr RuleInfo kInfo{.id = "generator-collective",
                         .code = "RL115",
                         .summary = "a generator that communicates is not resumed equally often by all ranks",
                         .severity = Severity::Error,
                         .since = "0.1"};

constexpr std::string_view kHelp =
    "go through the generator to its end on every rank, and guard what is done with its elements";

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::Generator)) {
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = m.first.ranks.text + verb(m.first.ranks, " resume") + " a generator that issues " +
                      collective_text(m.first.op, m.group) + ", without " + m.second.beside.text;
    finding.help = kHelp;
    report.push_back(std::move(finding));
  }
  for (const LeftGenerator& g : facts.left_generators) {
    if (!is_reported(facts, g.function)) continue;
    Finding finding = finding_at(kInfo, facts, g.function, g.range, g.certainty);
    finding.message =
        g.at_next
            ? "only some ranks ask for the next element of a generator that issues " + collective_text(g.op, g.group)
            : "some ranks leave this loop before the generator is done, which issues " + collective_text(g.op, g.group);
    finding.related.push_back({{finding.primary.path, g.guard}, "ranks diverge here"});
    finding.help = kHelp;
    finding.replay = told::by_one_alone({g.op, g.group, finding.primary});
    finding.fingerprint_key = g.op + " " + g.group;
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::generator_collective
