// Any bytes as what a client of the language server sends, a line a message, once it has introduced itself: what is
// JSON as a message, what is not as bytes on the wire. The server must read on, and exit on request.
#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>

#include "app/engine/engine.h"
#include "app/lsp/document.h"
#include "app/lsp/framing.h"
#include "app/lsp/server.h"
#include "tests/app/world.h"

namespace {

using namespace ranklint;

std::string introduction(const std::string& root) {
  const app::lsp::Json hello{
      {"jsonrpc", "2.0"},
      {"id", "hello"},
      {"method", "initialize"},
      {"params", {{"rootUri", app::lsp::uri_of_path(root)}, {"capabilities", app::lsp::Json::object()}}}};
  return app::lsp::framed(hello.dump()) +
         app::lsp::framed(R"({"jsonrpc": "2.0", "method": "initialized", "params": {}})");
}

std::string said(std::string_view bytes, const std::string& root) {
  std::string all = introduction(root);
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string line(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    // Other folders than ours are none of our business.
    if (line.find("Folder") != std::string::npos || line.find("ile:///") != std::string::npos) continue;
    for (size_t at = line.find("$ROOT"); at != std::string::npos; at = line.find("$ROOT", at + 1))
      line.replace(at, 5, app::lsp::uri_of_path(root));
    all += app::lsp::Json::accept(line) ? app::lsp::framed(line) : line + "\r\n\r\n";
  }
  return all + app::lsp::framed(R"({"id": "end", "method": "shutdown"})") + app::lsp::framed(R"({"method": "exit"})");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const test::TempFolder folder;
  static const app::Engine engine = app::real_engine();
  std::string input = said({reinterpret_cast<const char*>(data), size}, folder.path());
  std::ostringstream out;
  const app::Io io{.read_stdin = {},
                   .out = out,
                   .err = out,
                   .environment = [](const std::string&) { return std::optional<std::string>(); },
                   .cwd = folder.path(),
                   .read_some =
                       [&](char* to, size_t most) {
                         const size_t count = std::min(most, input.size());
                         std::memcpy(to, input.data(), count);
                         input.erase(0, count);
                         return count;
                       }};
  static_cast<void>(app::lsp::serve(engine, io, nullptr));
  return 0;
}
