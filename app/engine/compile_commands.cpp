#include "app/engine/compile_commands.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/files/compile_database.h"
#include "app/files/paths.h"

namespace ranklint::app {

namespace {

using Json = nlohmann::json;

std::string text_of(const Json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<std::string> arguments_of(const Json& entry) {
  const auto list = entry.find("arguments");
  if (list == entry.end() || !list->is_array()) return split_command(text_of(entry, "command"));
  std::vector<std::string> arguments;
  for (const Json& word : *list)
    if (word.is_string()) arguments.push_back(word.get<std::string>());
  return arguments;
}

// Without the compiler, and without the file itself, which is handed on apart. A C++ compiler takes `.c` for C++.
void drop_compiler_and_file(std::vector<std::string>& arguments, const std::string& directory,
                            const std::string& file) {
  if (arguments.empty()) return;
  const bool is_cplusplus = name_in(arguments.front()).find("++") != std::string_view::npos;
  arguments.front() = is_cplusplus ? "-xc++" : "";
  std::erase_if(arguments, [&](const std::string& a) {
    return a.empty() || (!a.starts_with('-') && absolute_path(a, directory) == file);
  });
}

size_t shared_parts(std::string_view a, std::string_view b) {
  size_t parts = 0;
  for (size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) parts += a[i] == '/';
  return parts;
}

std::string_view without_suffix(std::string_view path) {
  const std::string_view name = name_in(path);
  return path.substr(0, path.size() - name.size() + std::min(name.find('.'), name.size()));
}

}  // namespace

std::vector<std::string> split_command(std::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (!quote && (c == ' ' || c == '\t' || c == '\n')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (quote ? c == quote : c == '"' || c == '\'')
      quote = quote ? 0 : c;
    else if (c == '\\' && quote != '\'' && i + 1 < command.size())
      words.back() += command[++i];
    else
      words.back() += c;
  }
  return words;
}

Result<CompileDatabase> CompileDatabase::parse(std::string_view text, const std::string& absolute) {
  const Json parsed = Json::parse(text, nullptr, false);
  if (parsed.is_discarded() || !parsed.is_array())
    return Error{.message = "is not a list of compile commands; flags are inferred", .path = absolute};
  const std::string folder(parent_of(absolute));
  CompileDatabase database;
  for (const Json& entry : parsed) {
    if (!entry.is_object()) continue;
    const std::string directory = absolute_path(text_of(entry, "directory"), folder);
    const std::string name = text_of(entry, "file");
    if (name.empty()) continue;
    const std::string file = absolute_path(name, directory);
    CompileCommand command{.directory = directory, .arguments = arguments_of(entry)};
    drop_compiler_and_file(command.arguments, directory, file);
    command.known = true;
    database.commands_.try_emplace(file, std::move(command));  // of several configurations the first
  }
  return database;
}

CompileCommand CompileDatabase::command_of(const std::string& absolute) const {
  if (const auto found = commands_.find(absolute); found != commands_.end()) return found->second;
  const CompileCommand* best = nullptr;
  std::pair<bool, size_t> best_likeness;
  for (const auto& [path, command] : commands_) {
    const std::pair<bool, size_t> likeness{without_suffix(path) == without_suffix(absolute),
                                           shared_parts(path, absolute)};
    if (best && likeness <= best_likeness) continue;
    best = &command;
    best_likeness = likeness;
  }
  if (!best) return {};
  CompileCommand command = *best;
  if (absolute.ends_with(".c")) std::erase(command.arguments, "-xc++");  // that was the other file's language
  return command;
}

Result<std::shared_ptr<CompileDatabases>> CompileDatabases::open(const std::string& cwd, const std::string& folder,
                                                                 std::shared_ptr<ObservedFiles> files) {
  auto databases = std::make_shared<CompileDatabases>();
  databases->cwd_ = absolute_path(cwd, "");
  databases->files_ = std::move(files);
  if (folder.empty()) return databases;
  std::string path = absolute_path(folder, cwd);
  if (!path.ends_with(kCompileDatabaseName)) path.append("/").append(kCompileDatabaseName);
  Result<std::string> text = databases->files_->read(path, kLargestCompileDatabaseBytes);
  if (!text)
    return Error{.message = "can not be read: " + text.error().message +
                            " (CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)",
                 .path = shown_path(path, databases->cwd_)};
  Result<CompileDatabase> parsed = CompileDatabase::parse(text.value(), path);
  if (!parsed) return Error{.message = parsed.error().message, .path = shown_path(path, databases->cwd_)};
  databases->named_ =
      std::make_shared<const Entry>(Entry{.database = std::move(parsed).value(), .problem = {}, .present = true});
  return databases;
}

// The folder's own database, one in its `build`, or that of the folder above. Called with the lock held.
const CompileDatabases::Entry& CompileDatabases::nearest(const std::string& folder) {
  if (const auto found = by_folder_.find(folder); found != by_folder_.end()) return *found->second;
  for (const char* below : {"/", "/build/"}) {
    const std::string path = folder + below + std::string(kCompileDatabaseName);
    if (!files_->is_file(path)) continue;
    Entry entry{.database = {}, .problem = {}, .present = true};
    Result<std::string> text = files_->read(path, kLargestCompileDatabaseBytes);
    Result<CompileDatabase> parsed =
        text ? CompileDatabase::parse(text.value(), path) : Result<CompileDatabase>(text.error());
    if (parsed)
      entry.database = std::move(parsed).value();
    else
      entry.problem = "`" + shown_path(path, cwd_) + "`: " + parsed.error().message;
    return *(by_folder_[folder] = std::make_shared<const Entry>(std::move(entry)));
  }
  if (folder.empty()) return *(by_folder_[folder] = std::make_shared<const Entry>());
  const Entry& above = nearest(std::string(parent_of(folder)));
  const std::shared_ptr<const Entry> shared = by_folder_[std::string(parent_of(folder))];
  by_folder_[folder] = shared;
  return above;
}

CompileDatabases::Found CompileDatabases::command_of(const std::string& path) {
  const std::string absolute = absolute_path(path, cwd_);
  const Entry* entry = named_.get();
  if (!entry) {
    const std::lock_guard lock(mutex_);
    entry = &nearest(std::string(parent_of(absolute)));
  }
  Found found{.command = entry->database.command_of(absolute), .problem = entry->problem};
  found.command.shown_from = cwd_;
  return found;
}

}  // namespace ranklint::app
