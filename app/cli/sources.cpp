#include "app/cli/sources.h"

#include <algorithm>
#include <set>

#include "app/files/paths.h"
#include "app/files/read.h"
#include "frontends/launchers/launchers.h"

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

class Reader {
 public:
  Reader(const Settings& settings, const Overlay& overlay) : settings_(settings), overlay_(overlay) {}

  void add(std::string path, std::string bytes, bool reported) {
    if (!seen_.insert(path).second) return;
    if (reported) {
      ++sources.reported_count;
      if (const auto broken = first_broken_byte(bytes))
        sources.problems.push_back({{path, *broken}, "not UTF-8; what follows may be misread"});
    }
    sources.files.push_back({.path = std::move(path), .bytes = std::move(bytes), .reported = reported});
  }

  std::optional<Error> add_found(const std::vector<std::string>& paths, bool reported) {
    const Discovery found = discover(paths, settings_.discovery);
    if (!found.missing.empty()) return Error{.message = "no such file or folder", .path = found.missing.front()};
    if (reported)
      for (const UnreadablePath& path : found.unreadable) problem(path.shown, path.reason);
    for (const DiscoveredFile& file : found.files) {
      if (seen_.contains(file.shown)) continue;
      const auto kept = overlay_.find(file.absolute);
      Result<std::string> bytes = kept == overlay_.end() ? read_file(file.absolute) : Result<std::string>(kept->second);
      if (bytes) {
        if (may_launch(file.shown) && !launches(file.shown, bytes.value())) continue;
        add(file.shown, std::move(bytes).value(), reported);
      } else if (reported) {
        problem(file.shown, bytes.error().message);
      }
    }
    return std::nullopt;
  }

  Sources sources;

 private:
  void problem(const std::string& path, const std::string& reason) {
    SourceProblem& added = sources.problems.emplace_back();
    added.location.path = path;
    added.message = "can not be read: " + reason;
  }

  const Settings& settings_;
  const Overlay& overlay_;
  std::set<std::string> seen_;
};

}  // namespace

std::optional<SourceRange> first_broken_byte(std::string_view bytes) {
  uint32_t line = 1;
  size_t line_begin = 0;
  for (size_t at = 0; at < bytes.size();) {
    const size_t length = utf8_length(bytes, at);
    if (length == 0) {
      if (declares_encoding(bytes)) return std::nullopt;
      const auto column = static_cast<uint32_t>(at - line_begin + 1);
      return SourceRange{line, column, line, column + 1};
    }
    at += length;
    if (bytes[at - 1] != '\n') continue;
    ++line;
    line_begin = at;
  }
  return std::nullopt;
}

Result<Sources> read_sources(const CheckOptions& options, const Settings& settings, const Io& io, const Overlay& overlay) {
  Reader reader(settings, overlay);
  if (is_stdin(options)) {
    if (options.paths.size() != 1) return Error{.message = "`-` stands alone: standard input is checked, or paths are", .path = {}};
    const std::string name = options.stdin_filename.empty() ? "stdin.py" : options.stdin_filename;
    const std::string absolute = absolute_path(name, io.cwd);
    const bool left_out = settings.discovery.force_exclude && settings.discovery.excludes.leaves_out(absolute, false);
    if (!left_out) reader.add(shown_path(absolute, settings.discovery.cwd), io.read_stdin(), true);
  } else {
    const std::vector<std::string> here{"."};
    if (auto error = reader.add_found(options.paths.empty() ? here : options.paths, true)) return *error;
  }
  if (!settings.src.empty())
    if (auto error = reader.add_found(settings.src, false)) return *error;
  return std::move(reader.sources);
}

std::string_view SourceTexts::text(const std::string& path) {
  if (const auto kept = texts_.find(path); kept != texts_.end()) return kept->second;
  Result<std::string> bytes = read_file(absolute_path(path, cwd_));
  return texts_.emplace(path, bytes ? std::move(bytes).value() : std::string()).first->second;
}

}  // namespace ranklint::app
