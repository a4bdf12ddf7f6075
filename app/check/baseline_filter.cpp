#include "app/check/baseline_filter.h"

#include <algorithm>
#include <filesystem>

#include "app/files/paths.h"
#include "app/files/read.h"

namespace ranklint::app {

namespace {

constexpr uint64_t kLargestBaselineBytes = uint64_t{64} << 20;

}  // namespace

Result<Baseline> load_baseline(const std::string& absolute, const std::string& cwd) {
  const std::string shown = shown_path(absolute, cwd);
  Result<std::string> text = read_file(absolute, kLargestBaselineBytes);
  if (!text)
    return Error{
        .message = "can not read the baseline: " + text.error().message + "; `ranklint baseline create` writes one",
        .path = shown};
  return read_baseline(text.value(), shown);
}

bool is_gone(const BaselineEntry& entry, const BaselinePlace& place, const Looked& looked) {
  const std::string absolute = absolute_path(entry.path, place.folder);
  std::error_code ignored;
  if (!std::filesystem::exists(absolute, ignored)) return true;
  if (!std::binary_search(looked.reported.begin(), looked.reported.end(), shown_path(absolute, place.cwd)))
    return false;
  const bool is_hidden = std::any_of(looked.hidden.begin(), looked.hidden.end(), [&](const Finding& f) {
    return f.rule == entry.rule && f.function == entry.function && absolute_path(f.primary.path, place.cwd) == absolute;
  });
  return !is_hidden && std::any_of(looked.rules.begin(), looked.rules.end(), [&](const Rule& rule) {
    return rule.info->id == entry.rule && looked.settings.selected(*rule.info, absolute);
  });
}

Result<size_t> hide_known(SuppressionResult& judged, const Looked& looked) {
  const std::string& file = looked.settings.baseline;
  if (file.empty()) return size_t{0};
  const std::string& cwd = looked.settings.discovery.cwd;
  const Result<Baseline> baseline = load_baseline(file, cwd);
  if (!baseline) return baseline.error();
  const BaselinePlace place{.cwd = cwd, .folder = std::string(parent_of(file))};
  const std::set<size_t> met =
      take_known(judged.findings, judged.suppressed,
                 {.baseline = baseline.value(), .place = place, .shown = shown_path(file, cwd)});
  size_t gone = 0;
  for (size_t i = 0; i < baseline.value().entries.size(); ++i)
    if (!met.contains(i) && is_gone(baseline.value().entries[i], place, looked)) ++gone;
  return gone;
}

}  // namespace ranklint::app
