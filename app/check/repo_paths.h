// Paths as services want them: from the top of the repository, wherever in it the program was run.
#pragma once

#include <string>

#include "app/check/io.h"
#include "app/report/report.h"

namespace ranklint::app {

// The folder that paths start from in this format. For annotations on GitHub and GitLab and for SARIF it is the one
// that the service says (GITHUB_WORKSPACE, CI_PROJECT_DIR), else the top of the repository; for all others, and outside
// of repositories, it is `cwd`, which is absolute.
std::string report_base(OutputFormat format, const Io& io, const std::string& cwd);

// The same report, whose paths start from `base` and not from `cwd`.
ReportInput with_base(ReportInput input, const std::string& cwd, const std::string& base);

}  // namespace ranklint::app
