#include "app/check/broken.h"

namespace ranklint::app {

constinit const std::string_view kWhatToSend =
    "this is a bug in ranklint: please report these lines, the output of `ranklint --version` and, if you may, the "
    "source";

std::string described(const BrokenPiece& piece) {
  const std::string cause = piece.stage + ": " + piece.what;
  if (piece.path.empty()) return "not all was judged: " + cause;
  if (piece.function.empty()) return piece.path + ": the file was not judged: " + cause;
  return piece.path + ":" + std::to_string(piece.line) + ": `" + piece.function + "` was not judged: " + cause;
}

std::string broken_text(const std::vector<BrokenPiece>& broken) {
  if (broken.empty()) return {};
  std::string text;
  for (const BrokenPiece& piece : broken) text += "ranklint: internal error: " + described(piece) + "\n";
  return text + "ranklint: everything else was judged; " + std::string(kWhatToSend) + " of what was not judged\n";
}

}  // namespace ranklint::app
