#include "app/lsp/checker.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>

#include "analyzer/base/contain.h"
#include "analyzer/project/shared.h"
#include "app/check/baseline_filter.h"
#include "app/files/paths.h"
#include "app/files/read.h"
#include "app/lsp/incremental.h"

namespace ranklint::app::lsp {

namespace {

// A stage of the work on a folder, and which part of the whole it is, in percent.
struct Share {
  unsigned begin, end;
  unsigned at(size_t done, size_t all) const {
    return begin + static_cast<unsigned>((end - begin) * std::min(done, all) / std::max<size_t>(1, all));
  }
};
constexpr Share kRead{0, 35}, kSummarised{35, 70}, kCompared{70, 99};

std::string counted(size_t done, size_t all, std::string_view what) {
  return std::to_string(done) + " of " + std::to_string(all) + " " + std::string(what);
}

// Counts the functions that a check has come to.
class Stages {
 public:
  Stages(const Workspace::Snapshot& files, TellProgress tell) : tell_(std::move(tell)), is_over_(!tell_) {
    for (const auto& [path, file] : files.files)
      for (const ir::Module& module : *file.modules) functions_ += module.functions.size();
  }

  // For AnalysisOptions::probe.
  void begin(std::string_view stage, std::string_view function) {
    if (is_over_ || function.empty()) return;
    if (stage == "summary")
      count(summarised_, functions_, kSummarised, "functions summarised");
    else if (stage == "needs of conditions")
      ++to_compare_;
    else if (stage == "comparison of ranks")
      count(compared_, to_compare_, kCompared, "functions compared between ranks");
  }
  // The session goes on to judge edits, which nobody waits for.
  void end() { is_over_ = true; }

 private:
  void count(std::atomic<size_t>& counter, size_t all, const Share& share, std::string_view what) {
    constexpr size_t kStep = 256;
    if (const size_t done = ++counter; done % kStep == 0) tell_(share.at(done, all), counted(done, all, what));
  }

  const TellProgress tell_;
  std::atomic<bool> is_over_;
  size_t functions_ = 0;
  std::atomic<size_t> summarised_ = 0, to_compare_ = 0, compared_ = 0;
};

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

// The calls that rules look for, and those that the editor shows: all that communicates.
std::vector<std::string> watched_names(const Engine& engine, const Models& models) {
  std::vector<std::string> names = watched_calls(engine.rules);
  for (const Model& model : models.all())
    if (model.kind == ModelKind::Collective || model.kind == ModelKind::GroupCreate)
      names.push_back(model.name.substr(model.name.rfind('.') + 1));
  return names;
}

// Runs the work on a thread of low priority, so that the thread that answers keystrokes comes first. The priority of a
// thread cannot be raised again, so each piece of work gets a new thread.
void step_back(const std::function<void()>& work) {
  std::jthread([&] {
    constexpr int kBack = 10;
    ::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + kBack);  // of this thread and those that it starts
    work();
  });
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

std::shared_ptr<Outcome> check(const CheckJob& job, std::stop_token stop, const TellProgress& progress) {
  const Engine& engine = job.rules->engine;
  const auto start = std::chrono::steady_clock::now();
  auto outcome = std::make_shared<Outcome>();
  outcome->job = job;
  for (const auto& [path, file] : job.unread) {
    if (stop.stop_requested()) break;
    outcome->job.files.files[path] = Workspace::read(file.source, job.frontend);
    outcome->read.insert(path);
  }
  SourceTexts disk(job.root);
  const auto source = [&](const std::string& path) -> std::string_view {
    const auto open = job.buffers.find(path);
    return open != job.buffers.end() ? std::string_view(*open->second) : disk.text(path);
  };
  const auto stages = std::make_shared<Stages>(outcome->job.files, progress);
  outcome->session = session_of(
      outcome->job.files, *job.models,
      {.watched = watched_names(engine, *job.models),
       .passes = passes_for(engine, *job.settings),
       .probe = [stages](std::string_view stage, std::string_view function) { stages->begin(stage, function); },
       .replays = true},
      std::move(stop));
  stages->end();
  outcome->broken_off = !outcome->session;
  if (outcome->broken_off) return outcome;
  const Analysis& analysis = outcome->session->analysis();
  outcome->broken = analysis.broken;
  outcome->found = engine.findings_of(analysis, engine.rules);
  outcome->findings = reported_findings(job, analysis, outcome->found, job.problems, source);
  outcome->shared = analysis.shared;
  // A unit that is read by now may have found another header open.
  if (job.results && job.unread.empty())
    job.results->cache.keep(job.results->observed->all(), record_of(analysis, outcome->found));
  outcome->took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
  return outcome;
}

// A check that a bug of ours ended: nothing was found, and what was broken is said.
std::shared_ptr<Outcome> check_contained(const CheckJob& job, const std::stop_token& stop,
                                         const TellProgress& progress) {
  std::shared_ptr<Outcome> outcome;
  std::optional<std::string> what = contain([&] { outcome = check(job, stop, progress); });
  if (!what) return outcome;
  outcome = std::make_shared<Outcome>();
  outcome->job = job;
  outcome->shared = std::make_shared<const Shared>();
  outcome->broken.push_back({.stage = "check", .what = std::move(*what)});
  return outcome;
}

// The same for the reading of a folder: then each of its files is one that could not be read.
std::shared_ptr<Loaded> load_contained(const LoadJob& job, const Engine& engine, const Io& io, Inbox& inbox) {
  std::shared_ptr<Loaded> loaded;
  const std::optional<std::string> what = contain([&] { loaded = load(job, engine, io, inbox); });
  if (!what) return loaded;
  loaded = std::make_shared<Loaded>();
  loaded->root = job.root;
  loaded->generation = job.generation;
  loaded->mistake = "internal error: " + *what;
  auto rules = std::make_shared<FolderRules>();
  rules->engine = engine;
  loaded->rules = rules;
  loaded->settings = std::make_shared<const Settings>();
  loaded->models = std::make_shared<const Models>(engine.builtin_models());
  loaded->workspace.emplace(
      [reason = *what](const std::string&, std::string_view) -> LoweredSource { throw InternalError(reason); });
  return loaded;
}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  thread_.join();
}

void Worker::run(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

void Worker::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopped_ || !jobs_.empty(); });
    if (stopped_) return;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }
}

