// The page is looked at in a browser; here is held what must not be lost unseen.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "app/report/report.h"
#include "tests/report/samples.h"

namespace ranklint::test {

namespace {

// The text after each `start`, up to the next quote.
std::vector<std::string> values(const std::string& page, const std::string& start) {
  std::vector<std::string> out;
  for (size_t at = page.find(start); at != page.npos; at = page.find(start, at + 1)) {
    const size_t from = at + start.size();
    out.push_back(page.substr(from, page.find('"', from) - from));
  }
  return out;
}

ReportInput with_findings(std::vector<Finding> findings) {
  ReportInput input = sample_input();
  input.findings = std::move(findings);
  return input;
}

}  // namespace

TEST_CASE("the page has a place for every finding, and no two are the same") {
  const ReportInput input = sample_input();
  const std::string page = render(OutputFormat::Html, input);
  CHECK(values(page, "<details class=\"f ").size() == input.findings.size());
  std::vector<std::string> ids = values(page, " id=\"");
  const size_t all = ids.size();
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  CHECK(ids.size() == all);
}

TEST_CASE("every step of a picture leads to a line that is shown") {
  const std::string page = render(OutputFormat::Html, with_findings({guarded_constructor(), tabs_and_wide()}));
  const std::vector<std::string> ids = values(page, " id=\"");
  const std::set<std::string> known(ids.begin(), ids.end());
  const std::vector<std::string> links = values(page, " href=\"#s");
  CHECK(links.size() == 2 * 9);  // each picture is there twice
  for (const std::string& link : links) CHECK(known.contains("s" + link));
}

TEST_CASE("the page loads nothing and names no folder of the machine") {
  const std::string page = render(OutputFormat::Html, sample_input());
  for (const char* part : {" src=\"", "url(", "@import", "fetch(", "/home/me"}) CHECK(page.find(part) == page.npos);
}

TEST_CASE("what comes from source files is text of the page and nothing else") {
  Finding finding = guarded_constructor();
  finding.message = "</summary><script>alert(1)</script> `<img onerror=x>`";
  finding.function = "f\" onclick=\"alert(1)";
  finding.primary.path = "<b>.py";
  const std::string page = render(OutputFormat::Html, with_findings({finding}));
  CHECK(page.find("<script>alert") == page.npos);
  CHECK(page.find("<img") == page.npos);
  CHECK(page.find("<b>.py") == page.npos);
  CHECK(page.find("\" onclick") == page.npos);
}

TEST_CASE("the line where ranks wait is marked, with who waits for whom") {
  const std::string page = render(OutputFormat::Html, with_findings({guarded_constructor()}));
  CHECK(page.find("<mark class=\"wait\">group.all_to_all(shape)</mark>") != page.npos);
  CHECK(page.find("<em>rank 0: waits for ranks 1..3</em>") != page.npos);
  CHECK(page.find("<mark class=\"guard\">world.rank_in_group == 0</mark>") != page.npos);
}

TEST_CASE("a line of a million characters is cut around what is marked") {
  const std::string line = std::string(500000, 'x') + "barrier()" + std::string(500000, 'y') + "\n";
  Finding finding = hostile_text();
  finding.primary = {"big.py", {1, 500001, 1, 500010}};
  finding.related.clear();
  ReportInput input = with_findings({finding});
  input.source = [&](const std::string&) { return std::string_view(line); };
  const std::string page = render(OutputFormat::Html, input);
  CHECK(page.find("<mark class=\"prim\">barrier()</mark>") != page.npos);
  CHECK(page.size() < 100000);
}

TEST_CASE("a thousand findings make a page that can be sent around") {
  const std::string page = render(OutputFormat::Html, with_findings(std::vector<Finding>(1000, guarded_constructor())));
  CHECK(page.size() < 20'000'000);
}

TEST_CASE("a rule that was met has its page in the report, once, and findings lead to it") {
  static constexpr RuleInfo kRule{.id = "rank-guarded-collective",
                                  .code = "RL101",
                                  .summary = "some ranks enter",
                                  .severity = Severity::Error,
                                  .since = "0.1"};
  static constexpr RuleInfo kOther{
      .id = "other", .code = "RL999", .summary = "", .severity = Severity::Error, .since = "0.1"};
  static constexpr std::string_view kPage =
      "# rank-guarded-collective (RL101)\n\n## What it does\n\nFinds [`code`](a.md) that <b>\ncommunicates.\n\n## "
      "Bad\n\n```python\nif r < 1:\n"
      "    f()  # expect: [x] \"y\"\n```\n\n- one\n  more\n- two\n";
  ReportInput input = with_findings({guarded_constructor(), guarded_constructor()});
  input.rules = {{&kRule, kPage}, {&kOther, kPage}};
  const std::string page = render(OutputFormat::Html, input);
  const auto has = [&](const char* text) { return page.find(text) != page.npos; };
  CHECK(values(page, "id=\"rule-") == std::vector<std::string>{"RL101"});
  CHECK(values(page, "href=\"#rule-").size() == 2);
  CHECK(has("<h3>What it does</h3>\n<p>Finds <code>code</code> that &lt;b&gt; communicates.</p>"));
  CHECK(has("<pre>if r &lt; 1:\n    f()\n</pre>"));
  CHECK(has("<ul>\n<li>one more</li>\n<li>two</li>\n</ul>"));
}

TEST_CASE("a page without findings says so, and has no filter") {
  ReportInput input;
  input.counts.files = 2;
  const std::string page = render(OutputFormat::Html, input);
  CHECK(page.find("No hazards found") != page.npos);
  CHECK(page.find("id=\"filter\"") == page.npos);
}

}  // namespace ranklint::test
