// Checkstyle's XML: files with errors in them. Many services that know no other linter read it.
#include <algorithm>

#include "app/report/entries.h"
#include "app/report/formats/formats.h"
#include "app/report/markup.h"
#include "app/report/source_text.h"

namespace ranklint::report {

static std::string error(const Entry& entry, Sources& sources) {
  const SourceRange range = sources.in_unit(entry.location, ColumnUnit::CodePoint);
  std::string out = "    <error";
  if (range.known())
    out += attribute("line", std::to_string(range.line)) + attribute("column", std::to_string(range.column));
  std::string message = entry.code + " " + entry.message;
  if (entry.finding != nullptr)
    for (const WitnessLane& lane : entry.finding->witness.lanes)
      if (!lane.end.empty()) message += "; " + lane.ranks + ": " + lane.end;
  return out + attribute("severity", word(entry.severity)) + attribute("message", message) +
         attribute("source", "ranklint." + entry.rule) + "/>\n";
}

std::string render_checkstyle(const ReportInput& input) {
  Sources sources(input.source);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"8.0\">\n";
  const std::vector<Entry> all = entries(input);
  for (auto from = all.begin(); from != all.end();) {
    const auto to =
        std::find_if(from, all.end(), [&](const Entry& entry) { return entry.location.path != from->location.path; });
    out += "  <file" + attribute("name", from->location.path) + ">\n";
    for (; from != to; ++from) out += error(*from, sources);
    out += "  </file>\n";
  }
  return out + "</checkstyle>\n";
}

}  // namespace ranklint::report
