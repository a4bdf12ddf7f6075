// What a place means: a rule's name in a comment, a call that communicates, a step of a finding.
#pragma once

#include <optional>
#include <string>

#include "app/lsp/places.h"

namespace ranklint::app::lsp {

struct Hovered {
  std::string markdown;
  Span span;
};

// `path`: as findings spell it; `offset`: in the text as it is now. `own`: of the file's findings (places.h).
std::optional<Hovered> hover_at(const Folder& folder, const Engine& engine, const std::string& path, size_t offset,
                                Places& own, Places& places);

struct Hint {
  size_t offset = 0;
  std::string label, tooltip;
};

// One for each branch around a call that communicates, on which the ranks may part, by place.
std::vector<Hint> hints_in(const Folder& folder, const std::string& path, Span span, Places& places);

}  // namespace ranklint::app::lsp
