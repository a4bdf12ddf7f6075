#include "app/report/timeline_layout.h"

#include <algorithm>
#include <map>

#include "app/report/short_names.h"
#include "app/report/unicode.h"

namespace ranklint::report {

namespace {

using Look = TimelineCell::Look;

constexpr double kColumnWidth = 7.3;  // of a letter of the code's font; words are narrower
constexpr double kStrongWidth = 7.8;  // of one in bold: which ranks wait, and for which
constexpr unsigned kNarrow = 520;     // below: smaller gaps and indentations
constexpr unsigned kLeastLanePixels = 160;
constexpr unsigned kLeastColumnsBesidePlace = 20;
constexpr unsigned kHeadPadding = 6;
constexpr unsigned kStepPadding = 4;

unsigned columns_in(unsigned pixels, double column = kColumnWidth) {
  return std::max(8u, static_cast<unsigned>(pixels / column));
}

// A sentence whose code is shown by its style: the backticks have done their work.
Line words_of(std::string_view text) {
  Line line = sentence(text);
  for (Span& span : line)
    if (span.style == Style::Code) span.text = span.text.substr(1, span.text.size() - 2);
  return line;
}

unsigned longest_word(const Line& line) {
  unsigned longest = 0;
  for (const Span& span : line)
    for (std::string_view rest = span.text; !rest.empty();) {
      const size_t length = std::min(rest.find(' '), rest.size());
      longest = std::max(longest, display_width(rest.substr(0, length)));
      rest.remove_prefix(std::min(length + 1, rest.size()));
    }
  return longest;
}

// The end of a place: its line, and as much of the file's name as there is room for.
std::string shortened(std::string place, unsigned columns) {
  if (display_width(place) <= columns) return place;
  std::string_view rest = place;
  while (display_width(rest) + 1 > columns && rest.size() > 1) {
    rest.remove_prefix(1);
    while (rest.size() > 1 && (static_cast<unsigned char>(rest.front()) & 0xC0U) == 0x80U) rest.remove_prefix(1);
  }
  return "\u2026" + std::string(rest);
}

bool is_waiting(const WitnessLane& lane) { return lane.end.starts_with("wait"); }

bool meet(const WitnessStep& a, const WitnessStep& b) {
  return a.kind == WitnessStep::Kind::Collective && b.kind == WitnessStep::Kind::Collective && a.op == b.op &&
         a.group == b.group;
}

class Layouter {
 public:
  Layouter(const Witness& witness, unsigned width) : witness_(witness), names_(short_names(witness)) {
    set_columns(width);
  }

  TimelineLayout run() {
    for (size_t i = 0; i < witness_.lanes.size(); ++i) add_cells(out_.lanes[i], witness_.lanes[i]);
    find_joins();
    set_heights();
    return std::move(out_);
  }

 private:
  void set_columns(unsigned width) {
    const unsigned count = static_cast<unsigned>(witness_.lanes.size());
    out_.is_narrow = width < kNarrow;
    const unsigned gap = out_.is_narrow ? 16 : 44;
    const unsigned all_gaps = gap * (count - 1);
    const unsigned lane = std::max(kLeastLanePixels, (std::max(width, all_gaps) - all_gaps) / count);
    out_.width = lane * count + all_gaps;
    for (unsigned i = 0; i < count; ++i) {
      out_.lanes.push_back(
          {.lane = &witness_.lanes[i], .x = i * (lane + gap), .width = lane, .heading = {}, .cells = {}});
      out_.lanes.back().heading =
          wrapped(words_of(witness_.lanes[i].ranks), columns_in(lane - 2 * kBoxPadding, kStrongWidth));
      out_.head_height = std::max<unsigned>(
          out_.head_height, kLineHeight * static_cast<unsigned>(out_.lanes.back().heading.size()) + 2 * kHeadPadding);
    }
  }

  void add_cells(TimelineLane& to, const WitnessLane& lane) {
    const bool waits = is_waiting(lane) && !lane.steps.empty();
    for (size_t i = 0; i < lane.steps.size(); ++i) {
      const WitnessStep& step = lane.steps[i];
      const bool last = i + 1 == lane.steps.size();
      const bool meeting = step.kind == WitnessStep::Kind::Collective;
      add_step(to, step, waits && last ? Look::Waiting : meeting ? Look::Meeting : Look::Step);
    }
    if (lane.end.empty()) return;
    if (waits) {
      const bool is_waiting = lane.end == "waits in " + lane.steps.back().text;
      set_end(to, to.cells.back(), is_waiting ? "waits here" : lane.end);
      return;
    }
    const Look look = is_waiting(lane) ? Look::Waiting : lane.end.starts_with("never") ? Look::Absent : Look::Ended;
    TimelineCell cell{.look = look};
    set_end(to, cell, lane.end);
    to.cells.push_back(std::move(cell));
  }

