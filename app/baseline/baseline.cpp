#include "app/baseline/baseline.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "app/files/paths.h"
#include "app/json/read_json.h"
#include "app/report/fingerprint.h"

namespace ranklint::app {

namespace {

using Json = nlohmann::json;
constexpr int kVersion = 1;

void sort_entries(std::vector<BaselineEntry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const BaselineEntry& a, const BaselineEntry& b) {
    return std::tie(a.path, a.rule, a.fingerprint) < std::tie(b.path, b.rule, b.fingerprint);
  });
}

std::string respelled(const std::string& path, const BaselinePlace& place) {
  return shown_path(absolute_path(path, place.cwd), place.folder);
}

// All that a fingerprint is made of, and not the witness.
Finding light(const Finding& finding, const BaselinePlace& place) {
  Finding out;
  out.rule = finding.rule;
  out.primary = {respelled(finding.primary.path, place), finding.primary.range};
  out.function = finding.function;
  out.fingerprint_key = finding.fingerprint_key;
  return out;
}

Error damaged(const std::string& shown, const std::string& what) {
  return Error{.message = what + "; write it again with `ranklint baseline create`", .path = shown};
}

// A text member of an entry; null when it is there and no text.
const std::string* text_in(const Json& entry, const char* name) {
  static const std::string kNone;
  const auto found = entry.find(name);
  if (found == entry.end()) return &kNone;
  return found->get_ptr<const std::string*>();
}

}  // namespace

Result<Baseline> read_baseline(std::string_view text, const std::string& shown) {
  Result<Json> read = read_json(text, shown);
  if (!read) {
    Error error = read.error();
    error.message += "; write it again with `ranklint baseline create`";
    return error;
  }
  const Json& file = read.value();
  if (!file.is_object() || !file.contains("ranklint-baseline"))
    return damaged(shown, "this is no baseline of ranklint: it has no `ranklint-baseline`");
  if (file["ranklint-baseline"] != kVersion) return damaged(shown, "this baseline is of another version of ranklint");
  const auto entries = file.find("findings");
  if (entries == file.end() || !entries->is_array()) return damaged(shown, "the baseline has no list `findings`");

  Baseline baseline;
  for (size_t i = 0; i < entries->size(); ++i) {
    const Json& from = (*entries)[i];
    const std::string which = "entry " + std::to_string(i + 1) + " of `findings` ";
    if (!from.is_object()) return damaged(shown, which + "is no object");
    BaselineEntry entry;
    for (const auto& [name, target] : {std::pair{"fingerprint", &entry.fingerprint},
                                       {"rule", &entry.rule},
                                       {"path", &entry.path},
                                       {"function", &entry.function},
                                       {"message", &entry.message},
                                       {"reason", &entry.reason}}) {
      const std::string* value = text_in(from, name);
      if (value == nullptr) return damaged(shown, which + "has a `" + name + "` that is no text");
      *target = *value;
    }
    if (entry.fingerprint.empty()) return damaged(shown, which + "has no `fingerprint`");
    baseline.entries.push_back(std::move(entry));
  }
  sort_entries(baseline.entries);
  return baseline;
}

std::string print_baseline(const Baseline& baseline) {
  auto findings = nlohmann::ordered_json::array();
  for (const BaselineEntry& e : baseline.entries) {
    nlohmann::ordered_json entry{{"fingerprint", e.fingerprint}, {"rule", e.rule}, {"path", e.path}};
    if (!e.function.empty()) entry["function"] = e.function;
    entry["message"] = e.message;
    entry["reason"] = e.reason;
    findings.push_back(std::move(entry));
  }
  return json_text({{"ranklint-baseline", kVersion}, {"findings", std::move(findings)}});
}

std::vector<BaselineEntry> entries_of(std::span<const Finding> findings, std::span<const SuppressedFinding> suppressed,
                                      const BaselinePlace& place) {
  std::vector<Finding> ours;
  std::vector<SuppressedFinding> theirs;
  for (const Finding& finding : findings) ours.push_back(light(finding, place));
  for (const SuppressedFinding& s : suppressed)
    theirs.push_back({.finding = light(s.finding, place), .reason = {}, .location = {}});
  const report::Fingerprints prints = report::fingerprints(ours, theirs);
  std::vector<BaselineEntry> entries;
  for (size_t i = 0; i < findings.size(); ++i)
    entries.push_back({.fingerprint = prints.findings[i],
                       .rule = findings[i].rule,
                       .path = ours[i].primary.path,
                       .function = findings[i].function,
                       .message = findings[i].message,
                       .reason = {}});
  return entries;
}

std::set<size_t> take_known(std::vector<Finding>& findings, std::vector<SuppressedFinding>& suppressed,
                            const KnownFindings& known) {
  std::map<std::string_view, size_t> at;
  for (size_t i = 0; i < known.baseline.entries.size(); ++i) at.emplace(known.baseline.entries[i].fingerprint, i);
  const std::vector<BaselineEntry> now = entries_of(findings, suppressed, known.place);
  std::set<size_t> met;
  std::vector<Finding> left;
  for (size_t i = 0; i < findings.size(); ++i) {
    const auto entry = at.find(now[i].fingerprint);
    if (entry == at.end()) {
      left.push_back(std::move(findings[i]));
      continue;
    }
    met.insert(entry->second);
    suppressed.push_back({.finding = std::move(findings[i]),
                          .reason = known.baseline.entries[entry->second].reason,
                          .location = {known.shown, {}},
                          .by = SuppressedFinding::By::Baseline});
  }
  findings = std::move(left);
  return met;
}

BaselineChange updated(const Baseline& old, const std::vector<BaselineEntry>& now,
                       const std::function<bool(const BaselineEntry&)>& is_gone, bool adds) {
  BaselineChange change;
  std::map<std::string_view, const BaselineEntry*> found;
  for (const BaselineEntry& entry : now) found.emplace(entry.fingerprint, &entry);
  for (const BaselineEntry& entry : old.entries) {
    const auto still = found.find(entry.fingerprint);
    if (still == found.end() && is_gone(entry)) {
      ++change.dropped;
      continue;
    }
    ++change.kept;
    BaselineEntry kept = still == found.end() ? entry : *still->second;  // its message may read otherwise by now
    kept.reason = entry.reason;
    change.baseline.entries.push_back(std::move(kept));
    if (still != found.end()) found.erase(still);
  }
  for (const BaselineEntry& entry : now) {
    if (!adds || !found.contains(entry.fingerprint)) continue;
    change.baseline.entries.push_back(entry);
    ++change.added;
  }
  sort_entries(change.baseline.entries);
  return change;
}

}  // namespace ranklint::app
