#include "app/check/baseline_filter.h"
#include "app/files/paths.h"
#include "app/lsp/checker.h"
#include "app/lsp/incremental.h"

namespace ranklint::app::lsp {

namespace {

// A mistake in the configuration must not hide findings.
Settings settings_for(LoadJob& job, const Engine& engine, const Io& io, FolderRules& rules, std::string& mistake) {
  Result<Engine> own = engine_with_rules(engine, job.options, io, rules.set);
  rules.engine = own ? own.value() : engine;
  Result<Settings> settings = settings_of(job.options, io, rules.engine.rules);
  if (own && settings) return std::move(settings).value();
  const Error& error = own ? settings.error() : own.error();
  mistake = error.path.empty()
                ? error.message
                : error.path + (error.line ? ":" + std::to_string(error.line) : "") + ": " + error.message;
  job.options = CheckOptions();
  job.options.isolated = true;
  Result<Settings> plain = settings_of(job.options, io, engine.rules);
  return plain ? std::move(plain).value() : Settings{};
}

// Null: nothing is kept of this folder.
std::shared_ptr<KeptResults> kept_results(const LoadJob& job, Io& io, const Loaded& loaded, const Sources& sources,
                                          std::shared_ptr<ObservedFiles> observed) {
  const CheckRun run{.options = job.options, .io = io, .engine = loaded.rules->engine, .settings = *loaded.settings};
  auto results = std::make_shared<KeptResults>(
      KeptResults{.cache = ResultCache(run, sources, *loaded.models), .observed = std::move(observed), .files = {}});
  if (results->cache.is_off()) return nullptr;
  for (const SourceFile& file : sources.files) results->files[file.path] = Digester().add(file.bytes).digest();
  return results;
}

// What an earlier check found, without what it knew beside its findings. It is of no revision: the folder is checked.
std::shared_ptr<Outcome> known_before(const Loaded& loaded) {
  std::optional<AnalysisRecord> record = loaded.results ? loaded.results->cache.find() : std::nullopt;
  if (!record) return nullptr;
  auto outcome = std::make_shared<Outcome>();
  outcome->job.root = loaded.root;
  outcome->job.settings = loaded.settings;
  outcome->job.models = loaded.models;
  outcome->job.rules = loaded.rules;
  outcome->job.problems = loaded.problems;
  outcome->job.silent = loaded.silent;
  outcome->shared = std::make_shared<const Shared>();
  outcome->found = std::move(record->findings);
  Analysis analysis;
  analysis.files = std::move(record->files);
  SourceTexts disk(loaded.root);
  outcome->findings = reported_findings(outcome->job, analysis, outcome->found, loaded.problems,
                                        [&](const std::string& path) { return disk.text(path); });
  return outcome;
}

// The rules, settings, models and frontend of a folder, of which nothing is read yet.
std::shared_ptr<Loaded> prepared(LoadJob& job, const Engine& engine, const Io& here,
                                 const std::shared_ptr<ObservedFiles>& observed) {
  auto loaded = std::make_shared<Loaded>();
  loaded->root = job.root;
  loaded->generation = job.generation;
  auto rules = std::make_shared<FolderRules>();
  loaded->settings = std::make_shared<Settings>(settings_for(job, engine, here, *rules, loaded->mistake));
  loaded->rules = rules;
  Result<Models> models = load_models(engine, *loaded->settings);
  if (!models && loaded->mistake.empty()) loaded->mistake = models.error().message;
  loaded->models = std::make_shared<const Models>(models ? std::move(models).value() : engine.builtin_models());
  Result<Frontend> frontend = engine.frontend({.cwd = job.root,
                                               .build_folder = loaded->settings->build_folder,
                                               .again = true,
                                               .open = loaded->open,
                                               .observed = observed});
  if (!frontend) {
    if (loaded->mistake.empty()) loaded->mistake = frontend.error().message;
    frontend = engine.frontend({.cwd = job.root, .build_folder = "", .again = true, .open = loaded->open});
  }
  loaded->workspace.emplace(frontend.value());
  return loaded;
}

// Of the files, sorted.
std::vector<std::string> silent_ones(const std::vector<SourceFile>& files) {
  std::vector<std::string> silent;
  for (const SourceFile& file : files)
    if (!file.reported) silent.push_back(file.path);
  std::sort(silent.begin(), silent.end());
  return silent;
}

Io in_folder(const Io& io, const std::string& root) {
  Io here = io;
  here.cwd = root;
  return here;
}

}  // namespace

std::shared_ptr<Loaded> load(const LoadJob& asked, const Engine& engine, const Io& io, Inbox& inbox) {
  LoadJob job = asked;
  Io here = in_folder(io, job.root);
  const auto observed = std::make_shared<ObservedFiles>();
  std::shared_ptr<Loaded> loaded = prepared(job, engine, here, observed);
  const Settings& settings = *loaded->settings;
  loaded->besides = files_besides_sources(asked.options, settings, here);
  if (!settings.baseline.empty() && loaded->mistake.empty())
    if (const Result<Baseline> known = load_baseline(settings.baseline, job.root); !known)
      loaded->mistake = known.error().path + ": " + known.error().message;
  if (!job.everything) return loaded;
  Result<Sources> sources = read_sources(job.options, settings, here);
  if (!sources) {
    if (loaded->mistake.empty()) loaded->mistake = sources.error().path + ": " + sources.error().message;
    return loaded;
  }
  loaded->silent = silent_ones(sources.value().files);
  loaded->problems = std::move(sources.value().problems);
  if (loaded->mistake.empty()) {
    loaded->results = kept_results(job, here, *loaded, sources.value(), observed);
    if (std::shared_ptr<Outcome> known = known_before(*loaded))
      inbox.push(KnownBefore{loaded->generation, std::move(known)});
  }
  loaded->workspace->put(std::move(sources.value().files), *loaded->models, {.progress = [&](size_t done, size_t all) {
                           if (done % 64 == 0)
                             inbox.push(Progress{job.root, kRead.at(done, all), counted(done, all, "files read")});
                         }});
  return loaded;
}

std::shared_ptr<Outcome> look_first(const LookJob& asked, const Engine& engine, const Io& io, std::stop_token stop) {
  constexpr size_t kMostLookedAt = 100;  // that it imports
  LoadJob job = asked.folder;
  const Io here = in_folder(io, job.root);
  const std::shared_ptr<Loaded> loaded = prepared(job, engine, here, std::make_shared<ObservedFiles>());
  if (loaded->settings->discovery.excludes.leaves_out(asked.path, false)) return nullptr;
  job.options.paths = {asked.path};
  Result<Sources> sources =
      read_sources(job.options, *loaded->settings, here, {{asked.path, *asked.text}}, kMostLookedAt);
  if (!sources || sources.value().files.empty()) return nullptr;
  std::vector<std::string> silent = silent_ones(sources.value().files);
  loaded->workspace->put(std::move(sources.value().files), *loaded->models, {});
  std::shared_ptr<Outcome> outcome = check({.root = job.root,
                                            .settings = loaded->settings,
                                            .models = loaded->models,
                                            .rules = loaded->rules,
                                            .files = loaded->workspace->snapshot(),
                                            .unread = {},
                                            .frontend = loaded->workspace->frontend(),
                                            .problems = std::move(sources.value().problems),
                                            .silent = std::move(silent),
                                            .buffers = {{shown_path(asked.path, job.root), asked.text}}},
                                           std::move(stop));
  if (outcome->broken_off) return nullptr;
  outcome->is_first_look = true;
  outcome->session.reset();
  return outcome;
}

}  // namespace ranklint::app::lsp
