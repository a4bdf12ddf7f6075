#include "app/git/commands.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/files/compile_database.h"
#include "app/files/paths.h"
#include "app/files/read.h"
#include "app/files/write.h"
#include "app/json/read_json.h"

namespace ranklint::app {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 4> kFolderFlags{"-I", "-isystem", "-iquote", "-include"};

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

class Mover {
 public:
  Mover(const SourceTree& tree, std::string directory) : tree_(tree), directory_(std::move(directory)) {}

  // The file's path; a relative one starts from the command's directory.
  std::string path(std::string_view word) const {
    std::string absolute = absolute_path(word, directory_);
    if (!lies_in(absolute, tree_.root)) return absolute;
    const std::string there = tree_.folder + absolute.substr(tree_.root.size());
    return exists(there) ? there : absolute;
  }

  std::string word(const std::string& word, const std::string& before) const {
    if (std::find(kFolderFlags.begin(), kFolderFlags.end(), before) != kFolderFlags.end()) return path(word);
    for (const std::string_view flag : kFolderFlags)
      if (word.size() > flag.size() && word.starts_with(flag))
        return std::string(flag) + path(std::string_view(word).substr(flag.size()));
    return word.starts_with('/') ? path(word) : word;
  }

  // A command in one string: words with blanks in them stay as they are.
  std::string command(std::string_view text) const {
    std::string out, before;
    while (!text.empty()) {
      const size_t end = std::min(text.find(' '), text.size());
      const std::string now(text.substr(0, end));
      out += now.empty() || out.empty() ? now : word(now, before);  // the first is the compiler
      if (end < text.size()) out += ' ';
      if (!now.empty()) before = now;
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
  }

 private:
  const SourceTree& tree_;
  std::string directory_;
};

void move_text(Json& entry, const char* key, const auto& move) {
  const auto found = entry.find(key);
  if (found != entry.end() && found->is_string()) *found = move(found->get<std::string>());
}

void move_entry(Json& entry, const SourceTree& tree, const std::string& folder) {
  const auto directory = entry.find("directory");
  const Mover mover(
      tree,
      absolute_path(directory != entry.end() && directory->is_string() ? directory->get<std::string>() : "", folder));
  move_text(entry, "file", [&](const std::string& text) { return mover.path(text); });
  move_text(entry, "command", [&](const std::string& text) { return mover.command(text); });
  const auto words = entry.find("arguments");
  if (words == entry.end() || !words->is_array()) return;
  std::string before;
  for (size_t i = 1; i < words->size(); ++i) {  // the first is the compiler
    if (!(*words)[i].is_string()) continue;
    const std::string now = (*words)[i];
    (*words)[i] = mover.word(now, before);
    before = now;
  }
}

std::string database_of(const SourceTree& tree, const std::string& named) {
  if (!named.empty())
    return named.ends_with(kCompileDatabaseName) ? named : named + "/" + std::string(kCompileDatabaseName);
  for (const char* below : {"/", "/build/"})
    if (std::string path = tree.root + below + std::string(kCompileDatabaseName); exists(path)) return path;
  return "";
}

}  // namespace

bool bring_compile_commands(const SourceTree& tree, const std::string& named) {
  const std::string path = database_of(tree, named);
  if (path.empty()) return false;
  const Result<std::string> text = read_file(path, kLargestCompileDatabaseBytes);
  if (!text) return false;
  Result<Json> read = read_json(text.value(), path);
  if (!read || !read->is_array()) return false;
  for (Json& entry : read.value())
    if (entry.is_object()) move_entry(entry, tree, std::string(parent_of(path)));
  const std::string into = tree.folder + "/" + std::string(kCompileDatabaseName);
  return !replace_file(into, into, read->dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace ranklint::app
