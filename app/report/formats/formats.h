// One function per format, each in the file of its name; and the words they share.
#pragma once

#include <string>
#include <string_view>

#include "app/report/report.h"

namespace ranklint::report {

std::string render_full(const ReportInput& input);
std::string render_concise(const ReportInput& input);
std::string render_json(const ReportInput& input);
std::string render_json_lines(const ReportInput& input);
std::string render_sarif(const ReportInput& input);
std::string render_github(const ReportInput& input);
std::string render_html(const ReportInput& input);
std::string render_svg(const ReportInput& input);
std::string render_junit(const ReportInput& input);
std::string render_gitlab(const ReportInput& input);
std::string render_rdjson(const ReportInput& input);
std::string render_checkstyle(const ReportInput& input);

std::string_view word(Severity severity);       // "error", "warning", "info"
std::string_view word(Verdict::Kind kind);      // "confirmed", "refuted", "not replayable"
std::string_view word(WitnessStep::Kind kind);  // "branch", "call", "collective", "exit"
std::string_view word(Confidence confidence);   // "certain", "high", "likely", "possible"
// Why a finding is as sure as it is: the sentences of its doubts and of what it rests on. Empty: nothing is to be said.
std::string why_so_sure(const Finding& finding);

}  // namespace ranklint::report