  void set_end(const TimelineLane& lane, TimelineCell& cell, const std::string& end) {
    cell.end = wrapped(words_of(end), columns_in(lane.width - 2 * kBoxPadding,
                                                 cell.look == Look::Waiting ? kStrongWidth : kColumnWidth));
    if (cell.height == 0) cell.height = 2 * (kBoxMargin + kBoxPadding);
    cell.height += static_cast<unsigned>(cell.end.size()) * kLineHeight;
  }

  void add_step(TimelineLane& to, const WitnessStep& step, Look look) {
    TimelineCell cell{.look = look, .step = &step};
    const bool boxed = look != Look::Step;
    const unsigned depth = static_cast<unsigned>(std::clamp<int>(step.nesting, 0, kDeepestIndent));
    if (!boxed) cell.indent = depth * (out_.is_narrow ? 6 : 12);
    if (step.location.range.known())
      cell.place = names_.at(step.location.path) + ":" + std::to_string(step.location.range.line);
    set_words(cell, boxed ? to.width - 2 * kBoxPadding : to.width - kTextX - cell.indent);
    const size_t lines = cell.words.size() + (cell.place_beside ? 0 : 1);
    cell.height = static_cast<unsigned>(lines) * kLineHeight + 2 * (boxed ? kBoxMargin + kBoxPadding : kStepPadding);
    to.cells.push_back(std::move(cell));
  }

  static void set_words(TimelineCell& cell, unsigned width) {
    const Line words = words_of(cell.step->text);
    const unsigned columns = columns_in(width);
    const unsigned place = cell.place.empty() ? 0 : display_width(cell.place) + 2;
    const bool is_room = place + std::max(kLeastColumnsBesidePlace, longest_word(words)) <= columns;
    cell.place_beside = width_of(words) + place <= columns || is_room;
    cell.words = wrapped(words, cell.place_beside ? columns - place : columns);
    if (!cell.place_beside) cell.place = shortened(std::move(cell.place), columns);
  }

  // The lanes in lockstep: each collective of a lane with the next like it in the lane to its right.
  void find_joins() {
    for (size_t left = 0; left + 1 < out_.lanes.size(); ++left) {
      const std::vector<TimelineCell>& right_cells = out_.lanes[left + 1].cells;
      size_t from = 0;
      for (size_t i = 0; i < out_.lanes[left].cells.size(); ++i) {
        const TimelineCell& cell = out_.lanes[left].cells[i];
        if (cell.look != Look::Meeting) continue;
        const auto found = std::find_if(
            right_cells.begin() + static_cast<ptrdiff_t>(from), right_cells.end(),
            [&](const TimelineCell& other) { return other.look == Look::Meeting && meet(*cell.step, *other.step); });
        if (found == right_cells.end()) continue;
        const size_t at = static_cast<size_t>(found - right_cells.begin());
        out_.joins.push_back({left, i, left + 1, at});
        from = at + 1;
      }
    }
  }

  // A cell lies below the one before it, and not above the one that it meets: a few rounds settle both, since
  // joins run forwards in every lane.
  void set_heights() {
    const unsigned top = out_.head_height + 8;
    for (bool moved = true; moved;) {
      moved = false;
      for (TimelineLane& lane : out_.lanes) {
        unsigned y = top;
        for (TimelineCell& cell : lane.cells) {
          moved |= cell.y < y;
          cell.y = std::max(cell.y, y);
          y = cell.y + cell.height;
        }
      }
      for (const TimelineJoin& join : out_.joins) {
        TimelineCell& left = out_.lanes[join.left_lane].cells[join.left_cell];
        TimelineCell& right = out_.lanes[join.right_lane].cells[join.right_cell];
        moved |= left.y != right.y || left.height != right.height;
        left.y = right.y = std::max(left.y, right.y);
        left.height = right.height = std::max(left.height, right.height);
      }
    }
    put_ends_in_one_row();
  }

  void put_ends_in_one_row() {
    unsigned y = out_.head_height;
    unsigned height = 0;
    for (const TimelineLane& lane : out_.lanes) {
      if (lane.cells.empty()) continue;
      y = std::max(y, lane.cells.back().y + (is_end(lane.cells.back()) ? 0 : lane.cells.back().height));
      if (is_end(lane.cells.back())) height = std::max(height, lane.cells.back().height);
    }
    for (TimelineLane& lane : out_.lanes)
      if (!lane.cells.empty() && is_end(lane.cells.back())) {
        lane.cells.back().y = y;
        lane.cells.back().height = height;
      }
    out_.height = y + height + kTailHeight;
  }

  static bool is_end(const TimelineCell& cell) { return !cell.end.empty(); }

  const Witness& witness_;
  std::map<std::string, std::string> names_;
  TimelineLayout out_;
};

}  // namespace

TimelineLayout lay_out(const Witness& witness, unsigned width) {
  if (witness.lanes.empty()) return {};
  return Layouter(witness, width).run();
}

}  // namespace ranklint::report
