// What is to be told of one file that was edited since the last check of all, at once.
//
// The functions that the edit touches are judged alone (analyzer/project/session.h), as they were checked and as they
// are. What has not changed between the two is told as the check of all has it, moved to where it lies now: callers
// have had their say there. What has changed is told as the functions alone have it, until the next check of all.
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

// Nothing: it can not be judged alone.
std::optional<std::vector<Finding>> check_again(Outcome& outcome, const EditedFile& file);

}  // namespace ranklint::app::lsp
