// The part of a source file that a finding is about: numbered lines, what matters underlined, the rest left out.
//
//     353 |     if world_group.rank_in_group == 0:
//         |        ------------------------------- ranks diverge here
//     ...
//     359 |         prompt_pipeline = WanPipeline.from_pretrained(
//         |                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#pragma once

#include <string>
#include <vector>

#include "app/report/source_text.h"
#include "app/report/text_layout.h"

namespace ranklint::report {

struct Mark {
  SourceRange range;
  std::string label = {};  // may be empty
  char stroke = '-';
  Style style = Style::Guard;
};

// Columns of the gutter that numbers up to `line` need.
unsigned gutter_width(uint32_t line);

// The marks' lines in order, each mark below its line; of a range over several lines the first. Marks whose
// line the file does not have are left out, so the excerpt is empty when the file is gone.
Lines excerpt(const SourceText& file, std::vector<Mark> marks, unsigned gutter, unsigned width);

}  // namespace ranklint::report
