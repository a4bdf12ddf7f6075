#include "app/check/sources.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <set>

#include "analyzer/base/deep_thread.h"
#include "app/check/of_interest.h"
#include "app/files/import_search.h"
#include "app/files/paths.h"
#include "app/files/read.h"

namespace ranklint::app {

namespace {

// Bytes of the character that starts here, 0 when it is none. Surrogates and overlong forms are none.
size_t utf8_length(std::string_view bytes, size_t at) {
  const auto byte = [&](size_t i) { return at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U; };
  const auto follows = [&](size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : 0xBF;
    return byte(1) >= low && byte(1) <= high && follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
    return byte(1) >= low && byte(1) <= high && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

// Most text is ASCII, and is looked at eight bytes at a time.
size_t end_of_ascii(std::string_view bytes, size_t at) {
  constexpr uint64_t kHighBits = 0x8080808080808080U;
  for (uint64_t eight = 0; at + sizeof eight <= bytes.size(); at += sizeof eight) {
    std::memcpy(&eight, bytes.data() + at, sizeof eight);
    if ((eight & kHighBits) != 0) break;
  }
  while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) ++at;
  return at;
}

bool declares_encoding(std::string_view bytes) {
  for (int line = 0; line < 2; ++line) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view text = bytes.substr(0, end);
    if (text.find('#') != std::string_view::npos && text.find("coding") != std::string_view::npos) return true;
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return false;
}

bool is_stdin(const CheckOptions& options) {
  return std::find(options.paths.begin(), options.paths.end(), "-") != options.paths.end();
}

constexpr size_t kReadingStack = size_t{1} << 20;  // of a thread that reads files
constexpr std::string_view kStranger =
    "not a file that ranklint reads (Python, C, C++; shell scripts and YAML that launch; lists of requirements)";

class SourceReader {
 public:
  SourceReader(const Settings& settings, const Overlay& overlay, unsigned threads)
      : settings_(settings), overlay_(overlay), threads_(threads) {}

  void add(std::string path, std::string bytes, bool reported, bool is_named = false) {
    const std::optional<SourceRange> broken = reported ? first_broken_byte(bytes) : std::nullopt;
    add_read(std::move(path), std::move(bytes), broken, reported, is_named);
  }

  void add_read(std::string path, std::string bytes, const std::optional<SourceRange>& broken, bool reported,
                bool is_named) {
    if (!seen_.insert(path).second) return;
    if (is_named) sources.named.insert(path);
    if (broken) sources.problems.push_back({{path, *broken}, "not UTF-8; what follows may be misread"});
    sources.files.push_back({.path = std::move(path), .bytes = std::move(bytes), .reported = reported});
  }

  std::optional<Error> add_found(const std::vector<std::string>& paths, bool reported) {
    const Discovery found = discover(paths, settings_.discovery);
    if (!found.missing.empty()) return Error{.message = "no such file or folder", .path = found.missing.front()};
    if (reported)
      for (const UnreadablePath& path : found.unreadable) problem(path.shown, path.reason, is_among(paths, path.shown));
    note_folders(paths);
    if (reported) {
      pass_over(found);
      configurations_ = found.configurations;
    }
    std::vector<ReadFile> read(found.files.size());
    share_tasks(threads_, kReadingStack, read.size(), [&](size_t i) {
      if (!seen_.contains(found.files[i].shown)) read[i] = read_found(found.files[i], reported);
    });
    for (size_t i = 0; i < read.size(); ++i) {
      if (!read[i].bytes) continue;
      const DiscoveredFile& file = found.files[i];
      Result<std::string>& bytes = *read[i].bytes;
      if (bytes)
        add_read(file.shown, std::move(bytes).value(), read[i].broken, reported, file.is_named);
      else if (reported)
        problem(file.shown, bytes.error().message, file.is_named);
    }
    return std::nullopt;
  }

  // Configurations of parts of what is checked: one holds for all of it, and that is not always expected.
  void note_configurations() {
    const std::string& cwd = settings_.discovery.cwd;
    for (const std::string& file : configurations_) {
      if (file == settings_.config_path) continue;
      sources.passed_over.push_back(
          shown_path(file, cwd) + ": not used, " +
          (settings_.config_path.empty()
               ? "because no configuration holds above what was named first"
               : shown_path(settings_.config_path, cwd) + " holds for all that is checked in a run"));
    }
  }

  // The nearest first: what named files import, then what those import.
  void add_imported(size_t named, size_t most) {
    const std::string& cwd = settings_.discovery.cwd;
    ImportSearch search(cwd, settings_.top);
    std::vector<size_t> open(named);
    std::iota(open.begin(), open.end(), size_t{0});
    for (size_t i = 0; i < open.size(); ++i) {
      if (!is_python(sources.files[open[i]].path)) continue;
      const std::string file = absolute_path(sources.files[open[i]].path, cwd);
      if (search.stays_in(folders_, file)) continue;  // what lies there is read, or left out
      for (const Import& import : imports_of(sources.files[open[i]].bytes))
        for (const std::string& absolute : search.files_of(import, file)) {
          if (is_decided(absolute)) continue;
          Result<std::string> bytes = text_of(absolute);
          if (!bytes) continue;
          if (open.size() == named + most) {
            sources.is_import_limited = true;
            return;
          }
          open.push_back(sources.files.size());
          add(shown_path(absolute, cwd), std::move(bytes).value(), false);
        }
    }
  }

  // Whether nothing was named but files that are not read.
  bool only_strangers() const { return only_strangers_; }

  Sources sources;

 private:
  struct ReadFile {
    std::optional<Result<std::string>> bytes;  // none: it was read before, or says nothing
    std::optional<SourceRange> broken;
  };

  ReadFile read_found(const DiscoveredFile& file, bool reported) const {
    ReadFile read{text_of(file.absolute), {}};
    if (!*read.bytes) return read;
    if (!is_of_interest(file.shown, read.bytes->value())) return {};
    if (reported) read.broken = first_broken_byte(read.bytes->value());
    return read;
  }

  Result<std::string> text_of(const std::string& absolute) const {
    const auto kept = overlay_.find(absolute);
    return kept == overlay_.end() ? read_file(absolute) : Result<std::string>(kept->second);
  }

  void pass_over(const Discovery& found) {
    for (const std::string& path : found.strangers) {
      if (settings_.discovery.force_exclude)
        sources.passed_over.push_back(path + ": " + std::string(kStranger));
      else
        sources.unread.push_back({path, "other file", std::string(kStranger),
                                  "leave it out, or have `--force-exclude` leave out such files", true});
    }
    for (const std::string& path : found.notebooks)
      sources.unread.push_back({path, "notebook", "ranklint reads no notebooks",
                                "check what `jupyter nbconvert --to script` makes of it, or exclude it"});
    for (const std::string& path : found.headers) {
      sources.headers.push_back(path);
      sources.passed_over.push_back(path + ": a header, read with the sources that include it; name those");
    }
    only_strangers_ = !found.strangers.empty() && found.files.empty() && found.headers.empty() && folders_.empty();
  }

  void note_folders(const std::vector<std::string>& paths) {
    std::error_code ignored;
    for (const std::string& path : paths) {
      std::string absolute = absolute_path(path, settings_.discovery.cwd);
      if (std::filesystem::is_directory(absolute, ignored)) folders_.push_back(std::move(absolute));
    }
  }

  // Whether a file was read, or was left out of what is to be read.
  bool is_decided(const std::string& absolute) const {
    return seen_.contains(shown_path(absolute, settings_.discovery.cwd)) ||
           settings_.discovery.excludes.leaves_out(absolute, false) ||
           std::any_of(folders_.begin(), folders_.end(),
                       [&](const std::string& folder) { return lies_in(absolute, folder); });
  }

  bool is_among(const std::vector<std::string>& named, const std::string& shown) const {
    return std::ranges::any_of(named, [&](const std::string& path) {
      return shown_path(absolute_path(path, settings_.discovery.cwd), settings_.discovery.cwd) == shown;
    });
  }

  void problem(const std::string& path, const std::string& reason, bool is_named) {
    SourceProblem& added = sources.problems.emplace_back();
    added.location.path = path;
    added.message = "can not be read: " + reason;
    added.is_unread = true;
    std::error_code ignored;
    const bool is_folder = std::filesystem::is_directory(absolute_path(path, settings_.discovery.cwd), ignored);
    sources.unread.push_back({path, is_folder ? "folder" : "file", reason, {}, is_named});
  }

  const Settings& settings_;
  const Overlay& overlay_;
  const unsigned threads_;
  std::set<std::string> seen_;
  std::vector<std::string> folders_;  // absolute; that were walked
  bool only_strangers_ = false;
  std::vector<std::string> configurations_;  // in them and below
};

}  // namespace

std::optional<SourceRange> first_broken_byte(std::string_view bytes) {
  for (size_t at = end_of_ascii(bytes, 0); at < bytes.size(); at = end_of_ascii(bytes, at)) {
    const size_t length = utf8_length(bytes, at);
    at += length;
    if (length > 0) continue;
    if (declares_encoding(bytes)) return std::nullopt;
    const std::string_view before = bytes.substr(0, at);
    const auto line = static_cast<uint32_t>(1 + std::count(before.begin(), before.end(), '\n'));
    const auto column = static_cast<uint32_t>(at - (before.rfind('\n') + 1) + 1);  // npos + 1 is 0
    return SourceRange{line, column, line, column + 1};
  }
  return std::nullopt;
}

void set_unreadable_aside(Sources& sources, const Engine& engine) {
  if (!engine.missing_frontend) return;
  for (const SourceFile& file : sources.files)
    if (file.reported &&
        (sources.named.contains(file.path) || !engine.communicates || engine.communicates(file.path, file.bytes)))
      engine.missing_frontend(file.path, true);
  std::erase_if(sources.files, [&](const SourceFile& file) {
    const auto missing = file.reported ? engine.missing_frontend(file.path, false) : std::nullopt;
    if (missing)
      sources.unread.push_back(
          {file.path, missing->kind, missing->why, missing->way_out, sources.named.contains(file.path)});
    return missing.has_value();
  });
}

Result<Sources> read_sources(const CheckOptions& options, const Settings& settings, const Io& io,
                             const Overlay& overlay, size_t most_imported) {
  SourceReader reader(settings, overlay, AnalysisOptions{.threads = options.threads}.thread_count());
  if (is_stdin(options)) {
    if (options.paths.size() != 1)
      return Error{.message = "`-` stands alone: standard input is checked, or paths are", .path = {}};
    const std::string name = options.stdin_filename.empty() ? "stdin.py" : options.stdin_filename;
    const std::string absolute = absolute_path(name, io.cwd);
    if (!may_be_named(name_in(absolute)) && !settings.discovery.force_exclude)
      return Error{.message = std::string(kStranger), .path = shown_path(absolute, settings.discovery.cwd)};
    if (!leaves_out_named(absolute, settings.discovery) && may_be_named(name_in(absolute)))
      reader.add(shown_path(absolute, settings.discovery.cwd), io.read_stdin(), true, true);
  } else {
    const std::vector<std::string> here{"."};
    if (auto error = reader.add_found(options.paths.empty() ? here : options.paths, true)) return *error;
  }
  if (reader.only_strangers() && !options.force_exclude)
    return Error{.message = std::string(kStranger), .path = reader.sources.unread.front().path};
  if (!options.isolated && options.config.empty()) reader.note_configurations();
  const size_t named = reader.sources.files.size();
  if (!settings.src.empty())
    if (auto error = reader.add_found(settings.src, false)) return *error;
  reader.add_imported(named, most_imported);
  return std::move(reader.sources);
}

std::string_view SourceTexts::text(const std::string& path) {
  if (const auto kept = texts_.find(path); kept != texts_.end()) return kept->second;
  Result<std::string> bytes = read_file(absolute_path(path, cwd_));
  return texts_.emplace(path, bytes ? std::move(bytes).value() : std::string()).first->second;
}

}  // namespace ranklint::app
