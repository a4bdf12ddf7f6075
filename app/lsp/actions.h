// What can be done about a finding from the editor.
#pragma once

#include <string>
#include <vector>

#include "app/lsp/places.h"

namespace ranklint::app::lsp {

inline constexpr const char* kShowRankPaths = "ranklint.showRankPaths";
inline constexpr const char* kReplay = "ranklint.replay";
inline constexpr const char* kRankPaths = "ranklint.rankPaths";
inline constexpr const char* kFixAll = "source.fixAll.ranklint";

struct ActionContext {
  std::string path;               // of the file, as findings spell it
  Span span;                      // the selection
  std::vector<std::string> only;  // kinds that the client asks for; empty: all
  bool shows_rank_paths = false;  // the client knows the command
  bool fix_all_on_save = false;
};

// The actions for the findings of the file that touch the selection, in the order of the findings.
Json actions_for(const std::vector<const Finding*>& findings, const ActionContext& context, Places& places);

}  // namespace ranklint::app::lsp
