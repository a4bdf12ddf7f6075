#include "app/lsp/document.h"

#include <algorithm>

#include "app/report/uri.h"

namespace ranklint::app::lsp {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

uint32_t natural(const Json& value) {
  return static_cast<uint32_t>(std::clamp<int64_t>(number_of(value), 0, UINT32_MAX));
}

}  // namespace

std::string changed_text(std::string text, const Json& changes, Encoding encoding) {
  for (const Json& change : items(changes)) {
    std::string with = text_of(child(change, "text"));
    const Json& range = child(change, "range");
    if (!range.is_object()) {
      text = std::move(with);
      continue;
    }
    const TextLines lines(text);
    const size_t begin = lines.offset(position_of(child(range, "start")), encoding);
    const size_t end = std::max(begin, lines.offset(position_of(child(range, "end")), encoding));
    text.replace(begin, end - begin, with);
  }
  return text;
}

std::string path_of_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return {};
  uri.remove_prefix(kScheme.size());
  const size_t slash = uri.find('/');  // what stands before it is a host: none, or "localhost"
  if (slash == std::string_view::npos) return {};
  uri = uri.substr(slash, uri.find_first_of("?#", slash) - slash);
  std::string path;
  for (size_t i = 0; i < uri.size(); ++i) {
    const int high = uri[i] == '%' && i + 2 < uri.size() ? hex_digit(uri[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(uri[i + 2]) : -1;
    if (low >= 0) i += 2;
    path += low >= 0 ? static_cast<char>(high * 16 + low) : uri[i];
  }
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path.find('\0') == std::string::npos ? path : std::string();
}

std::string uri_of_path(std::string_view absolute_path) { return report::file_uri(absolute_path); }

Json json_of(Position position) { return {{"line", position.line}, {"character", position.character}}; }

Position position_of(const Json& json) { return {natural(child(json, "line")), natural(child(json, "character"))}; }

Json range_of(const TextLines& lines, Span span, Encoding encoding) {
  return {{"start", json_of(lines.position(span.begin, encoding))},
          {"end", json_of(lines.position(span.end, encoding))}};
}

}  // namespace ranklint::app::lsp
