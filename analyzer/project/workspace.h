// The files of a project that is checked repeatedly: what was read of a file is kept until the file changes.
//
// A check does not depend on the history of the files: `check` of a workspace equals `analyze` of its files.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/project/session.h"

namespace ranklint {

// Another that is the same.
ir::Module copy_of(const ir::Module& module);

class Workspace {
 public:
  // What was read of a file: its own module first. It is shared and never changes.
  using Modules = std::shared_ptr<const std::vector<ir::Module>>;

  struct File {
    bool reported = true;
    Modules modules;
    std::shared_ptr<const machine::Program> program;
    std::string broken = {};  // LoweredSource::broken
  };

  explicit Workspace(Frontend frontend) : frontend_(std::move(frontend)) {}

  // What reading the file gives. Any thread may ask a frontend for it, while a workspace with the same goes on.
  static File read(const SourceFile& file, const Frontend& frontend);
  const Frontend& frontend() const { return frontend_; }

  // Reads the files, several at once, in place of those of the same paths.
  void put(std::vector<SourceFile> files, const Models& models, const AnalysisOptions& options);
  void put(const SourceFile& file) { put(file.path, read(file, frontend_)); }
  void put(const std::string& path, File file) { files_[path] = std::move(file); }
  void remove(const std::string& path) { files_.erase(path); }
  bool has(const std::string& path) const { return files_.contains(path); }
  // What was read of a file; null: there is none of this path.
  Modules modules(const std::string& path) const;
  size_t size() const { return files_.size(); }

  // What was read of the files at one moment. It shares the modules with the workspace, so it is cheap to take, and
  // another thread may check it while the workspace goes on.
  struct Snapshot {
    std::map<std::string, File> files;  // by path
  };
  Snapshot snapshot() const { return {files_}; }

 private:
  Frontend frontend_;
  std::map<std::string, File> files_;
};

// Of the options, what is about judging counts: `watched` and `replays`. Null: it was asked to stop.
std::unique_ptr<Session> session_of(const Workspace::Snapshot& files, const Models& models,
                                    const AnalysisOptions& options, std::stop_token stop = {});
Analysis check(const Workspace::Snapshot& files, const Models& models, const AnalysisOptions& options);

}  // namespace ranklint
