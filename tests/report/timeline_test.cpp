#include "app/report/timeline.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include "app/report/timeline_layout.h"
#include "app/report/unicode.h"
#include "tests/report/samples.h"
#include "tests/report/xml.h"
#include "tests/support/support.h"

namespace ranklint::test {

using namespace report;
using Look = TimelineCell::Look;
using Kind = WitnessStep::Kind;

namespace {

WitnessStep step(Kind kind, const std::string& op, int nesting = 0) {
  return {kind,
          {"train.py", {3, 5, 3, 9}},
          "`" + op + "` on `world`",
          "f",
          nesting,
          kind == Kind::Collective ? op : "",
          kind == Kind::Collective ? "world" : ""};
}

// Two lanes that meet in a broadcast, one of them after two calls, and part in a reduction.
Witness meeting() {
  Witness witness;
  witness.lanes = {
      {"rank 0",
       {step(Kind::Call, "f"), step(Kind::Call, "g"), step(Kind::Collective, "broadcast"),
        step(Kind::Collective, "all_reduce")},
       "waits for rank 1"},
      {"rank 1", {step(Kind::Collective, "broadcast"), step(Kind::Exit, "leaves")}, "never calls `all_reduce`"}};
  return witness;
}

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("lanes that meet in a collective are level there, and joined") {
  const Witness witness = meeting();
  const TimelineLayout layout = lay_out(witness, 700);
  REQUIRE(layout.joins.size() == 1);
  const TimelineJoin& join = layout.joins.front();
  CHECK(join.left_cell == 2);
  CHECK(join.right_cell == 0);
  CHECK(layout.lanes[0].cells[2].y == layout.lanes[1].cells[0].y);
  CHECK(layout.lanes[0].cells[2].height == layout.lanes[1].cells[0].height);
}

TEST_CASE("how lanes end stands in one row, below everything else") {
  const Witness witness = meeting();
  const TimelineLayout layout = lay_out(witness, 700);
  CHECK(layout.lanes[0].cells.back().look == Look::Waiting);
  CHECK(layout.lanes[1].cells.back().look == Look::Absent);
  CHECK(layout.lanes[0].cells.back().y == layout.lanes[1].cells.back().y);
  for (const TimelineLane& lane : layout.lanes)
    for (size_t i = 1; i < lane.cells.size(); ++i)
      CHECK(lane.cells[i].y >= lane.cells[i - 1].y + lane.cells[i - 1].height);
}

TEST_CASE("collectives of another group or operation are not joined") {
  Witness witness = meeting();
  witness.lanes[1].steps[0].group = "tp";
  CHECK(lay_out(witness, 700).joins.empty());
  witness.lanes[1].steps[0].group = "world";
  witness.lanes[1].steps[0].op = "barrier";
  CHECK(lay_out(witness, 700).joins.empty());
}

TEST_CASE("a lane that goes on elsewhere is no absent one") {
  Witness witness = meeting();
  witness.lanes[1].end = "goes on";
  CHECK(lay_out(witness, 700).lanes[1].cells.back().look == Look::Ended);
}

TEST_CASE("a picture is as wide as asked, and wider only for many lanes") {
  Witness witness = meeting();
  CHECK(lay_out(witness, 700).width == 700);
  CHECK(lay_out(witness, 350).width <= 350);
  for (int i = 0; i < 6; ++i) witness.lanes.push_back(witness.lanes[1]);
  CHECK(lay_out(witness, 350).width > 350);
}

TEST_CASE("a place that is wider than its lane shows its end") {
  Witness witness = meeting();
  for (WitnessLane& lane : witness.lanes)
    for (WitnessStep& step : lane.steps) step.location.path = "generate_\u00fcber_many_samples_of_text.py";
  size_t places = 0;
  for (const TimelineLane& lane : lay_out(witness, 340).lanes)
    for (const TimelineCell& cell : lane.cells) {
      if (cell.place.empty()) continue;
      ++places;
      INFO(cell.place);
      CHECK(display_width(cell.place) * 7 < lane.width);
      CHECK(cell.place.ends_with("text.py:3"));
      CHECK(cell.place.starts_with("\u2026"));
    }
  CHECK(places > 0);
  CHECK(lay_out(witness, 1200).lanes[0].cells[0].place == "generate_\u00fcber_many_samples_of_text.py:3");
}

TEST_CASE("words in bold have the room that they take") {
  Witness witness = meeting();
  witness.lanes[0].end = witness.lanes[0].ranks = "waits for ranks where `torch.isnan(loss)` is true";
  const TimelineLayout layout = lay_out(witness, 336);
  const TimelineLane& waiting = layout.lanes[0];
  for (const Lines& lines : {waiting.heading, waiting.cells.back().end})
    for (const Line& line : lines) CHECK(width_of(line) * 7.75 <= waiting.width - 2.0 * kBoxPadding);
}

TEST_CASE("where a lane waits alone is drawn once, in red") {
  const std::string svg = timeline_svg(guarded_constructor().witness, {});
  REQUIRE(xml_elements(svg));
  CHECK(count(svg, "class=\"k kw\"") == 2);  // rank 0 in all_to_all, the others in a broadcast
  CHECK(count(timeline_svg(meeting(), {}), "class=\"k kw\"") == 1);
  CHECK(count(timeline_svg(meeting(), {}), "class=\"k ka\"") == 1);
}

TEST_CASE("a witness without lanes has no picture, and a lane without steps still has its end") {
  CHECK(timeline_svg({}, {}).empty());
  const std::string svg = timeline_svg(tabs_and_wide().witness, {});
  REQUIRE(xml_elements(svg));
  CHECK(count(svg, "never calls") >= 2);
}

TEST_CASE("a picture is well-formed whatever stands in the code") {
  Witness witness = meeting();
  witness.lanes[0].ranks = "ranks < 2 & \"q\" \x01\xff";
  witness.lanes[0].steps[0].text = "calls `</text><script>alert(1)</script>`";
  witness.lanes[0].steps[0].location.path = "a\"b<c>.py";
  witness.lanes[0].steps[1].text = "\xef\xbf\xbf `";
  const std::string svg = timeline_svg(witness, {});
  CHECK(xml_elements(svg));
  CHECK(svg.find("<script") == svg.npos);
}

TEST_CASE("the svg format draws the first finding that has lanes, and stands alone") {
  const std::string svg = render(OutputFormat::Svg, sample_input());
  check_golden(source_path("testdata/report/report.svg"), svg);
  REQUIRE(xml_elements(svg));
  CHECK(svg.find("reduce") != svg.npos);
  CHECK(count(svg, "http") == 1);  // the name of the format
}

TEST_CASE("the svg format without findings says so") {
  const std::string svg = render(OutputFormat::Svg, ReportInput{});
  REQUIRE(xml_elements(svg));
  CHECK(svg.find("No hazards found") != svg.npos);
}

}  // namespace ranklint::test
