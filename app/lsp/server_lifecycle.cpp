// From initialize to exit: what the client can do, which folders there are, how they are set.
#include <algorithm>
#include <array>
#include <span>

#include "analyzer/base/confidence_words.h"
#include "app/cli/version.h"
#include "app/files/discover.h"
#include "app/files/paths.h"
#include "app/lsp/actions.h"
#include "app/lsp/server.h"
#include "rules/severity_words.h"

namespace ranklint::app::lsp {

namespace {

Encoding encoding_among(const std::vector<std::string>& offered) {
  const auto has = [&](const char* name) { return std::find(offered.begin(), offered.end(), name) != offered.end(); };
  if (has("utf-8")) return Encoding::Utf8;
  if (!has("utf-16") && has("utf-32")) return Encoding::Utf32;
  return Encoding::Utf16;
}

const char* name_of(Encoding encoding) {
  switch (encoding) {
    case Encoding::Utf8: return "utf-8";
    case Encoding::Utf16: return "utf-16";
    case Encoding::Utf32: return "utf-32";
  }
  return "utf-16";
}

ClientAbilities abilities_of(const Json& params) {
  const Json& all = child(params, "capabilities");
  ClientAbilities client;
  client.encoding = encoding_among(texts_of(child(all, "general", "positionEncodings")));
  client.related_information = flag_of(child(all, "textDocument", "publishDiagnostics", "relatedInformation")) ||
                               flag_of(child(all, "textDocument", "diagnostic", "relatedInformation"));
  client.pulls = child(all, "textDocument", "diagnostic").is_object() &&
                 flag_of(child(all, "workspace", "diagnostics", "refreshSupport"));
  client.progress = flag_of(child(all, "window", "workDoneProgress"));
  client.configuration = flag_of(child(all, "workspace", "configuration"));
  client.watches = flag_of(child(all, "workspace", "didChangeWatchedFiles", "dynamicRegistration"));
  client.refreshes_hints = flag_of(child(all, "workspace", "inlayHint", "refreshSupport"));
  client.rank_paths = flag_of(child(params, "initializationOptions", "showRankPaths"));
  return client;
}

// The folders of an initialize, the older ways to name them included.
std::vector<std::string> roots_of(const Json& params) {
  std::vector<std::string> roots;
  for (const Json& folder : items(child(params, "workspaceFolders")))
    roots.push_back(path_of_uri(text_of(child(folder, "uri"))));
  if (roots.empty()) roots.push_back(path_of_uri(text_of(child(params, "rootUri"))));
  if (roots.front().empty() && roots.size() == 1) roots.front() = text_of(child(params, "rootPath"));
  std::erase_if(roots, [](const std::string& root) { return !root.starts_with('/'); });
  return roots;
}

}  // namespace

Server::Answer Server::initialize(const Json&, const Json& params) {
  phase_ = Phase::Running;
  parent_ = number_of(child(params, "processId"));
  client_ = abilities_of(params);
  configure(child(params, "initializationOptions", "settings"));
  for (const std::string& root : roots_of(params)) add_folder(root, true);
  Json capabilities{{"positionEncoding", name_of(client_.encoding)},
                    {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", {{"includeText", false}}}}},
                    {"codeActionProvider", {{"codeActionKinds", {"quickfix", kFixAll}}}},
                    {"hoverProvider", true},
                    {"inlayHintProvider", true},
                    {"executeCommandProvider", {{"commands", {kRankPaths, kReplay}}}},
                    {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}}};
  if (client_.pulls)
    capabilities["diagnosticProvider"] = {
        {"identifier", "ranklint"}, {"interFileDependencies", true}, {"workspaceDiagnostics", true}};
  return Json{{"capabilities", std::move(capabilities)},
              {"serverInfo", {{"name", "ranklint"}, {"version", RANKLINT_VERSION}}}};
}

void Server::initialized(const Json&) {
  if (client_.watches) {
    Json watchers = Json::array();
    std::string sources;
    for (std::string_view suffix : suffixes_of_sources()) sources += (sources.empty() ? "" : ",") + std::string(suffix);
    // A configuration may name models, rules and a baseline anywhere.
    for (const std::string& pattern :
         {"**/*{" + sources + "}", std::string("**/*.{toml,json}"), std::string("**/.gitignore"),
          std::string("**/{*requirements*,constraints*}.txt"), std::string("**/setup.cfg")})
      watchers.push_back({{"globPattern", pattern}});
    ask("client/registerCapability",
        {{"registrations", Json::array({Json{{"id", "files"},
                                             {"method", "workspace/didChangeWatchedFiles"},
                                             {"registerOptions", {{"watchers", std::move(watchers)}}}}})}});
  }
  if (client_.configuration)
    ask("workspace/configuration", {{"items", Json::array({Json{{"section", "ranklint"}}})}}, "configuration");
}

Server::Answer Server::shut_down(const Json&, const Json&) {
  for (const Json& id : order_)
    if (waiting_.contains(id)) fail(id, -32800, "the server shuts down");
  waiting_.clear();
  order_.clear();
  phase_ = Phase::ShutDown;
  return Json();
}

void Server::leave(const Json&) {
  status_ = phase_ == Phase::ShutDown ? 0 : 1;
  phase_ = Phase::Gone;
}

void Server::cancel(const Json& params) {
  const Json& id = child(params, "id");
  inbox_.take_cancelled(id);
  if (waiting_.erase(id) == 0) return;
  std::erase(order_, id);
  fail(id, -32800, "cancelled");
}

void Server::set_trace(const Json&) {}

void Server::configure(const Json& given) {
  if (!given.is_object()) return;
  ClientSettings s;
  s.enable = flag_of(child(given, "enable"), true);
  s.inlay_hints = flag_of(child(given, "inlayHints"));
  s.config = text_of(child(given, "config"));
  s.select = texts_of(child(given, "select"));
  s.ignore = texts_of(child(given, "ignore"));
  s.extend_exclude = texts_of(child(given, "extendExclude"));
  s.models = texts_of(child(given, "models"));
  const auto one_of = [&](const char* key, std::span<const std::string_view> words) -> std::optional<std::string> {
    const std::optional<std::string> word = optional_text(child(given, key));
    if (!word || word->empty() || std::find(words.begin(), words.end(), *word) != words.end())
      return word && !word->empty() ? word : std::nullopt;
    std::string known;
    for (std::string_view other : words) known += (known.empty() ? "" : ", ") + std::string(other);
    show(2, std::string("the setting `") + key + "` is one of " + known + ", not `" + *word + "`");
    return std::nullopt;
  };
  s.open_files_only =
      one_of("diagnosticScope", std::array<std::string_view, 2>{"workspace", "openFiles"}) == "openFiles";
  s.min_severity = one_of("minSeverity", texts_of(kSeverityWords));
  s.min_confidence = one_of("minConfidence", texts_of(kConfidenceWords));
  settings_ = std::move(s);
}

void Server::change_configuration(const Json& params) {
  if (client_.configuration) {
    ask("workspace/configuration", {{"items", Json::array({Json{{"section", "ranklint"}}})}}, "configuration");
    return;
  }
  const Json& settings = child(params, "settings");
  configure(child(settings, "ranklint").is_object() ? child(settings, "ranklint") : settings);
  for (const auto& folder : folders_) load(*folder);
}

void Server::take_answer(const Json& id, const Json& message) {
  const auto found = id.is_number_integer() ? asked_.find(id.get<int64_t>()) : asked_.end();
  if (found == asked_.end()) return;
  const std::string what = found->second;
  asked_.erase(found);
  if (what != "configuration" || items(child(message, "result")).empty()) return;
  const Json& settings = items(child(message, "result")).front();
  if (!settings.is_object()) return;
  configure(settings);
  for (const auto& folder : folders_) load(*folder);
}

void Server::change_folders(const Json& params) {
  for (const Json& removed : items(child(params, "event", "removed"))) {
    const std::string root = path_of_uri(text_of(child(removed, "uri")));
    for (const auto& [uri, diagnostics] : published_[root])
      if (!diagnostics.empty())
        notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
    published_.erase(root);
    std::erase_if(folders_, [&](const auto& folder) { return folder->root() == root; });
  }
  for (const Json& added : items(child(params, "event", "added")))
    if (const std::string root = path_of_uri(text_of(child(added, "uri"))); !root.empty()) add_folder(root, true);
}

void Server::add_folder(const std::string& path, bool everything) {
  const std::string root = absolute_path(path, "/");
  const auto known = std::find_if(folders_.begin(), folders_.end(), [&](const auto& f) { return f->root() == root; });
  if (known != folders_.end()) return;
  folders_.push_back(std::make_unique<Folder>(root, everything));
  load(*folders_.back());
}

CheckOptions Server::options_of(const Folder& folder) const {
  CheckOptions options;
  options.config = settings_.config.empty() ? "" : absolute_path(settings_.config, folder.root());
  options.select = settings_.select;
  options.ignore = settings_.ignore;
  options.extend_exclude = settings_.extend_exclude;
  options.min_severity = settings_.min_severity;
  options.min_confidence = settings_.min_confidence;
  for (const std::string& path : settings_.models) options.models.push_back(absolute_path(path, folder.root()));
  return options;
}

void Server::load(Folder& folder) {
  ++at_work_;
  checker_.load(folder.load_job(options_of(folder)));
}

void Server::tell_progress(const Progress& progress) {
  if (!client_.progress || phase_ != Phase::Running) return;
  const std::string token = "ranklint " + progress.root;
  const auto [told, is_first] = in_progress_.try_emplace(progress.root, progress.percent);
  if (is_first) {
    ask("window/workDoneProgress/create", {{"token", token}});
    notify("$/progress", {{"token", token}, {"value", {{"kind", "begin"}, {"title", "ranklint"}, {"percentage", 0}}}});
  }
  if (progress.percent < told->second) return;  // threads overtake each other
  told->second = progress.percent;
  notify("$/progress",
         {{"token", token},
          {"value", {{"kind", "report"}, {"percentage", progress.percent}, {"message", progress.message}}}});
}

void Server::end_progress(const std::string& root) {
  if (in_progress_.erase(root) != 0)
    notify("$/progress", {{"token", "ranklint " + root}, {"value", {{"kind", "end"}}}});
}

}  // namespace ranklint::app::lsp
