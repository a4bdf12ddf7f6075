// Each format of the whole sample report, as a golden file in testdata/report/.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>
#include <sstream>

#include "app/report/report.h"
#include "tests/report/samples.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

using Json = nlohmann::json;

void check_format(OutputFormat format, const ReportInput& input, const std::string& golden) {
  check_golden(source_path("testdata/report/" + golden), render(format, input));
}

}  // namespace

TEST_CASE("the full report shows source, lanes and the way out") {
  check_format(OutputFormat::Full, sample_input(), "full.txt");
}

TEST_CASE("the full report puts lanes below each other in a narrow terminal") {
  ReportInput input = sample_input();
  input.findings = {guarded_constructor(), hostile_text()};
  input.width = 60;
  check_format(OutputFormat::Full, input, "full-narrow.txt");
}

TEST_CASE("colour only adds escape sequences to the full report") {
  ReportInput input = sample_input();
  const std::string plain = render(OutputFormat::Full, input);
  input.color = true;
  const std::string colored = render(OutputFormat::Full, input);
  std::string stripped;
  for (size_t i = 0; i < colored.size(); ++i)
    if (colored[i] == '\033')
      i = colored.find('m', i);
    else
      stripped += colored[i];
  CHECK(colored != plain);
  CHECK(stripped == plain);
}

TEST_CASE("statistics count the findings of each rule and what is not known") {
  ReportInput input = sample_input();
  input.statistics = true;
  check_format(OutputFormat::Concise, input, "statistics.txt");
}

TEST_CASE("the concise report is a line per finding") {
  check_format(OutputFormat::Concise, sample_input(), "concise.txt");
}
TEST_CASE("the JSON report holds everything") { check_format(OutputFormat::Json, sample_input(), "report.json"); }
TEST_CASE("JSON lines hold a finding each") { check_format(OutputFormat::JsonLines, sample_input(), "report.jsonl"); }
TEST_CASE("the SARIF log holds rules, flows and suppressions") {
  check_format(OutputFormat::Sarif, sample_input(), "report.sarif");
}
TEST_CASE("workflow commands are escaped") { check_format(OutputFormat::Github, sample_input(), "github.txt"); }

TEST_CASE("a project without findings is told so") {
  ReportInput input;
  input.counts.files = 120;
  CHECK(render(OutputFormat::Full, input) == "No hazards found in 120 files.\n");
  CHECK(render(OutputFormat::Concise, input) == "No hazards found in 120 files.\n");
  CHECK(render(OutputFormat::JsonLines, input).empty());
  CHECK(render(OutputFormat::Github, input).empty());
  CHECK(Json::parse(render(OutputFormat::Json, input))["findings"].empty());
  CHECK(Json::parse(render(OutputFormat::Sarif, input))["runs"][0]["results"].is_array());
}

namespace {

const UnreadFiles kUnread{
    "C or C++ file", "this build cannot read C and C++", "use a build that can", {"a.c", "b.cpp"}};
const IncompletePlace kFile{IncompletePlace::Kind::File, "m.py", 3, {}, "parse-error", "does not parse"};
const IncompletePlace kFunction{IncompletePlace::Kind::Function, "m.py", 7, "step", "many-paths",
                                "too many paths to compare"};

ReportInput with_gaps() {
  ReportInput input;
  input.counts.files = 3;
  input.unread = {kUnread};
  input.incomplete = {kFile, kFunction};
  return input;
}

}  // namespace

TEST_CASE("no hazards are found only where everything was checked") {
  ReportInput input;
  input.counts.files = 3;
  input.incomplete = {kFile};
  CHECK(render(OutputFormat::Full, input) ==
        "No hazards in what was checked of 3 files. Not checked: parts of 1 file. `--show-incomplete` lists them.\n");
  input.incomplete = {
      kFile, kFile, kFunction, {IncompletePlace::Kind::BrokenFunction, "m.py", 9, "go", "internal-error", "broken"}};
  CHECK_THAT(render(OutputFormat::Concise, input),
             Catch::Contains("Not checked: parts of 1 file; 1 function (internal error); parts of 1 function."));
  CHECK_THAT(render(OutputFormat::Concise, with_gaps()),
             Catch::Contains("Not checked: 2 C or C++ files (this build cannot read C and C++); parts of"));
  for (const char* name : {"full", "concise", "json", "sarif", "github", "html", "svg", "junit"})
    CHECK(render(*output_format_of(name), with_gaps()).find("No hazards found") == std::string::npos);
  CHECK(render(OutputFormat::Full, ReportInput{}) == "No files were checked.\n");
}

