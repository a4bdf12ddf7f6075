// The witness as the reader should see it: what each rank class does, side by side, the ends in one row, so that
// the eye finds where the ranks diverge. Where the terminal is too narrow, one below the other.
//
//     rank 0                               | ranks 1..3
//     ------------------------------------ | ----------------------------------------
//     `rank == 0` is true      wan.py:353  | `rank == 0` is false         wan.py:353
//     calls `load`             wan.py:359  |
//     -> calls `post_init`   pipe.py:192   |
//       -> `all_to_all` on `sp`  comm.py:9 | `broadcast` on `world`       load.py:88
//     waits for ranks 1..3                 | waits for rank 0
#pragma once

#include "app/report/text_layout.h"

namespace ranklint::report {

// `emphasis` paints how each lane ends. Nothing for a witness without lanes.
Lines lanes(const Witness& witness, unsigned width, Style emphasis);

}  // namespace ranklint::report
