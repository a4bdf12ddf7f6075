// The picture of a witness: a lane per rank class, time downwards, collectives as boxes that are joined where the
// lanes meet in them, and in red the place where a lane waits alone.
//
//     rank 0                            the other ranks
//     │                                 │
//     ◆ `rank == 0` is true    wan:353  ◆ `rank == 0` is false          wan:353
//     ┌ `broadcast` on `world` ───────┐─┌ `broadcast` on `world` ────────┐
//     └───────────────────────────────┘ └────────────────────────────────┘
//     ● calls `load`           wan:359  ┴ returns                       wan:361
//     ┏ `all_to_all` on `sp` ━━━━━━━━━┓   ┌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┐
//     ┃ waits for the other ranks     ┃╌╌╌╎ never call `all_to_all`        ╎
//     ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛   └╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┘
//
// It is drawn here once: the SVG format, the HTML report and the editors' panel show the same picture.
#pragma once

#include <functional>
#include <string>

#include "rules/finding.h"

namespace ranklint::report {

struct TimelineOptions {
  unsigned width = 760;  // pixels; a picture of many lanes is wider
  // The attributes of the link that a step becomes (` href="#s12"`); empty: none. A null function: no links.
  std::function<std::string(const WitnessStep& step)> link = {};
};

struct Timeline {
  unsigned width = 0;
  unsigned height = 0;
  std::string elements;  // what stands inside of <svg>, its origin at the upper left corner
};

// Nothing for a witness without lanes.
Timeline timeline(const Witness& witness, const TimelineOptions& options);

// The picture as one <svg> element of class "rl-timeline", for a page that has the style; empty without lanes.
std::string timeline_svg(const Witness& witness, const TimelineOptions& options);

// The style sheet: every colour a variable (--rl-...), light and dark.
std::string timeline_style();

// What the picture shows, in words: "rank 0: rank == 0 is true; ... waits for the other ranks."
std::string in_words(const Witness& witness);

}  // namespace ranklint::report
