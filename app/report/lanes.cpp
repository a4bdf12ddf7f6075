#include "app/report/lanes.h"

#include <algorithm>
#include <map>

#include "app/report/short_names.h"
#include "app/report/unicode.h"

namespace ranklint::report {

namespace {

constexpr unsigned kLeastLaneWidth = 36;
constexpr unsigned kGapBeforePlace = 2;

// -- rows of one lane ----------------------------------------------------------------------------------------

struct Row {
  Line text;
  unsigned indent = 0;
  std::string place;  // "wan.py:353"
};

struct LaneRows {
  Line heading;
  std::vector<Row> way;  // all steps but the last
  std::vector<Row> end;  // the last step, and how the lane ends
};

Row row_of(const WitnessStep& step, const std::map<std::string, std::string>& names) {
  const unsigned depth = step.nesting > 0 ? static_cast<unsigned>(step.nesting) : 0;
  Row row;
  if (depth > 0) row.text = {{"->", Style::Dim}, {" "}};
  if (depth > 0) row.indent = 2 * std::min(depth - 1, kDeepestIndent);
  const Line text = sentence(step.text, step.kind == WitnessStep::Kind::Collective ? Style::Strong : Style::Plain);
  row.text.insert(row.text.end(), text.begin(), text.end());
  if (step.location.range.known())
    row.place = names.at(step.location.path) + ":" + std::to_string(step.location.range.line);
  return row;
}

LaneRows rows_of(const WitnessLane& lane, const std::map<std::string, std::string>& names, Style emphasis) {
  LaneRows rows;
  rows.heading = sentence(lane.ranks, Style::Strong);
  for (const WitnessStep& step : lane.steps) rows.way.push_back(row_of(step, names));
  if (!rows.way.empty()) {
    rows.end.push_back(std::move(rows.way.back()));
    rows.way.pop_back();
  }
  if (!lane.end.empty()) rows.end.push_back({{{printable(lane.end), emphasis}}, 0, ""});
  return rows;
}

unsigned natural_width(const std::vector<Row>& rows) {
  unsigned text = 0;
  unsigned place = 0;
  unsigned alone = 0;
  for (const Row& row : rows) {
    if (row.place.empty()) {
      alone = std::max(alone, row.indent + width_of(row.text));
      continue;
    }
    text = std::max(text, row.indent + width_of(row.text));
    place = std::max(place, display_width(row.place));
  }
  return std::max(alone, place == 0 ? text : text + kGapBeforePlace + place);
}

unsigned natural_width(const LaneRows& rows) {
  return std::max({width_of(rows.heading), natural_width(rows.way), natural_width(rows.end)});
}

// The row in lines of a given width: the text to the left, wrapped, its place at the right edge of the first.
Lines set_row(const Row& row, unsigned width) {
  constexpr unsigned kHanging = 3;
  const unsigned place = row.place.empty() ? 0 : display_width(row.place) + kGapBeforePlace;
  const bool beside = row.indent + width_of(row.text) + place <= width || place <= width / 2;
  Lines lines;
  append(lines, wrapped(row.text, width - row.indent - (beside ? place : 0), kHanging), row.indent);
  if (row.place.empty()) return lines;
  if (beside) {
    lines.front() = padded(lines.front(), width - place + kGapBeforePlace);
    lines.front().push_back({row.place, Style::Dim});
  } else {
    append(lines, wrapped({{row.place, Style::Dim}}, width - row.indent), row.indent);
  }
  return lines;
}

Lines set_rows(const std::vector<Row>& rows, unsigned width) {
  Lines lines;
  for (const Row& row : rows) append(lines, set_row(row, width));
  return lines;
}

// -- all lanes -----------------------------------------------------------------------------------------------

// Lanes that need less than their share leave the rest to the others. Empty when some lane would get too little.
std::vector<unsigned> share(const std::vector<LaneRows>& lanes, unsigned width) {
  std::vector<unsigned> natural;
  for (const LaneRows& lane : lanes) natural.push_back(natural_width(lane));
  std::vector<unsigned> order = natural;
  std::sort(order.begin(), order.end());

  const unsigned separators = 3 * static_cast<unsigned>(lanes.size() - 1);
  if (width < separators) return {};
  unsigned left = width - separators;
  unsigned most = left;
  for (size_t i = 0; i < order.size(); ++i) {
    most = left / static_cast<unsigned>(order.size() - i);
    if (order[i] > most) break;
    left -= order[i];
    most = order.back();
  }
  if (order.back() > most && most < kLeastLaneWidth) return {};
  for (unsigned& lane : natural) lane = std::min(lane, most);
  return natural;
}

// Puts the cells of one row of the table beside each other.
void put_beside(Lines& to, const std::vector<Lines>& cells, const std::vector<unsigned>& widths) {
  size_t height = 0;
  for (const Lines& cell : cells) height = std::max(height, cell.size());
  for (size_t row = 0; row < height; ++row) {
    Line line;
    for (size_t lane = 0; lane < cells.size(); ++lane) {
      if (lane > 0) line.push_back({" | ", Style::Dim});
      const Line part = padded(row < cells[lane].size() ? cells[lane][row] : Line(), widths[lane]);
      line.insert(line.end(), part.begin(), part.end());
    }
    to.push_back(std::move(line));
  }
}

// So that the lanes' last words stand in one row.
void align_at_the_bottom(std::vector<Lines>& cells) {
  size_t height = 0;
  for (const Lines& cell : cells) height = std::max(height, cell.size());
  for (Lines& cell : cells) cell.insert(cell.begin(), height - cell.size(), Line());
}

Lines side_by_side(const std::vector<LaneRows>& lanes, const std::vector<unsigned>& widths) {
  std::vector<Lines> headings, rules, ways, ends;
  for (size_t i = 0; i < lanes.size(); ++i) {
    headings.push_back(wrapped(lanes[i].heading, widths[i]));
    rules.push_back({{{std::string(widths[i], '-'), Style::Dim}}});
    ways.push_back(set_rows(lanes[i].way, widths[i]));
    ends.push_back(set_rows(lanes[i].end, widths[i]));
  }
  align_at_the_bottom(ends);
  Lines out;
  for (const auto* cells : {&headings, &rules, &ways, &ends}) put_beside(out, *cells, widths);
  return out;
}

Lines one_below_the_other(const std::vector<LaneRows>& lanes, unsigned width) {
  constexpr unsigned kIndentOfRows = 2;
  unsigned inner = 0;
  for (const LaneRows& lane : lanes) inner = std::max(inner, natural_width(lane));
  inner = std::min(inner, width - kIndentOfRows);
  Lines out;
  for (const LaneRows& lane : lanes) {
    append(out, wrapped(lane.heading, width));
    append(out, set_rows(lane.way, inner), kIndentOfRows);
    append(out, set_rows(lane.end, inner), kIndentOfRows);
  }
  return out;
}

}  // namespace

Lines lanes(const Witness& witness, unsigned width, Style emphasis) {
  if (witness.lanes.empty()) return {};
  const auto names = short_names(witness);
  std::vector<LaneRows> rows;
  for (const WitnessLane& lane : witness.lanes) rows.push_back(rows_of(lane, names, emphasis));
  const std::vector<unsigned> widths = share(rows, width);
  return widths.empty() ? one_below_the_other(rows, width) : side_by_side(rows, widths);
}

}  // namespace ranklint::report
