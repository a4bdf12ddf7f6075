#include "app/lsp/places.h"

#include "app/files/read.h"

namespace ranklint::app::lsp {

Places::Places(const Folder& folder, const std::map<std::string, Document>& open, Encoding encoding, std::string file)
    : folder_(folder), open_(open), encoding_(encoding), values_read_(std::move(file)) {}

Places::File& Places::file(const std::string& shown_path) {
  std::unique_ptr<File>& file = files_[shown_path];
  if (file) return *file;
  const std::string absolute = folder_.absolute(shown_path);
  const auto open = open_.find(absolute);
  Text checked = shown_path == values_read_ ? folder_.text_reported(shown_path) : folder_.text_checked(shown_path);
  Text current = open == open_.end() ? nullptr : open->second.text;
  if (!checked || !current) {
    Result<std::string> bytes = read_file(absolute);
    const Text disk = std::make_shared<const std::string>(bytes ? std::move(bytes).value() : std::string());
    if (!checked) checked = disk;
    if (!current) current = disk;
  }
  file = std::make_unique<File>(
      File{checked, current, TextLines(*checked), TextLines(*current), Relocation(*checked, *current)});
  return *file;
}

const TextLines& Places::now(const std::string& shown_path) { return file(shown_path).current_lines; }

std::string_view Places::reported_text(const std::string& shown_path) { return file(shown_path).checked_lines.text(); }

Span Places::moved(const std::string& shown_path, Span in_reported_text) {
  return file(shown_path).relocation(in_reported_text);
}

std::string Places::uri(const std::string& shown_path) {
  const std::string absolute = folder_.absolute(shown_path);
  const auto open = open_.find(absolute);
  return open == open_.end() ? uri_of_path(absolute) : open->second.uri;  // as the client spells it
}

Span Places::span(const Location& location) {
  const File& in = file(location.path);
  return in.relocation(in.checked_lines.span(location.range));
}

Json Places::range(const Location& location) {
  return range_of(file(location.path).current_lines, span(location), encoding_);
}

Json Places::location(const Location& location) { return {{"uri", uri(location.path)}, {"range", range(location)}}; }

}  // namespace ranklint::app::lsp
