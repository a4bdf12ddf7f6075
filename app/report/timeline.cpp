#include "app/report/timeline.h"

#include <algorithm>
#include <array>

#include "app/report/markup.h"
#include "app/report/timeline_layout.h"
#include "app/report/web_files.h"

namespace ranklint::report {

namespace {

using Look = TimelineCell::Look;
constexpr size_t kLaneColors = 4;

std::string number(double value) {
  const long tenths = static_cast<long>(value * 10 + (value < 0 ? -0.5 : 0.5));
  std::string out = std::to_string(tenths / 10);
  if (tenths % 10 != 0) out += "." + std::to_string(std::abs(tenths % 10));
  return out;
}

std::string line(double x1, double y1, double x2, double y2, const std::string& look) {
  return "<path class=\"" + look + "\" d=\"M" + number(x1) + " " + number(y1) + "L" + number(x2) + " " + number(y2) +
         "\"/>";
}

std::string box(double x, double y, double width, double height, double radius, const std::string& look) {
  return "<rect class=\"" + look + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) +
         "\" height=\"" + number(height) + "\" rx=\"" + number(radius) + "\"/>";
}

std::string circle(double x, double y, double radius, const std::string& look) {
  return "<circle class=\"" + look + "\" cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"" + number(radius) +
         "\"/>";
}

std::string text(double x, double y, const std::string& look, const std::string& inside) {
  return "<text" + (look.empty() ? "" : " class=\"" + look + "\"") + " x=\"" + number(x) + "\" y=\"" + number(y) +
         "\">" + inside + "</text>";
}

std::string inside_of(const Line& words) {
  std::string out;
  for (const Span& span : words)
    out += span.style == Style::Code ? "<tspan class=\"c\">" + markup(span.text) + "</tspan>" : markup(span.text);
  return out;
}

class Drawing {
 public:
  Drawing(const TimelineLayout& layout, const TimelineOptions& options) : layout_(layout), options_(options) {}

  std::string run() {
    for (size_t i = 0; i < layout_.lanes.size(); ++i) draw_rail(layout_.lanes[i], i);
    for (const TimelineJoin& join : layout_.joins) draw_join(join);
    for (size_t i = 0; i + 1 < layout_.lanes.size(); ++i) draw_parting(layout_.lanes[i], layout_.lanes[i + 1]);
    for (size_t i = 0; i < layout_.lanes.size(); ++i) {
      out_ += "<g class=\"l" + std::to_string(i % kLaneColors) + "\">";
      draw_heading(layout_.lanes[i]);
      for (const TimelineCell& cell : layout_.lanes[i].cells) draw_cell(layout_.lanes[i], cell);
      out_ += "</g>";
    }
    return std::move(out_);
  }

 private:
  static double middle(const TimelineCell& cell) { return cell.y + cell.height / 2.0; }

  // From the heading to the lane's last step; a lane that waits goes on below, and fades.
  void draw_rail(const TimelineLane& lane, size_t index) {
    if (lane.cells.empty()) return;
    const double x = lane.x + kRailX;
    const bool alone = lane.cells.back().step == nullptr;
    const TimelineCell* last = !alone                  ? &lane.cells.back()
                               : lane.cells.size() > 1 ? &lane.cells[lane.cells.size() - 2]
                                                       : nullptr;
    const double end = last == nullptr ? lane.cells.back().y : mark_y(*last);
    out_ += "<g class=\"l" + std::to_string(index % kLaneColors) + "\">" + line(x, layout_.head_height, x, end, "r") +
            "</g>";
    if (lane.cells.back().look == Look::Waiting) {
      const double from = lane.cells.back().y + lane.cells.back().height - kBoxMargin;
      for (int i = 0; i < 3; ++i) out_ += circle(x, from + 8 + 7 * i, 2, "w w" + std::to_string(i));
    }
    if (last != nullptr && last->step->kind == WitnessStep::Kind::Exit)
      out_ += "<g class=\"l" + std::to_string(index % kLaneColors) + "\">" + line(x - 6, end, x + 6, end, "r") + "</g>";
  }

  static double mark_y(const TimelineCell& cell) {
    return cell.look == Look::Step ? cell.y + 4 + kLineHeight / 2.0 : middle(cell);
  }

  void draw_join(const TimelineJoin& join) {
    const TimelineLane& left = layout_.lanes[join.left_lane];
    const TimelineLane& right = layout_.lanes[join.right_lane];
    const double y = middle(left.cells[join.left_cell]);
    out_ += line(left.x + left.width, y, right.x, y, "j");
  }

  // Between the ends of two lanes of which one waits: what should join them and does not.
  void draw_parting(const TimelineLane& left, const TimelineLane& right) {
    if (left.cells.empty() || right.cells.empty()) return;
    const TimelineCell& a = left.cells.back();
    const TimelineCell& b = right.cells.back();
    if (!is_collective_end(a) && !is_collective_end(b)) return;
    if (a.look == Look::Ended || b.look == Look::Ended || a.end.empty() || b.end.empty()) return;
    const double from = left.x + left.width;
    const double to = right.x;
    out_ += line(from, middle(a), to, middle(a), "p");
    if (layout_.is_narrow) return;
    const double x = (from + to) / 2;
    out_ += circle(x, middle(a), 9, "pm") + line(x - 3.5, middle(a) - 3.5, x + 3.5, middle(a) + 3.5, "px") +
            line(x - 3.5, middle(a) + 3.5, x + 3.5, middle(a) - 3.5, "px");
  }

