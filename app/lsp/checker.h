// What takes time, on a thread of its own: reading a folder and checking it. A job is a value that shares nothing that
// changes, and so is its result, which comes back through the inbox.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "analyzer/project/workspace.h"
#include "app/check/pipeline.h"
#include "app/check/result_cache.h"
#include "app/check/rule_set.h"
#include "app/lsp/document.h"
#include "app/lsp/inbox.h"
#include "app/lsp/progress.h"

namespace ranklint::app::lsp {

// The rules of a folder: ranklint's own and those that its configuration names.
struct FolderRules {
  RuleSet set;
  Engine engine;  // with them
};

// Where the result of a check of the folder as it was read is kept from run to run.
struct KeptResults {
  ResultCache cache;
  std::shared_ptr<ObservedFiles> observed;  // by the folder's frontend
  std::map<std::string, Digest> files;      // of their bytes, by shown path
};

// A folder as it was read: from disk, without what is open in the editor.
struct Loaded {
  std::string root;
  int64_t generation = 0;  // of the request to read it
  std::shared_ptr<const Settings> settings;
  std::shared_ptr<const Models> models;
  std::shared_ptr<const FolderRules> rules;
  std::optional<Workspace> workspace;
  std::shared_ptr<const KeptResults> results;  // null: what is checked now is another folder than was read
  std::shared_ptr<OpenFiles> open = std::make_shared<OpenFiles>();  // by which the workspace's frontend reads
  std::vector<SourceProblem> problems;
  std::vector<std::string> silent;   // sorted
  std::vector<std::string> besides;  // files_besides_sources
  std::string mistake;               // in the configuration; what could be read was read without it
};

struct LoadJob {
  std::string root;
  int64_t generation = 0;
  CheckOptions options;
  bool everything = true;  // all files below the root; else only what is opened
};

// One of the folder's files as it is opened, before the folder has been checked.
struct LookJob {
  LoadJob folder;
  std::string path;  // absolute
  Text text;
};

// A file whose reading takes so long that it is a part of the check.
struct UnreadFile {
  int64_t revision = 0;  // of the folder when it became what it is
  SourceFile source;
};

struct CheckJob {
  std::string root;
  int64_t revision = 0;
  std::shared_ptr<const Settings> settings;
  std::shared_ptr<const Models> models;
  std::shared_ptr<const FolderRules> rules;
  Workspace::Snapshot files;
  std::map<std::string, UnreadFile> unread;  // by shown path; in place of what `files` holds
  Frontend frontend;
  std::vector<SourceProblem> problems;
  std::vector<std::string> silent;
  std::map<std::string, Text> buffers;
  std::shared_ptr<const KeptResults> results = {};  // Loaded::results
  bool is_first = false;                            // the folder has not been checked before: a user waits for it
};

// What the rules find in a file, or in some of its functions, alone (analyzer/project/session.h).
struct FoundAlone {
  std::vector<Finding> findings;
  std::set<std::string> cut_short;  // Session::cut_short
};
// The session's word on a file, and that of its functions alone that an edit touched.
struct FoundInFile {
  std::vector<Finding> by_all;
  std::map<std::vector<bool>, FoundAlone> alone;
};

// A check of a folder. The session is for the thread that was handed the outcome.
struct Outcome {
  CheckJob job;                     // what was checked; `unread` is in `files`, as far as it has been read
  std::set<std::string> read;       // of `unread`
  bool broken_off = false;          // nothing else is known then
  bool is_first_look = false;       // it has the findings of some open files, and no others
  std::vector<BrokenPiece> broken;  // bugs of ours that showed, Analysis::broken
  std::vector<Finding> findings;    // as they are shown
  std::shared_ptr<const Shared> shared;
  std::vector<Finding> found;  // by the rules: before comments and settings have their say
  std::shared_ptr<Session> session;
  std::map<std::string, FoundInFile> in_file;  // by shown path; of files that were edited since
  std::chrono::milliseconds took{};
};

// Where an earlier check knew the folder as it is, its findings come first (KnownBefore).
std::shared_ptr<Loaded> load(const LoadJob& asked, const Engine& engine, const Io& io, Inbox& inbox);
// `progress` may be called from any thread.
std::shared_ptr<Outcome> check(const CheckJob& job, std::stop_token stop = {}, const TellProgress& progress = {});
// Of a file with the nearest of what it imports. Null: it is none of the folder's, or it was broken off.
std::shared_ptr<Outcome> look_first(const LookJob& asked, const Engine& engine, const Io& io, std::stop_token stop);

// A thread that runs jobs one after the other.
class Worker {
 public:
  Worker() : thread_([this] { work(); }) {}
  ~Worker();  // jobs that have not begun are dropped
  void run(std::function<void()> job);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool stopped_ = false;
  std::thread thread_;
};

// Reads and checks folders, one after the other, and yields the processor to edits; and looks at what is opened,
// beside.
class Checker {
 public:
  Checker(const Engine& engine, const Io& io, Inbox& inbox) : engine_(engine), io_(io), inbox_(inbox) {}
  ~Checker();
  void load(LoadJob job);
  void check(CheckJob job);
  void look_first(LookJob job);
  // More is known of the folder by now.
  void stop_looking(const std::string& root);
  // The last check that was asked for, if it is one of this folder: its outcome says so, soon.
  void break_off(const std::string& root);
  // It has as many parts as a check has terms.
  void take_apart(std::shared_ptr<Outcome> old);

 private:
  const Engine& engine_;
  const Io& io_;
  Inbox& inbox_;
  std::string checked_root_;  // these are the asking thread's
  std::stop_source check_;
  std::map<std::string, std::stop_source> looks_;  // by root
  Worker worker_, looker_;
};

}  // namespace ranklint::app::lsp
