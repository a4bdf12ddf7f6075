#include "app/cli/watch.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <set>

#include "app/check/settings.h"
#include "app/check/sources.h"
#include "app/cli/commands.h"
#include "app/files/discover.h"
#include "app/files/paths.h"
#include "app/files/repository.h"
#include "app/files/watcher.h"

namespace ranklint::app {

namespace {

constexpr std::chrono::milliseconds kQuiet{100};

// SIGINT and SIGTERM as a descriptor, while this lives; before and after they end the program as ever.
class Interrupts {
 public:
  Interrupts() {
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &ours, &before_);
    fd_ = ::signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts() {
    signalfd_siginfo taken;
    while (fd_ >= 0 && ::read(fd_, &taken, sizeof taken) > 0) {
    }  // else it would still come
    if (fd_ >= 0) ::close(fd_);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  int fd() const { return fd_; }

 private:
  sigset_t before_{};
  int fd_ = -1;
};

struct Watched {
  std::set<std::string> folders;
  std::set<std::string> files;  // that are no sources, and matter by their path
};

void add_file(Watched& watched, const std::string& absolute) {
  watched.files.insert(absolute);
  watched.folders.insert(std::string(parent_of(absolute)));
}

// Where a configuration may appear that would count.
void add_folders_above(Watched& watched, const std::string& folder) {
  const std::string top = repository_around(folder);
  for (std::string at = folder; !at.empty() && lies_in(at, top); at = parent_of(at)) watched.folders.insert(at);
}

Watched watched_by(const CheckOptions& options, const Io& io, const Engine& engine) {
  Watched watched;
  const std::string cwd = absolute_path(io.cwd, "");
  if (!options.isolated && options.config.empty()) add_folders_above(watched, cwd);
  // The check reports a configuration that cannot be read; until then its defaults say what is watched.
  CheckOptions isolated = options;
  isolated.isolated = true;
  isolated.config.clear();
  Result<Settings> settings = settings_of(options, io, engine.rules);
  if (!settings) settings = settings_of(isolated, io, engine.rules);
  for (const std::string& path : files_besides_sources(options, settings ? settings.value() : Settings{}, io))
    add_file(watched, path);
  if (!settings) return watched;
  std::vector<std::string> paths = options.paths.empty() ? std::vector<std::string>{"."} : options.paths;
  paths.insert(paths.end(), settings->src.begin(), settings->src.end());
  const Discovery found = discover(paths, settings->discovery);
  watched.folders.insert(found.folders.begin(), found.folders.end());
  for (const DiscoveredFile& file : found.files) watched.folders.insert(std::string(parent_of(file.absolute)));
  if (options.paths.empty()) return watched;
  // What is imported from elsewhere.
  if (const Result<Sources> read = read_sources(options, settings.value(), io))
    for (const SourceFile& file : read.value().files)
      watched.folders.insert(std::string(parent_of(absolute_path(file.path, cwd))));
  return watched;
}

}  // namespace

int watch_sources(const CheckOptions& options, Io& io, const Engine& engine, const std::function<int()>& check) {
  Result<Watcher> watcher = Watcher::open();
  if (!watcher) return fail(io, watcher.error());
  const std::string report = options.output_file.empty() ? "" : absolute_path(options.output_file, io.cwd);
  for (;;) {
    const Watched watched = watched_by(options, io, engine);
    if (const auto error = watcher->watch(watched.folders)) return fail(io, *error);
    if (io.out_is_terminal && report.empty()) io.out << "\033[H\033[2J";
    const int status = check();
    io.out.flush();
    if (!io.out.good()) return kFailure;  // the reader is gone
    if (!options.quiet) io.err << "ranklint: waiting for changes; Ctrl-C ends" << std::endl;
    const Watcher::Matters matters = [&](const std::string& folder, std::string_view name, bool is_folder) {
      const std::string path = folder + "/" + std::string(name);
      if (path == report) return false;
      return may_change_sources(name, is_folder) || is_configuration(name) || watched.files.contains(path);
    };
    const Interrupts interrupts;
    if (!watcher->wait(matters, kQuiet, io.stop_fd >= 0 ? io.stop_fd : interrupts.fd())) return status;
  }
}

}  // namespace ranklint::app
