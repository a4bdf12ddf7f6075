#include "tests/analysis/comparison.h"

#include <algorithm>

namespace ranklint::test {

FactsByLine by_line(const std::vector<Fact>& facts) {
  FactsByLine lines;
  for (const Fact& fact : facts) {
    std::vector<Fact>& on_line = lines[fact.line];
    if (std::ranges::none_of(on_line, [&](const Fact& f) { return f.text == fact.text; })) on_line.push_back(fact);
  }
  return lines;
}

std::string joined(const std::vector<Fact>& facts, bool defaults) {
  std::string text;
  for (const Fact& fact : facts)
    if (defaults || !fact.is_default) text += (text.empty() ? "" : "; ") + fact.text;
  return text;
}

std::vector<std::string> differences(const std::string& path, const std::vector<StatedFact>& stated,
                                     const FactsByLine& produced) {
  std::vector<std::string> lines;
  FactsByLine left = produced;
  const auto place = [&](uint32_t line) { return path + ":" + std::to_string(line) + ": "; };
  for (const StatedFact& fact : stated) {
    std::vector<Fact>& on_line = left[fact.line];
    const auto met = std::ranges::find(on_line, fact.text, &Fact::text);
    if (met != on_line.end()) {
      on_line.erase(met);
      continue;
    }
    const auto got = produced.find(fact.line);
    lines.push_back(place(fact.line) + "expected `" + fact.text + "`, got `" +
                    (got == produced.end() ? "" : joined(got->second, true)) + "`");
  }
  for (const auto& [line, facts] : left)
    for (const Fact& fact : facts)
      if (!fact.is_default) lines.push_back(place(line) + "expected nothing, got `" + fact.text + "`");
  return lines;
}

}  // namespace ranklint::test
