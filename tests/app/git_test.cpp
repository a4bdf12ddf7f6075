// Folders for other states of the sources.
#include <catch2/catch.hpp>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "app/git/git.h"

using namespace ranklint;

namespace {

namespace fs = std::filesystem;

// What becomes of a process of its own, that has two folders, one with something in it, and is sent a signal.
struct Ended {
  int status = 0;
  std::vector<std::string> folders;
};

Ended ended_by(int signal, void (*as_before)(), void (*send)(int)) {
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);  // Catch2 handles some
    as_before();
    app::ScratchFolder folder, second;
    for (const std::string below : {"/tree/a/b/c", "/tree/d"}) fs::create_directories(folder.path() + below);
    for (int i = 0; i < 500; ++i)
      std::ofstream(folder.path() + "/tree/d/" + std::string(50, 'x') + std::to_string(i)) << "text";
    fs::create_directory_symlink("/", folder.path() + "/tree/a/root");
    const std::string paths = folder.path() + "\n" + second.path() + "\n";
    (void)!::write(pipe[1], paths.data(), paths.size());
    ::close(pipe[1]);
    send(signal);
    ::_exit(0);
  }
  ::close(pipe[1]);
  Ended ended;
  std::string text;
  char piece[4096];
  for (ssize_t count; (count = ::read(pipe[0], piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<size_t>(count));
  ::close(pipe[0]);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) ended.folders.push_back(line);
  REQUIRE(ended.folders.size() == 2);
  REQUIRE(::waitpid(child, &ended.status, 0) == child);
  return ended;
}

bool is_left(const std::string& folder) { return fs::exists(folder) || fs::exists(folder + ".gone"); }

}  // namespace

TEST_CASE("a folder goes when a signal ends the program, on whichever thread that arrives") {
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  const auto here = [](int number) { ::raise(number); };
  const auto elsewhere = [](int number) {
    std::thread other([number] { ::pthread_kill(::pthread_self(), number); });
    other.join();
    ::pause();
  };
  for (void (*send)(int) : {+here, +elsewhere}) {
    const Ended ended = ended_by(signal, [] {}, send);
    CHECK((WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == signal));
    for (const std::string& folder : ended.folders) CHECK_FALSE(is_left(folder));
  }
}

TEST_CASE("a signal that is ignored stays ignored, and what is handled already is not taken over") {
  const Ended ignored = ended_by(SIGHUP, [] { ::signal(SIGHUP, SIG_IGN); }, [](int number) { ::raise(number); });
  CHECK((WIFEXITED(ignored.status) && WEXITSTATUS(ignored.status) == 0));
  const Ended handled =
      ended_by(SIGINT, [] { ::signal(SIGINT, [](int) { ::_exit(7); }); }, [](int number) { ::raise(number); });
  CHECK((WIFEXITED(handled.status) && WEXITSTATUS(handled.status) == 7));
  for (const Ended& ended : {ignored, handled})  // neither process came to its end
    for (const std::string& folder : ended.folders) fs::remove_all(folder);
}

TEST_CASE("what a killed run left is taken away, and what a running one uses is not") {
  const fs::path left = fs::temp_directory_path() / ("ranklint-git-left" + std::to_string(::getpid()));
  const app::ScratchFolder used;
  fs::create_directories(left / "tree");
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const fs::path& folder : {left, fs::path(used.path())}) fs::last_write_time(folder, old);
  const app::ScratchFolder another;
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(used.path()));
}
