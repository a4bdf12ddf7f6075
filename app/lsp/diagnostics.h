// Findings as the protocol's diagnostics.
#pragma once

#include <string>
#include <vector>

#include "app/lsp/places.h"

namespace ranklint::app::lsp {

// `with_steps`: each step of each rank class becomes related information, for clients that show it.
Json diagnostic_of(const Finding& finding, Places& places, bool with_steps);

// What a client needs to draw the lanes of a finding: {code, rule, message, help, location, assumptions, lanes,
// picture}. The picture is drawn already, as {style, wide, narrow}: a style sheet and an <svg> element for wide and for
// narrow panels.
Json rank_paths_of(const Finding& finding, Places& places);

}  // namespace ranklint::app::lsp
