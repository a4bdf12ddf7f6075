// The transcripts of testdata/lsp: what a client sends and what must come back, message by message.
//
//   === train.py       a file of the folder, up to the next line that begins so
//   === session
//   > {...}            is sent; "jsonrpc" is added, $ROOT is the folder's URI
//   < {...}            the next message has at least these members; an array has as many elements
//   >> text            bytes as they are, \r and \n written out
//   = 0                the server has left with this status
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/lsp/document.h"
#include "tests/app/world.h"
#include "tests/lsp/session.h"
#include "tests/support/file_cases.h"
#include "tests/support/support.h"

namespace ranklint::test {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

bool holds(const Json& expected, const Json& actual) {
  if (expected.is_object()) {
    if (!actual.is_object()) return false;
    return std::all_of(expected.items().begin(), expected.items().end(), [&](const auto& item) {
      return actual.contains(item.key()) && holds(item.value(), actual[item.key()]);
    });
  }
  if (expected.is_array()) {
    if (!actual.is_array() || actual.size() != expected.size()) return false;
    for (size_t i = 0; i < expected.size(); ++i)
      if (!holds(expected[i], actual[i])) return false;
    return true;
  }
  if (expected.is_string() && actual.is_string() && expected.get<std::string>().starts_with("..."))
    return actual.get<std::string>().find(expected.get<std::string>().substr(3)) != std::string::npos;
  return expected == actual;
}

void play(const std::filesystem::path& file) {
  TempFolder folder;
  std::ifstream in(file);
  std::string line, name, text;
  std::vector<std::string> lines;
  while (std::getline(in, line)) {
    if (line.starts_with("=== ")) {
      if (!name.empty()) folder.write(name, text);
      name = line.substr(4);
      text.clear();
    } else if (name == "session") {
      lines.push_back(line);
    } else {
      text += line + "\n";
    }
  }
  Session session(folder.path());
  const std::string root = app::lsp::uri_of_path(folder.path());
  for (const std::string& raw : lines) {
    INFO(raw);
    const std::string said = replaced(raw, "$ROOT", root);
    if (said.starts_with(">> ")) {
      session.send_bytes(replaced(replaced(said.substr(3), "\\r", "\r"), "\\n", "\n"));
    } else if (said.starts_with("> ")) {
      Json message = Json::parse(said.substr(2));
      if (message.is_object()) message["jsonrpc"] = "2.0";
      session.send(message);
    } else if (said.starts_with("< ")) {
      const Json actual = session.next();
      INFO("came: " << actual.dump());
      REQUIRE(holds(Json::parse(said.substr(2)), actual));
    } else if (said.starts_with("= ")) {
      CHECK(session.finish() == std::stoi(said.substr(2)));
    }
  }
}

const bool kAdded =
    add_cases_below("testdata/lsp", ".transcript", [](const std::string& path) { play(source_path(path)); });

}  // namespace
}  // namespace ranklint::test