Checker::~Checker() {
  check_.request_stop();
  for (auto& [root, looks] : looks_) looks.request_stop();
}

void Checker::load(LoadJob job) {
  worker_.run(
      [this, job = std::move(job)] { step_back([&] { inbox_.push(load_contained(job, engine_, io_, inbox_)); }); });
}

void Checker::check(CheckJob job) {
  checked_root_ = job.root;
  check_ = std::stop_source();
  worker_.run([this, job = std::make_shared<const CheckJob>(std::move(job)), stop = check_.get_token()] {
    const auto tell = [&](unsigned percent, std::string message) {
      inbox_.push(Progress{job->root, percent, std::move(message)});
    };
    step_back([&] { inbox_.push(check_contained(*job, stop, job->is_first ? TellProgress(tell) : TellProgress())); });
  });
}

// A small folder is checked sooner than a look would be over.
void Checker::look_first(LookJob job) {
  static constexpr std::chrono::milliseconds kPatience(150);
  std::stop_token stop = looks_[job.folder.root].get_token();
  looker_.run([this, job = std::move(job), stop = std::move(stop)] {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any().wait_for(lock, stop, kPatience, [] { return false; });
    if (stop.stop_requested()) return;
    std::shared_ptr<Outcome> outcome;
    const std::optional<std::string> what = contain(
        [&] { outcome = lsp::look_first(job, engine_, io_, stop); });  // the check that follows will say so, too
    if (!what && outcome) inbox_.push(FirstLook{job.folder.generation, std::move(outcome)});
  });
}

void Checker::stop_looking(const std::string& root) {
  if (const auto looks = looks_.extract(root)) looks.mapped().request_stop();
}

void Checker::take_apart(std::shared_ptr<Outcome> old) {
  worker_.run([old = std::move(old)]() mutable { step_back([&] { old.reset(); }); });
}

void Checker::break_off(const std::string& root) {
  if (root == checked_root_) check_.request_stop();
}

}  // namespace ranklint::app::lsp
