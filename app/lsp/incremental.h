// What is shown at once of one file that was edited since the last check of all.
//
// The functions that the edit affects are checked alone (analyzer/project/session.h), as they were checked and as they
// are. What both results have in common is shown as the check of all has it, moved to its present place: that includes
// the effects of callers. What differs is shown as the check of the functions alone has it, until the next check of
// all.
#pragma once

#include <functional>
#include <span>

#include "app/lsp/checker.h"

namespace ranklint::app::lsp {

// What was found and is selected, not suppressed, severe and sure enough and not known before, in order.
std::vector<Finding> reported_findings(const CheckJob& job, const Analysis& analysis, const std::vector<Finding>& found,
                                       std::span<const SourceProblem> problems,
                                       const std::function<std::string_view(const std::string& path)>& source);

struct EditedFile {
  std::string path;            // as shown
  Text checked, text;          // as it was checked, as it is
  Workspace::Modules modules;  // what was read of the text
  std::vector<SourceProblem> problems;
};

// Nothing: it cannot be judged alone.
std::optional<std::vector<Finding>> check_again(Outcome& outcome, const EditedFile& file);

}  // namespace ranklint::app::lsp
