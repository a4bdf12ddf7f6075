#include "app/lsp/diagnostics.h"

#include "app/report/formats/formats.h"
#include "app/report/markup.h"
#include "app/report/timeline.h"

namespace ranklint::app::lsp {

namespace {

constexpr unsigned kWidePicture = 680;
constexpr unsigned kNarrowPicture = 340;

int severity_number(Severity severity) {
  switch (severity) {
    case Severity::Error: return 1;
    case Severity::Warning: return 2;
    case Severity::Info: return 3;
  }
  return 2;
}

Json related_of(const Finding& finding, Places& places) {
  Json related = Json::array();
  const auto add = [&](const Location& location, const std::string& message) {
    if (!location.path.empty()) related.push_back({{"location", places.location(location)}, {"message", message}});
  };
  if (finding.witness.lanes.empty())
    for (const RelatedLocation& r : finding.related) add(r.location, r.message);
  for (const WitnessLane& lane : finding.witness.lanes)
    for (const WitnessStep& step : lane.steps) {
      const bool last = &step == &lane.steps.back();
      add(step.location, lane.ranks + ": " + step.text + (last && !lane.end.empty() ? ", " + lane.end : ""));
    }
  return related;
}

}  // namespace

Json diagnostic_of(const Finding& finding, Places& places, bool with_steps) {
  Json diagnostic{{"range", places.range(finding.primary)},
                  {"severity", severity_number(finding.severity)},
                  {"code", finding.code},
                  {"source", "ranklint"},
                  {"message", finding.message + (finding.help.empty() ? "" : "\nhelp: " + finding.help)},
                  {"data", {{"rule", finding.rule}, {"confidence", report::word(finding.confidence)}}}};
  for (const FindingAssumption& rests : finding.evidence)
    diagnostic["data"]["evidence"].push_back(info_of(rests.assumption.kind).id);
  for (const FindingDoubt& doubt : finding.doubts) diagnostic["data"]["doubts"].push_back(info_of(doubt.reason).id);
  if (with_steps)
    if (Json related = related_of(finding, places); !related.empty())
      diagnostic["relatedInformation"] = std::move(related);
  return diagnostic;
}

// The picture as every report draws it, its steps links that say where they lead.
static Json picture_of(const Finding& finding, Places& places) {
  const auto link = [&](const WitnessStep& step) -> std::string {
    if (step.location.path.empty()) return {};
    const Json at = places.location(step.location);
    const Json& start = at["range"]["start"];
    return " href=\"#\"" + report::attribute("data-uri", at["uri"].get<std::string>()) +
           report::attribute("data-line", start["line"].dump()) +
           report::attribute("data-character", start["character"].dump());
  };
  return {{"style", report::timeline_style()},
          {"wide", report::timeline_svg(finding.witness, {.width = kWidePicture, .link = link})},
          {"narrow", report::timeline_svg(finding.witness, {.width = kNarrowPicture, .link = link})}};
}

Json rank_paths_of(const Finding& finding, Places& places) {
  Json lanes = Json::array();
  for (const WitnessLane& lane : finding.witness.lanes) {
    Json steps = Json::array();
    for (const WitnessStep& step : lane.steps)
      steps.push_back({{"kind", report::word(step.kind)},
                       {"text", step.text},
                       {"function", step.function},
                       {"nesting", step.nesting},
                       {"op", step.op},
                       {"group", step.group},
                       {"location", step.location.path.empty() ? Json() : places.location(step.location)}});
    lanes.push_back({{"ranks", lane.ranks}, {"steps", std::move(steps)}, {"end", lane.end}});
  }
  return {{"code", finding.code},
          {"rule", finding.rule},
          {"message", finding.message},
          {"help", finding.help},
          {"location", places.location(finding.primary)},
          {"assumptions", finding.witness.assumptions},
          {"lanes", std::move(lanes)},
          {"picture", picture_of(finding, places)}};
}

}  // namespace ranklint::app::lsp
