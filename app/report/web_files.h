// The style sheets and the script of reports for a browser, as they lie in web/.
#pragma once

#include <string_view>

namespace ranklint::report {

// By its name in web/: "report.css".
std::string_view web_file(std::string_view name);

}  // namespace ranklint::report
