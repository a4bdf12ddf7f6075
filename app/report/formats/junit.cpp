// JUnit's XML, as Jenkins, GitLab and Azure read it: a file is a suite, a finding a test that fails in it, a note
// one that could not be run; that not everything was checked is a test that was skipped. Without any of these, one test
// passes, so that a clean check is not taken for one that did not run. No attribute stands where the schema of Jenkins'
// xUnit plugin (junit-10.xsd) has none: the plugin refuses the whole file.
#include <algorithm>

#include "app/report/entries.h"
#include "app/report/formats/formats.h"
#include "app/report/markup.h"
#include "app/report/source_text.h"
#include "app/report/unchecked.h"

namespace ranklint::report {

namespace {

// Keeps line feeds, which are all that `markup` would lose of a text of ours.
std::string lines_of(std::string_view text) {
  std::string out;
  for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    out += markup(text.substr(0, end)) + "\n";
    text.remove_prefix(end + 1);
  }
  return out + markup(text);
}

struct Counts {
  size_t tests = 0, failures = 0, errors = 0;

  void add(const Entry& entry) {
    ++tests;
    ++(entry.finding != nullptr ? failures : errors);
  }

  std::string attributes() const {
    return attribute("tests", std::to_string(tests)) + attribute("failures", std::to_string(failures)) +
           attribute("errors", std::to_string(errors));
  }
};

std::string test_case(const Entry& entry, Sources& sources) {
  const SourceRange range = sources.in_unit(entry.location, ColumnUnit::CodePoint);
  const std::string tag = entry.finding != nullptr ? "failure" : "error";
  std::string name = entry.code + " " + entry.rule;
  if (range.known()) name += " (line " + std::to_string(range.line) + ", column " + std::to_string(range.column) + ")";
  return "    <testcase" + attribute("name", name) + attribute("classname", entry.location.path) + ">\n      <" + tag +
         attribute("type", entry.code) + attribute("message", entry.message) + ">" +
         lines_of(sources.place(entry.location) + ": " + entry.message + "\n" + details_of(entry)) + "</" + tag +
         ">\n    </testcase>\n";
}

// What was not checked, as one test that was not run.
std::string skipped_suite(const ReportInput& input, const std::string& sentence) {
  std::string list;
  for (const auto& [place, text] : unchecked_places(input)) list += place + ": " + text + "\n";
  return "  <testsuite name=\"ranklint\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\">\n    <testcase "
         "name=\"everything was checked\" classname=\"ranklint\">\n      <skipped" +
         attribute("message", sentence) + "/>\n      <system-out>" + lines_of(list) +
         "</system-out>\n    </testcase>\n  </testsuite>\n";
}

}  // namespace

std::string render_junit(const ReportInput& input) {
  Sources sources(input.source);
  const std::vector<Entry> all = entries(input);
  Counts total;
  std::string suites;
  for (auto from = all.begin(); from != all.end();) {
    const auto to =
        std::find_if(from, all.end(), [&](const Entry& entry) { return entry.location.path != from->location.path; });
    Counts counts;
    std::string cases;
    for (auto entry = from; entry != to; ++entry) {
      counts.add(*entry);
      total.add(*entry);
      cases += test_case(*entry, sources);
    }
    suites += "  <testsuite" + attribute("name", from->location.path) + counts.attributes() +
              attribute("file", from->location.path) + ">\n" + cases + "  </testsuite>\n";
    from = to;
  }
  const std::string unchecked = unchecked_sentence(input);
  if (!unchecked.empty()) {
    ++total.tests;
    suites += skipped_suite(input, unchecked);
  } else if (all.empty()) {
    ++total.tests;
    suites = "  <testsuite name=\"ranklint\"" + total.attributes() +
             ">\n    <testcase name=\"no hazards found\" classname=\"ranklint\"/>\n  </testsuite>\n";
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ranklint\"" + total.attributes() + ">\n" +
         suites + "</testsuites>\n";
}

}  // namespace ranklint::report
