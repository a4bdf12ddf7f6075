// The formats that services read: their golden files, and the structure that each service asks for.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>
#include <set>

#include "app/report/report.h"
#include "tests/report/samples.h"
#include "tests/report/xml.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

using Json = nlohmann::json;

std::string checked(OutputFormat format, const std::string& golden) {
  const std::string text = render(format, sample_input());
  check_golden(source_path("testdata/report/" + golden), text);
  return text;
}

size_t number(const XmlElement& element, const std::string& name) { return std::stoul(element.attributes.at(name)); }

}  // namespace

TEST_CASE("JUnit counts what it holds: findings fail, notes are errors") {
  const auto elements = xml_elements(checked(OutputFormat::Junit, "junit.xml"));
  REQUIRE(elements);
  CHECK(elements->front().tag == "testsuites");
  size_t cases = 0, failures = 0, errors = 0;
  for (const XmlElement& element : *elements) {
    cases += element.tag == "testcase";
    failures += element.tag == "failure";
    errors += element.tag == "error";
    if (element.tag == "testcase")
      CHECK((element.attributes.contains("name") && element.attributes.contains("classname")));
  }
  CHECK(cases == number(elements->front(), "tests"));
  CHECK(failures == sample_input().findings.size());
  CHECK(failures == number(elements->front(), "failures"));
  CHECK(errors == number(elements->front(), "errors"));
}

TEST_CASE("JUnit has no attribute that Jenkins' xUnit plugin refuses") {
  const std::map<std::string, std::set<std::string>> allowed{
      {"testsuites", {"name", "time", "tests", "failures", "errors"}},
      {"testsuite",
       {"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id", "package",
        "file", "log", "url", "version"}},
      {"testcase", {"name", "time", "classname", "group"}},
      {"failure", {"type", "message"}},
      {"skipped", {"type", "message"}},
      {"system-out", {}},
      {"error", {"type", "message"}}};
  const auto elements = xml_elements(render(OutputFormat::Junit, sample_input()));
  REQUIRE(elements);
  for (const XmlElement& element : *elements) {
    CAPTURE(element.tag);
    REQUIRE(allowed.contains(element.tag));
    for (const auto& [name, value] : element.attributes) {
      CAPTURE(name);
      CHECK(allowed.at(element.tag).contains(name));
    }
  }
}

TEST_CASE("JUnit of a clean check has one test, and it passes") {
  ReportInput input;
  input.counts.files = 1;
  const auto elements = xml_elements(render(OutputFormat::Junit, input));
  REQUIRE(elements);
  CHECK(elements->size() == 3);
  CHECK(elements->back().tag == "testcase");
  CHECK(number(elements->front(), "tests") == 1);
  CHECK(number(elements->front(), "failures") == 0);
}

TEST_CASE("Checkstyle lists files, and their errors with a known severity") {
  const auto elements = xml_elements(checked(OutputFormat::Checkstyle, "checkstyle.xml"));
  REQUIRE(elements);
  std::set<std::string> files;
  for (const XmlElement& element : *elements) {
    if (element.tag == "file") CHECK(files.insert(element.attributes.at("name")).second);
    if (element.tag != "error") continue;
    CHECK(element.depth == 2);
    CHECK(std::set<std::string>{"error", "warning", "info"}.contains(element.attributes.at("severity")));
    CHECK(!element.attributes.at("message").empty());
  }
  CHECK(files.size() == 7);
}

TEST_CASE("GitLab's issues have all that it requires, and fingerprints of their own") {
  const Json issues = Json::parse(checked(OutputFormat::Gitlab, "gitlab.json"));
  CHECK(issues.size() == sample_input().findings.size() + sample_input().notes.size());
  std::set<std::string> fingerprints;
  for (const Json& issue : issues) {
    CHECK(!issue.at("description").get<std::string>().empty());
    CHECK(!issue.at("check_name").get<std::string>().empty());
    CHECK(fingerprints.insert(issue.at("fingerprint")).second);
    CHECK(std::set<std::string>{"info", "minor", "major", "critical", "blocker"}.contains(issue.at("severity")));
    CHECK(issue.at("location").at("lines").at("begin").get<int>() >= 1);
    CHECK_FALSE(issue.at("location").at("path").get<std::string>().starts_with("./"));
  }
  CHECK(render(OutputFormat::Gitlab, ReportInput{}) == "[]\n");
}

TEST_CASE("reviewdog's diagnostics have places in bytes, and only what its format knows") {
  const Json result = Json::parse(checked(OutputFormat::Rdjson, "rdjson.json"));
  CHECK(result.at("source").at("name") == "ranklint");
  const std::set<std::string> known{"message", "location",    "severity",       "source",
                                    "code",    "suggestions", "originalOutput", "relatedLocations"};
  for (const Json& diagnostic : result.at("diagnostics")) {
    for (const auto& [key, value] : diagnostic.items()) CHECK(known.contains(key));
    CHECK(!diagnostic.at("message").get<std::string>().empty());
    CHECK(diagnostic.at("location").contains("path"));
    CHECK(std::set<std::string>{"INFO", "WARNING", "ERROR"}.contains(diagnostic.at("severity")));
  }
  ReportInput input = sample_input();
  input.findings = {tabs_and_wide()};
  input.notes.clear();
  const Json range = Json::parse(render(OutputFormat::Rdjson, input))["diagnostics"][0]["location"]["range"];
  CHECK(range["start"]["column"] == tabs_and_wide().primary.range.column);
}

}  // namespace ranklint::test
