#include "runtime/loader/text.h"

#include <cerrno>
#include <system_error>

namespace ranklint::runtime {

static constexpr size_t kLongestName = 160;

static std::string escaped(unsigned char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (c >= 0x20 && c != 0x7f) return {static_cast<char>(c)};
  return {'\\', 'x', kDigits[c >> 4], kDigits[c & 15]};
}

// Where to cut so that no character of several bytes is torn.
static size_t whole_characters(std::string_view text, size_t at_most) {
  while (at_most > 0 && (static_cast<unsigned char>(text[at_most]) & 0xc0) == 0x80) --at_most;
  return at_most;
}

std::string in_quotes(std::string_view name) {
  const bool cut = name.size() > kLongestName;
  std::string out = "`";
  for (const char c : name.substr(0, cut ? whole_characters(name, kLongestName) : name.size()))
    out += escaped(static_cast<unsigned char>(c));
  return out + (cut ? "...`" : "`");
}

Status check_path(const std::string& path) {
  if (!path.empty() && path.find('\0') == std::string::npos) return ok();
  return Error{ErrorKind::InvalidArgument, in_quotes(path) + " is no path: it is empty or has a NUL byte"};
}

Error tensor_error(ErrorKind kind, const std::string& file, std::string_view tensor, const std::string& what) {
  return {kind, file + ": tensor " + in_quotes(tensor) + ": " + what};
}

Error file_error(ErrorKind kind, const std::string& file, const std::string& what) {
  return {kind, file + ": " + what};
}

Error system_error(const std::string& file, const std::string& what, int code) {
  const ErrorKind kind = code == ENOENT || code == ENOTDIR ? ErrorKind::Missing : ErrorKind::Io;
  return file_error(kind, file, "can not " + what + ": " + std::generic_category().message(code));
}

}  // namespace ranklint::runtime