TEST_CASE("what was found does not hide what was not checked") {
  ReportInput input = sample_input();
  input.unread = {kUnread};
  CHECK_THAT(render(OutputFormat::Concise, input), Catch::Contains(" in 120 files. Not checked: 2 C or C++ files"));
}

TEST_CASE("what was not checked is listed on request, with place and reason") {
  ReportInput input = with_gaps();
  input.show_incomplete = true;
  const std::string text = render(OutputFormat::Concise, input);
  CHECK_THAT(text, Catch::Contains("a.c: not read: this build cannot read C and C++; use a build that can\n"));
  CHECK_THAT(text, Catch::Contains("m.py:3: not checked: does not parse\n"));
  CHECK_THAT(text, Catch::Contains("m.py:7: not checked: `step`: too many paths to compare\n"));
  CHECK_THAT(text, !Catch::Contains("lists them"));
}

TEST_CASE("programs read what was not checked") {
  const Json json = Json::parse(render(OutputFormat::Json, with_gaps()));
  CHECK(json["summary"]["complete"] == false);
  CHECK(json["unread"][0]["kind"] == "C or C++ file");
  CHECK(json["unread"][0]["paths"] == Json({"a.c", "b.cpp"}));
  CHECK(json["incomplete"][1]["function"] == "step");
  CHECK(json["incomplete"][1]["reason"] == "many-paths");
  CHECK(json["incomplete"][1]["line"] == 7);
  CHECK(Json::parse(render(OutputFormat::Json, ReportInput{}))["summary"]["complete"] == true);
}

TEST_CASE("a SARIF log notifies of what was not checked, and of a run that failed for it") {
  ReportInput input = with_gaps();
  const auto invocation = [&] { return Json::parse(render(OutputFormat::Sarif, input))["runs"][0]["invocations"][0]; };
  const Json told = invocation();
  CHECK(told["executionSuccessful"] == true);
  const Json& notes = told["toolExecutionNotifications"];
  REQUIRE(notes.size() == 3);
  CHECK(notes[0]["level"] == "warning");
  CHECK(notes[0]["locations"].size() == 2);
  CHECK(notes[2]["locations"][0]["physicalLocation"]["region"]["startLine"] == 7);
  input.failed = true;
  CHECK(invocation()["executionSuccessful"] == false);
}

TEST_CASE("services that show messages of a run show what was not checked") {
  CHECK_THAT(render(OutputFormat::Github, with_gaps()),
             Catch::StartsWith("::warning title=ranklint::Not checked: 2 C or C++ files"));
  const std::string junit = render(OutputFormat::Junit, with_gaps());
  CHECK_THAT(junit, Catch::Contains("<skipped message=\"Not checked: 2 C or C++ files"));
  CHECK_THAT(junit,
             Catch::Contains("b.cpp: not read: this build cannot read C and C++") && Catch::Contains("tests=\"1\""));
  const std::string page = render(OutputFormat::Html, with_gaps());
  CHECK_THAT(page, Catch::Contains("No hazards in what was checked of 3 files") &&
                       Catch::Contains("<h2>Not checked</h2>") && Catch::Contains("m.py:7"));
}

TEST_CASE("the elapsed time is told to people only") {
  ReportInput input;
  input.counts.files = 1;
  input.elapsed = std::chrono::milliseconds(1234);
  CHECK(render(OutputFormat::Full, input) == "No hazards found in 1 file, 1.2 s.\n");
  ReportInput timeless = input;
  timeless.elapsed.reset();
  CHECK(render(OutputFormat::Json, input) == render(OutputFormat::Json, timeless));
  CHECK(render(OutputFormat::Sarif, input) == render(OutputFormat::Sarif, timeless));
}

