#include "app/report/unchecked.h"

#include <algorithm>
#include <set>

namespace ranklint::report {

namespace {

size_t count_of(const ReportInput& input, IncompletePlace::Kind kind) {
  return std::count_if(input.incomplete.begin(), input.incomplete.end(),
                       [&](const IncompletePlace& p) { return p.kind == kind; });
}

size_t count_files_in_part(const ReportInput& input) {
  std::set<std::string_view> paths;
  for (const IncompletePlace& place : input.incomplete)
    if (place.kind == IncompletePlace::Kind::File) paths.insert(place.path);
  return paths.size();
}

}  // namespace

std::string counted(size_t n, std::string_view noun) {
  std::string digits = std::to_string(n);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits + " " + std::string(noun) + (n == 1 ? "" : "s");
}

std::vector<std::string> unchecked_parts(const ReportInput& input) {
  std::vector<std::string> parts;
  for (const UnreadFiles& files : input.unread)
    parts.push_back(counted(files.paths.size(), files.kind) + " (" + files.why + ")");
  if (const size_t n = count_files_in_part(input)) parts.push_back("parts of " + counted(n, "file"));
  if (const size_t n = count_of(input, IncompletePlace::Kind::BrokenFunction))
    parts.push_back(counted(n, "function") + " (internal error)");
  if (count_of(input, IncompletePlace::Kind::Stage) > 0) parts.emplace_back("a stage of the check (internal error)");
  if (const size_t n = count_of(input, IncompletePlace::Kind::Function))
    parts.push_back("parts of " + counted(n, "function"));
  if (const size_t n = count_of(input, IncompletePlace::Kind::Program))
    parts.push_back("parts of " + counted(n, "MPI program"));
  if (count_of(input, IncompletePlace::Kind::Imports) > 0) parts.emplace_back("some of the imported files");
  return parts;
}

std::string unchecked_sentence(const ReportInput& input) {
  std::string text;
  for (const std::string& part : unchecked_parts(input)) text += (text.empty() ? "Not checked: " : "; ") + part;
  return text.empty() ? text : text + ".";
}

std::string clean_verdict(const ReportInput& input) {
  if (input.counts.files == 0) return "No files were checked";
  const std::string files = counted(input.counts.files, "file");
  return unchecked_parts(input).empty() ? "No hazards found in " + files : "No hazards in what was checked of " + files;
}

std::string text_of(const IncompletePlace& place) {
  return place.function.empty() ? place.message : "`" + place.function + "`: " + place.message;
}

std::vector<UncheckedPlace> unchecked_places(const ReportInput& input) {
  std::vector<UncheckedPlace> out;
  for (const UnreadFiles& files : input.unread)
    for (const std::string& path : files.paths)
      out.push_back({path, "not read: " + files.why + (files.way_out.empty() ? "" : "; " + files.way_out)});
  for (const IncompletePlace& place : input.incomplete) {
    const std::string line = place.line == 0 ? "" : ":" + std::to_string(place.line);
    out.push_back({place.kind == IncompletePlace::Kind::Stage ? "all files"
                   : place.path.empty()                       ? "imports"
                                                              : place.path + line,
                   "not checked: " + text_of(place)});
  }
  return out;
}

}  // namespace ranklint::report
