#include "app/lsp/checker.h"

#include <sys/resource.h>

#include "analyzer/base/contain.h"
#include "analyzer/project/shared.h"
#include "app/lsp/incremental.h"

namespace ranklint::app::lsp {

namespace {

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

}  // namespace

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
