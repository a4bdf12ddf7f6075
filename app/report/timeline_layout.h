// Where everything in the picture of a witness lies. Internal to timeline*.cpp.
//
// A lane is a column, and its steps are cells from top to bottom. Lanes are aligned at the collectives in which
// they meet, found in lockstep from the start, and at their ends: how each lane ends stands in one row.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/report/text_layout.h"
#include "rules/finding.h"

namespace ranklint::report {

// Lengths are pixels.
struct TimelineCell {
  enum class Look {
    Step,     // a mark on the rail and words beside it
    Meeting,  // a collective: a box over the whole lane
    Waiting,  // the box in which the lane waits forever
    Absent,   // how a lane ends that does not come
    Ended,    // how a lane ends that has no part in it
  };
  Look look = Look::Step;
  const WitnessStep* step = nullptr;  // null: the end of a lane alone
  Lines words = {};
  Lines end = {};  // Waiting: for which ranks
  std::string place = {};
  bool place_beside = true;  // after the first line of the words, else below them
  unsigned indent = 0;
  unsigned y = 0;
  unsigned height = 0;
};

struct TimelineLane {
  const WitnessLane* lane = nullptr;
  unsigned x = 0;
  unsigned width = 0;
  Lines heading;
  std::vector<TimelineCell> cells;  // the last is how it ends, if that is known
};

// Two lanes that meet: cells of neighbouring lanes that take part in the same collective.
struct TimelineJoin {
  size_t left_lane = 0, left_cell = 0;
  size_t right_lane = 0, right_cell = 0;
};

struct TimelineLayout {
  std::vector<TimelineLane> lanes;
  std::vector<TimelineJoin> joins;
  unsigned width = 0;
  unsigned height = 0;
  unsigned head_height = 0;
  bool is_narrow = false;
};

TimelineLayout lay_out(const Witness& witness, unsigned width);

// The box around a Meeting, Waiting, Absent or Ended cell starts and ends so far inside of it.
inline constexpr unsigned kBoxMargin = 6;
inline constexpr unsigned kBoxPadding = 9;
inline constexpr unsigned kLineHeight = 18;
inline constexpr unsigned kRailX = 8;        // of the lane
inline constexpr unsigned kTextX = 26;       // of the lane
inline constexpr unsigned kTailHeight = 26;  // below the last row: the wait that does not end

}  // namespace ranklint::report