  static bool is_collective_end(const TimelineCell& cell) {
    return cell.look == Look::Waiting && cell.step != nullptr && cell.step->kind == WitnessStep::Kind::Collective;
  }

  void draw_heading(const TimelineLane& lane) {
    out_ += box(lane.x, 0, lane.width, layout_.head_height, 8, "h");
    double y = layout_.head_height / 2.0 - kLineHeight * lane.heading.size() / 2.0;
    for (const Line& words : lane.heading) {
      out_ += text(lane.x + kBoxPadding, y + 13, "ht", inside_of(words));
      y += kLineHeight;
    }
  }

  void draw_cell(const TimelineLane& lane, const TimelineCell& cell) {
    const std::string link = cell.step != nullptr && options_.link ? options_.link(*cell.step) : "";
    out_ += link.empty() ? "<g>" : "<a" + link + ">";
    if (cell.step != nullptr) draw_title(*cell.step);
    if (cell.look == Look::Step)
      draw_step(lane, cell);
    else
      draw_box(lane, cell);
    out_ += link.empty() ? "</g>" : "</a>";
  }

  void draw_title(const WitnessStep& step) {
    if (!step.location.range.known()) return;
    out_ += "<title>" + markup(step.location.path) + ":" + std::to_string(step.location.range.line) +
            (step.function.empty() ? "" : " in " + markup(step.function)) + "</title>";
  }

  void draw_step(const TimelineLane& lane, const TimelineCell& cell) {
    out_ += box(lane.x + kTextX - 6, cell.y + 1, lane.width - kTextX + 6, cell.height - 2, 5, "hit");
    draw_mark(lane.x + kRailX, mark_y(cell), cell.step->kind);
    draw_words(cell, lane.x + kTextX + cell.indent, cell.y + 4, lane.x + lane.width);
  }

  void draw_mark(double x, double y, WitnessStep::Kind kind) {
    switch (kind) {
      case WitnessStep::Kind::Branch:
        out_ += "<path class=\"m b\" d=\"M" + number(x) + " " + number(y - 6) + "l6 6-6 6-6-6z\"/>";
        return;
      case WitnessStep::Kind::Call:
      case WitnessStep::Kind::Collective: out_ += circle(x, y, 4, "m"); return;
      case WitnessStep::Kind::Exit: return;  // the rail's end
    }
  }

  // Returns where the next line stands.
  double draw_words(const TimelineCell& cell, double x, double y, double right) {
    const double first = y;
    for (const Line& words : cell.words) {
      out_ += text(x, y + 13, "", inside_of(words));
      y += kLineHeight;
    }
    if (cell.place.empty()) return y;
    if (cell.place_beside) {
      out_ += text(right, first + 13, "pl e", markup(cell.place));
      return y;
    }
    out_ += text(x, y + 12, "pl", markup(cell.place));
    return y + kLineHeight;
  }

  static std::string look_of(Look look) {
    switch (look) {
      case Look::Step: return "";
      case Look::Meeting: return "k";
      case Look::Waiting: return "k kw";
      case Look::Absent: return "k ka";
      case Look::Ended: return "k ke";
    }
    return "";
  }

  // The words in the middle of the box, which may be higher than they need.
  void draw_box(const TimelineLane& lane, const TimelineCell& cell) {
    out_ += box(lane.x + 0.5, cell.y + kBoxMargin + 0.5, lane.width - 1, cell.height - 2.0 * kBoxMargin - 1, 8,
                look_of(cell.look));
    const size_t lines = cell.words.size() + cell.end.size() + (cell.step == nullptr || cell.place_beside ? 0 : 1);
    double y = middle(cell) - kLineHeight * lines / 2.0;
    const double x = lane.x + kBoxPadding + 2.0;
    if (cell.step != nullptr) y = draw_words(cell, x, y, lane.x + lane.width - kBoxPadding - 1.0);
    const std::string look = cell.look == Look::Waiting ? "wt" : cell.look == Look::Absent ? "ab" : "et";
    for (const Line& words : cell.end) {
      out_ += text(x, y + 13, look, inside_of(words));
      y += kLineHeight;
    }
  }

  const TimelineLayout& layout_;
  const TimelineOptions& options_;
  std::string out_;
};

}  // namespace

Timeline timeline(const Witness& witness, const TimelineOptions& options) {
  if (witness.lanes.empty()) return {};
  const TimelineLayout layout = lay_out(witness, options.width);
  return {layout.width, layout.height, Drawing(layout, options).run()};
}

std::string timeline_svg(const Witness& witness, const TimelineOptions& options) {
  const Timeline drawn = timeline(witness, options);
  if (drawn.elements.empty()) return {};
  const std::string width = std::to_string(drawn.width);
  const std::string height = std::to_string(drawn.height);
  return "<svg class=\"rl-timeline\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height +
         "\" width=\"" + width + "\" height=\"" + height + "\" role=\"" + (options.link ? "group" : "img") + "\"" +
         attribute("aria-label", in_words(witness)) + ">" + drawn.elements + "</svg>";
}

std::string timeline_style() { return std::string(web_file("palette.css")) + std::string(web_file("timeline.css")); }

std::string in_words(const Witness& witness) {
  std::string out;
  for (const WitnessLane& lane : witness.lanes) {
    out += (out.empty() ? "" : " ") + lane.ranks + ": ";
    for (const WitnessStep& step : lane.steps) out += step.text + "; ";
    out += lane.end + ".";
  }
  out.erase(std::remove(out.begin(), out.end(), '`'), out.end());
  return out;
}

}  // namespace ranklint::report
