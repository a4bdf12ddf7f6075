// A term or an expression that is printed is for people. Its depth and its spelling decide nothing: whether two are the
// same is asked of their terms or of their value numbers. What prints one is listed, with what for.
#include <catch2/catch.hpp>

#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layers/counted_files.h"
#include "tests/layers/sources.h"

namespace ranklint::test {

namespace {

constexpr std::string_view kShown = "what a message or a witness shows",
                           kContent = "the digits of a constant number, which are its value",
                           kSpelling = "how a term reads, of which another's is a part";

constexpr CountedFile kPrintsTerms[] = {
    {"analyzer/execution/sizes.cpp", 1, kShown},         {"analyzer/interp/function_run_builtins.cpp", 1, kContent},
    {"analyzer/messages/messages.cpp", 1, kShown},       {"analyzer/product/arguments.cpp", 4, kShown},
    {"analyzer/product/lockstep_report.cpp", 3, kShown}, {"analyzer/questions/seen_value.cpp", 3, kShown},
    {"analyzer/summary/groups.cpp", 2, kShown},          {"analyzer/summary/query.h", 1, kSpelling},
    {"analyzer/summary/source_text.cpp", 4, kSpelling},  {"rules/loading/shared-file-written-by-all.cpp", 1, kShown},
    {"rules/p2p/batched-p2p-order.cpp", 1, kShown},
};

// The places where a term or an expression is printed, or where what was printed or quoted is compared or searched.
size_t printed_in(const std::string& line) {
  static const std::regex kPrinted(
      R"re(\bsource_text\(|\bvalues(?:_|\(\))?\.describe\(|\bExprPrinter\b|\bprint_expr\()re"
      R"re(|(?:\.|->)spelled(?: [!=]= |\.(?:starts_with|ends_with|find|substr|contains|compare)\b))re"
      R"re(|[!=]= [a-z_.]*\.spelled\b|->text [!=]= |[!=]= [a-z_]+->text\b)re");
  return static_cast<size_t>(std::distance(std::sregex_iterator(line.begin(), line.end(), kPrinted), {}));
}

std::map<std::string, size_t> printed_by_file(const std::vector<Line>& sources) {
  std::map<std::string, size_t> found;
  for (const Line& line : sources)
    if ((line.path.starts_with("analyzer/") || line.path.starts_with("rules/")) &&
        !line.path.starts_with("analyzer/ir/"))
      if (const size_t count = printed_in(line.text)) found[line.path] += count;
  return found;
}

}  // namespace

TEST_CASE("what prints a term or an expression does so for people") {
  const std::vector<Line> sources = lines_of_sources(lines_of_repository());
  REQUIRE(sources.size() > 1000);
  CHECK(mistakes_in({std::begin(kPrintsTerms), std::end(kPrintsTerms)}, printed_by_file(sources)) ==
        std::vector<std::string>{});
}

TEST_CASE("a printed term that is searched or compared is found, an interned name is not") {
  CHECK(printed_in("if (in_.values().describe(v).find(name) != npos)") == 1);
  CHECK(printed_in("if (in_.source_text(v).ends_with(name))") == 1);
  CHECK(printed_in("const ir::ExprPrinter print(references, code.ir);") == 1);
  CHECK(printed_in("if (asked->text == question->text)") == 1);
  CHECK(printed_in("if (seen.spelled == name || seen.spelled.starts_with(name))") == 2);
  CHECK(printed_in("in_.index().intern(name)") == 0);
  CHECK(printed_in("while (item.end < lines.size() && lines[item.end].text != word)") == 0);
  CHECK(printed_by_file({{"analyzer/ir/print.cpp", 1, "ExprPrinter exprs;"}}).empty());
}

}  // namespace ranklint::test
