// Compares all functions as a check does: where ranks part on the line of what parts them, who waits, how sure that is,
// and the reasons to doubt it.
#include "analyzer/product/divergence_check.h"

#include "analyzer/base/confidence_words.h"
#include "tests/analysis/produced.h"

namespace ranklint::test {

namespace {

std::string degree_of(const Assurance& sure) {
  std::string text(ranklint::text_of(kConfidenceWords, sure.degree()));
  for (size_t i = 0; i < sure.doubts().size(); ++i)
    text += (i == 0 ? ": " : ", ") + std::string(info_of(sure.doubts()[i].reason).id);
  return text;
}

std::string what_of(const Mismatch& m) {
  if (!m.first_argument.empty() || !m.second_argument.empty())
    return "they disagree in " + m.first.op + ": " + m.first_argument + ", " + m.second_argument;
  return m.first.ranks.text + (m.first.ranks.is_plural ? " wait in " : " waits in ") + m.first.op;
}

}  // namespace

void add_divergences(Query& query, std::vector<Fact>& facts) {
  const Disagreements found = DivergenceCheck(query, {}).run();
  for (const Mismatch& m : found.mismatches)
    facts.push_back({m.guard.line, what_of(m) + ", " + degree_of(m.certainty)});
  for (const DivergentArgument& d : found.arguments)
    facts.push_back({d.range.line, "members of " + d.op + " differ, " + degree_of(d.certainty)});
}

}  // namespace ranklint::test
