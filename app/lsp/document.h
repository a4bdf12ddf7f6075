// A text that is open in the editor, and how edits change it.
#pragma once

#include <memory>
#include <string>

#include "app/lsp/json.h"
#include "app/lsp/text.h"

namespace ranklint::app::lsp {

using Text = std::shared_ptr<const std::string>;

struct Document {
  std::string uri;
  std::string path;  // absolute; empty for what is no file
  int64_t version = 0;
  Text text;
};

// The text after the content changes of a didChange, one after the other. A change without a range is the whole text.
std::string changed_text(std::string text, const Json& changes, Encoding encoding);

// "file:///home/me/a%20b.py" -> "/home/me/a b.py"; empty for what is no file.
std::string path_of_uri(std::string_view uri);
std::string uri_of_path(std::string_view absolute_path);

Json json_of(Position position);
Position position_of(const Json& json);
Json range_of(const TextLines& lines, Span span, Encoding encoding);

}  // namespace ranklint::app::lsp