TEST_CASE("equal input gives equal bytes in every format") {
  for (const char* name : {"full", "concise", "json", "json-lines", "sarif", "github", "html", "svg", "junit", "gitlab",
                           "rdjson", "checkstyle"}) {
    const std::optional<OutputFormat> format = output_format_of(name);
    REQUIRE(format);
    CHECK(name_of(*format) == name);
    CHECK(render(*format, sample_input()) == render(*format, sample_input()));
  }
  CHECK_FALSE(output_format_of("xml"));
}

TEST_CASE("every line of the JSON lines parses") {
  std::istringstream lines(render(OutputFormat::JsonLines, sample_input()));
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) CHECK(Json::parse(line, nullptr, false).is_object());
  CHECK(count == sample_input().findings.size());
}

TEST_CASE("held against a baseline, every SARIF result says whether it is new") {
  ReportInput input = sample_input();
  const auto states = [&] {
    std::vector<std::string> out;
    const Json log = Json::parse(render(OutputFormat::Sarif, input));
    for (const Json& result : log["runs"][0]["results"]) out.push_back(result.value("baselineState", ""));
    return out;
  };
  CHECK(states() == std::vector<std::string>(7, ""));
  input.has_baseline = true;
  std::vector<std::string> expected(6, "new");
  expected.push_back("unchanged");
  CHECK(states() == expected);
}

TEST_CASE("a fix is told where a format has a place for it") {
  ReportInput input = sample_input();
  input.findings = {tabs_and_wide()};
  input.notes.clear();
  const std::string path = input.findings[0].primary.path;
  const size_t at = sample_source(path).find("reduce(x)");
  input.fix = [&](const Finding& f) -> std::optional<ReportFix> {
    if (f.primary.path != path) return std::nullopt;
    return ReportFix{
        .safe = true, .title = "name the root", .path = path, .edits = {{at + 8, at + 8, ", 0"}, {at, at + 6, "sum"}}};
  };
  const Json log = Json::parse(render(OutputFormat::Sarif, input));
  const Json change = log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
  CHECK(change["replacements"][1]["deletedRegion"] ==
        Json({{"startLine", 4}, {"startColumn", 21}, {"endLine", 4}, {"endColumn", 27}}));
  CHECK(change["replacements"][0]["insertedContent"]["text"] == ", 0");
  const Json report = Json::parse(render(OutputFormat::Json, input));
  CHECK(report["findings"][0]["fix"]["safe"] == true);
  CHECK(report["findings"][0]["fix"]["edits"][1]["location"]["column"] == 20);
  const Json reviewed = Json::parse(render(OutputFormat::Rdjson, input));
  CHECK(reviewed["diagnostics"][0]["suggestions"][1]["range"]["start"]["column"] ==
        input.findings[0].primary.range.column);
  CHECK(render(OutputFormat::Html, input).find("name the root: <code>ranklint check --fix</code>") !=
        std::string::npos);
}

TEST_CASE("SARIF quotes the code of a finding") {
  ReportInput input = sample_input();
  input.findings = {tabs_and_wide(), file_gone()};
  const Json results = Json::parse(render(OutputFormat::Sarif, input))["runs"][0]["results"];
  const Json place = results[0]["locations"][0]["physicalLocation"];
  CHECK(place["region"]["snippet"]["text"] == "reduce(x)");
  CHECK(place["contextRegion"]["startLine"] == 3);
  CHECK(place["contextRegion"]["snippet"]["text"] == "\tif rank == 0:\n\t\tlog(\"数据 🚀 prêt\", reduce(x))\n\telse:");
  CHECK_FALSE(results[1]["locations"][0]["physicalLocation"].contains("contextRegion"));
}

TEST_CASE("SARIF counts columns in UTF-16 units") {
  ReportInput input = sample_input();
  input.findings = {tabs_and_wide()};
  const Json region = Json::parse(
      render(OutputFormat::Sarif, input))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
  // Two tabs, `log("`, two ideographs, a space, an emoji of two units, a space, `prêt", `.
  CHECK(region["startColumn"] == 1 + 2 + 5 + 2 + 1 + 2 + 1 + 7);
  CHECK(region["endColumn"] == 21 + 9);
}

}  // namespace ranklint::test
