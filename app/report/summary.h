// The last lines of a report for people: what was found in how much, and what is not known.
#pragma once

#include "app/report/report.h"
#include "app/report/text_layout.h"

namespace ranklint::report {

Lines summary(const ReportInput& input);

}  // namespace ranklint::report
