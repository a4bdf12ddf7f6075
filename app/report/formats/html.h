// The parts of the HTML report. Internal to html*.cpp.
#pragma once

#include <string>

#include "app/report/report.h"
#include "app/report/source_text.h"

namespace ranklint::report::html {

// The lines that a finding is about, file by file, what matters marked. Each line can be linked to: `line_id`.
std::string source_of(const Finding& finding, size_t number, Sources& sources);

// The page of a rule, its title left out.
std::string page_of(const ReportRule& rule);

// "s12-wan.py..." would be long: files of a finding are numbered as they come up, the primary one first.
class FileNumbers {
 public:
  explicit FileNumbers(const Finding& finding);
  // Of a path that the finding names.
  size_t of(const std::string& path) const;
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::vector<std::string> paths_;
};

// "s3-0-353": the finding's number in the report, the file's in the finding, the line.
std::string line_id(size_t finding, size_t file, uint32_t line);

}  // namespace ranklint::report::html
