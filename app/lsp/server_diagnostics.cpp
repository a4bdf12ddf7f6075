// What was found, on its way to the client: pushed, or pulled by one that asks.
#include <algorithm>

#include "app/check/broken.h"
#include "app/lsp/diagnostics.h"
#include "app/lsp/server.h"
#include "app/report/fingerprint.h"

namespace ranklint::app::lsp {

namespace {

std::string result_id(const Json& diagnostics) { return report::hex(std::hash<std::string>()(dumped(diagnostics))); }

}  // namespace

void Server::take(const std::shared_ptr<Loaded>& loaded) {
  --at_work_;
  const auto folder =
      std::find_if(folders_.begin(), folders_.end(), [&](const auto& f) { return f->root() == loaded->root; });
  if (folder == folders_.end()) end_progress(loaded->root);
  if (folder == folders_.end() || !(*folder)->take(loaded, open_)) return;
  if (!loaded->mistake.empty()) show(1, loaded->mistake);
}

void Server::take(const KnownBefore& known) {
  for (const auto& folder : folders_) {
    if (folder->root() != known.outcome->job.root || !folder->take(known)) continue;
    checker_.stop_looking(folder->root());
    if (phase_ == Phase::Running) publish(*folder);
  }
}

void Server::take(const FirstLook& look) {
  for (const auto& folder : folders_)
    if (folder->root() == look.outcome->job.root && folder->take(look) && phase_ == Phase::Running) publish(*folder);
}

void Server::take(const std::shared_ptr<Outcome>& outcome) {
  --at_work_;
  const auto folder =
      std::find_if(folders_.begin(), folders_.end(), [&](const auto& f) { return f->root() == outcome->job.root; });
  if (folder == folders_.end() || !outcome->broken_off) end_progress(outcome->job.root);
  if (folder == folders_.end()) return;
  (*folder)->take_read(*outcome);
  if (outcome->broken_off) return;
  for (const BrokenPiece& piece : outcome->broken) show_broken(described(piece));
  checker_.stop_looking((*folder)->root());
  checker_.take_apart((*folder)->take(outcome));
  if (phase_ == Phase::Running) publish(**folder);
}

// Reads what changed and reports at once what follows from it.
void Server::take_changes() {
  const std::set<std::pair<std::string, std::string>> dirty = std::exchange(dirty_, {});
  for (const auto& folder : folders_) {
    if (!folder->is_loaded()) continue;
    for (const auto& [root, path] : dirty) {
      if (root != folder->root()) continue;
      const auto document = open_.find(folder->absolute(path));
      folder->put(folder->absolute(path), document == open_.end() ? nullptr : document->second.text);
      if (folder->tells_at_once()) {
        checker_.break_off(root);
        edited_ = std::chrono::steady_clock::now();
      }
      if (folder->outcome()) publish_file(*folder, path);
    }
  }
}

// Checks the newest state of each folder, when the checker is free and no edit is in progress.
void Server::check_what_changed() {
  take_changes();
  for (const auto& folder : folders_) {
    if (folder->needs_check() && at_work_ == 0 && !(folder->tells_at_once() && is_typing())) {
      ++at_work_;
      checker_.check(folder->check_job());
    }
  }
  answer_waiting();
}

Json Server::diagnostics_of(const Folder& folder, const std::string& shown_path, Places& places) const {
  Json diagnostics = Json::array();
  if (!settings_.enable || !folder.outcome()) return diagnostics;
  if (settings_.open_files_only && !open_.contains(folder.absolute(shown_path))) return diagnostics;
  for (const Finding* finding : folder.findings(shown_path))
    diagnostics.push_back(diagnostic_of(*finding, places, client_.related_information));
  return diagnostics;
}

void Server::publish_file(const Folder& folder, const std::string& shown_path) {
  Places places(folder, open_, client_.encoding, shown_path);
  const std::string uri = places.uri(shown_path);
  Json diagnostics = diagnostics_of(folder, shown_path, places);
  Json& last = published_[folder.root()][uri];
  if (last == diagnostics || (last.is_null() && diagnostics.empty())) return;
  last = diagnostics;
  if (client_.pulls) return;
  Json params{{"uri", uri}, {"diagnostics", std::move(diagnostics)}};
  if (const auto document = open_.find(folder.absolute(shown_path)); document != open_.end())
    params["version"] = document->second.version;
  notify("textDocument/publishDiagnostics", std::move(params));
}

// Open files first.
void Server::publish(const Folder& folder) {
  std::vector<std::string> paths;
  for (const Finding& finding : folder.outcome()->findings) paths.push_back(finding.primary.path);
  for (const auto& [path, text] : folder.buffers()) paths.push_back(path);
  for (const auto& [uri, diagnostics] : published_[folder.root()])
    if (!diagnostics.empty()) paths.push_back(folder.shown(path_of_uri(uri)));
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  std::stable_partition(paths.begin(), paths.end(),
                        [&](const std::string& path) { return open_.contains(folder.absolute(path)); });
  const std::map<std::string, Json> before = published_[folder.root()];
  for (const std::string& path : paths) publish_file(folder, path);
  if (client_.pulls && published_[folder.root()] != before) ask("workspace/diagnostic/refresh", Json());
  if (client_.refreshes_hints && settings_.inlay_hints) ask("workspace/inlayHint/refresh", Json());
}

bool Server::is_settled() const {
  return dirty_.empty() && at_work_ == 0 &&
         std::all_of(folders_.begin(), folders_.end(), [](const auto& folder) { return folder->is_current(); });
}

void Server::answer_waiting() {
  for (const Json& id : std::vector<Json>(order_)) {
    Answer answer = waiting_.at(id)();
    if (std::holds_alternative<std::monostate>(answer)) continue;
    waiting_.erase(id);
    std::erase(order_, id);
    if (Json* result = std::get_if<Json>(&answer)) reply(id, std::move(*result));
  }
}

Json Server::report_of(const Folder& folder, const std::string& shown_path, const std::string& previous) {
  Places places(folder, open_, client_.encoding, shown_path);
  Json diagnostics = diagnostics_of(folder, shown_path, places);
  const std::string id = result_id(diagnostics);
  if (id == previous) return {{"kind", "unchanged"}, {"resultId", id}};
  return {{"kind", "full"}, {"resultId", id}, {"items", std::move(diagnostics)}};
}

// Waits for the first check only: after it there is an answer at once, and the client is notified when a better one is
// there.
Server::Answer Server::pull(const Json& id, const Json& params) {
  const std::string path = path_of_uri(text_of(child(params, "textDocument", "uri")));
  const std::string previous = text_of(child(params, "previousResultId"));
  const auto answer = [this, path, previous]() -> Answer {
    const Folder* folder = folder_of(path);
    if (!folder) return Json{{"kind", "full"}, {"items", Json::array()}};
    if (!folder->outcome()) return std::monostate();
    return report_of(*folder, folder->shown(path), previous);
  };
  Answer now = answer();
  if (std::holds_alternative<std::monostate>(now)) {
    waiting_[id] = answer;
    order_.push_back(id);
  }
  return now;
}

Server::Answer Server::pull_workspace(const Json& id, const Json& params) {
  std::map<std::string, std::string> previous;
  for (const Json& result : items(child(params, "previousResultIds")))
    previous[text_of(child(result, "uri"))] = text_of(child(result, "value"));
  const auto answer = [this, previous]() -> Answer {
    Json reports = Json::array();
    for (const auto& folder : folders_) {
      if (!folder->outcome()) return std::monostate();
      std::set<std::string> uris;
      for (const auto& [uri, value] : previous)
        if (folder_of(path_of_uri(uri)) == folder.get()) uris.insert(uri);
      Places places(*folder, open_, client_.encoding);
      for (const Finding& finding : folder->outcome()->findings) uris.insert(places.uri(finding.primary.path));
      for (const auto& [path, text] : folder->buffers())
        if (!folder->findings(path).empty()) uris.insert(places.uri(path));
      for (const std::string& uri : uris) {
        const std::string path = path_of_uri(uri);
        const auto known = previous.find(uri);
        Json one = report_of(*folder, folder->shown(path), known == previous.end() ? "" : known->second);
        const auto document = open_.find(path);
        one["uri"] = uri;
        one["version"] = document == open_.end() ? Json() : Json(document->second.version);
        reports.push_back(std::move(one));
      }
    }
    return Json{{"items", std::move(reports)}};
  };
  Answer now = answer();
  if (std::holds_alternative<std::monostate>(now)) {
    waiting_[id] = answer;
    order_.push_back(id);
  }
  return now;
}

// A request of our own: answered when everything that was sent before it has been checked.
Server::Answer Server::settle(const Json& id, const Json&) {
  waiting_[id] = [this]() -> Answer {
    if (!is_settled()) return std::monostate();
    return Json();
  };
  order_.push_back(id);
  return std::monostate();
}

}  // namespace ranklint::app::lsp
