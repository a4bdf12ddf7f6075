// How C and C++ files are compiled, from compile_commands.json.
//
// The database that counts for a file is the one in the folder that the user named (`-p DIR`), else the nearest one
// from the file's folder upwards, there or in a folder `build` on the way. A file that the database does not list (a
// header, a new file) is compiled like the listed one whose path is most like its own, as clangd does it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"
#include "app/files/observed_files.h"
#include "frontends/cpp/frontend.h"

namespace ranklint::app {

// One compile_commands.json.
class CompileDatabase {
 public:
  // `absolute` is the file's path. What is no list of commands is an error that says where it stopped making sense.
  static Result<CompileDatabase> parse(std::string_view text, const std::string& absolute);

  // The command of a file by its absolute path; without arguments when the database is empty.
  CompileCommand command_of(const std::string& absolute) const;
  size_t size() const { return commands_.size(); }

 private:
  std::map<std::string, CompileCommand> commands_;  // by absolute path
};

// The databases of a run. May be asked from several threads at once.
class CompileDatabases {
 public:
  // Paths are relative to `cwd`. `folder`: where the one database lies; empty: it is looked for.
  static Result<std::shared_ptr<CompileDatabases>> open(const std::string& cwd, const std::string& folder,
                                                        std::shared_ptr<ObservedFiles> files);

  struct Found {
    CompileCommand command;
    std::string problem;  // a database that was found but could not be read; empty: none
  };
  Found command_of(const std::string& path);

 private:
  struct Entry {
    CompileDatabase database;
    std::string problem;
    bool present = false;
  };
  const Entry& nearest(const std::string& folder);

  std::string cwd_;
  std::shared_ptr<ObservedFiles> files_;
  std::mutex mutex_;
  std::shared_ptr<const Entry> named_;
  std::map<std::string, std::shared_ptr<const Entry>> by_folder_;
};

// A command as a shell would split it: quotes and backslashes, nothing else.
std::vector<std::string> split_command(std::string_view command);

}  // namespace ranklint::app
