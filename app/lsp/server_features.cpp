// What the client asks about a place: what to do, what it means.
#include "app/lsp/actions.h"
#include "app/lsp/diagnostics.h"
#include "app/lsp/hover.h"
#include "app/lsp/server.h"

namespace ranklint::app::lsp {

namespace {

// The bytes between two positions.
Span span_of(const Json& range, const TextLines& lines, Encoding encoding) {
  const size_t begin = lines.offset(position_of(child(range, "start")), encoding);
  return {begin, std::max(begin, lines.offset(position_of(child(range, "end")), encoding))};
}

}  // namespace

Server::Answer Server::code_action(const Json&, const Json& params) {
  const Document* document = find(params);
  const Folder* folder = document ? folder_of(document->path) : nullptr;
  if (!folder || !folder->outcome() || !settings_.enable) return Json::array();
  ActionContext context;
  context.path = folder->shown(document->path);
  Places places(*folder, open_, client_.encoding, context.path);
  context.span = span_of(child(params, "range"), places.now(context.path), client_.encoding);
  context.only = texts_of(child(params, "context", "only"));
  context.shows_rank_paths = client_.rank_paths;
  return actions_for(folder->findings(context.path), context, places);
}

Server::Answer Server::hover(const Json&, const Json& params) {
  const Document* document = find(params);
  const Folder* folder = document ? folder_of(document->path) : nullptr;
  if (!folder || !folder->outcome()) return Json();
  const std::string path = folder->shown(document->path);
  Places places(*folder, open_, client_.encoding), own(*folder, open_, client_.encoding, path);
  const size_t offset = places.now(path).offset(position_of(child(params, "position")), client_.encoding);
  const auto hovered = hover_at(*folder, engine_, path, offset, own, places);
  if (!hovered) return Json();
  return Json{{"contents", {{"kind", "markdown"}, {"value", hovered->markdown}}},
              {"range", range_of(places.now(path), hovered->span, client_.encoding)}};
}

Server::Answer Server::inlay_hint(const Json&, const Json& params) {
  const Document* document = find(params);
  const Folder* folder = document ? folder_of(document->path) : nullptr;
  Json hints = Json::array();
  if (!folder || !folder->outcome() || !settings_.enable || !settings_.inlay_hints) return hints;
  Places places(*folder, open_, client_.encoding);
  const std::string path = folder->shown(document->path);
  const TextLines& lines = places.now(path);
  for (const Hint& hint : hints_in(*folder, path, span_of(child(params, "range"), lines, client_.encoding), places))
    hints.push_back({{"position", json_of(lines.position(hint.offset, client_.encoding))},
                     {"label", hint.label},
                     {"tooltip", hint.tooltip},
                     {"paddingLeft", true}});
  return hints;
}

Json Server::replay(const Finding& finding) {
  std::vector<Finding> findings{finding};
  engine_.verify(findings);
  Json result{
      {"code", finding.code}, {"verdict", "refuted"}, {"reason", "every rank finishes"}, {"ranks", Json::array()}};
  if (!findings.empty() && findings.front().verdict) {
    const Verdict& verdict = *findings.front().verdict;
    result["verdict"] = verdict.kind == Verdict::Kind::Confirmed ? "confirmed"
                        : verdict.kind == Verdict::Kind::Refuted ? "refuted"
                                                                 : "not replayable";
    result["reason"] = verdict.reason;
    result["ranks"] = verdict.ranks;
  }
  std::string text =
      finding.code + " is " + result["verdict"].get<std::string>() + ": " + result["reason"].get<std::string>();
  for (const Json& rank : result["ranks"]) text += "\n" + rank.get<std::string>();
  show(result["verdict"] == "confirmed" ? 2 : 3, text);
  return result;
}

// `ranklint.rankPaths` with {textDocument, position}: the lanes of the finding in that line, or null. `ranklint.replay`
// with the same: what came of running it.
Server::Answer Server::execute(const Json&, const Json& params) {
  const std::string command = text_of(child(params, "command"));
  if (command != kRankPaths && command != kReplay)
    return Failure{-32602, "`" + command + "` is no command of ranklint"};
  const Json::array_t& arguments = items(child(params, "arguments"));
  const Json& about = arguments.empty() ? params : arguments.front();
  const Document* document = find(about);
  const Folder* folder = document ? folder_of(document->path) : nullptr;
  if (!folder || !folder->outcome()) return Json();
  const std::string path = folder->shown(document->path);
  Places places(*folder, open_, client_.encoding, path);
  const TextLines& lines = places.now(path);
  const uint32_t line = position_of(child(about, "position")).line;
  for (const Finding* finding : folder->findings(path)) {
    if (lines.position(places.span(finding->primary).begin, client_.encoding).line != line) continue;
    if (command == kReplay) return replay(*finding);
    if (!finding->witness.lanes.empty()) return rank_paths_of(*finding, places);
  }
  return Json();
}

}  // namespace ranklint::app::lsp
