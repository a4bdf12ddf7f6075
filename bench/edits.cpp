// What an edit costs the language server's thread, in processor time, whatever else the machine does:
//
//   bench_edits FOLDER FILE [COUNT]    types COUNT letters into FILE of FOLDER, ten at a place
//
// bench/keystrokes.py measures the same from outside, with the protocol and the machine as they are.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "app/engine/engine.h"
#include "app/lsp/folder.h"

namespace {

using namespace ranklint::app;

constexpr std::string_view kTyped[] = {"if dist.get_rank() == 0:\n        dist.barrier()",
                                       "x = model(batch) + 1  # once more", "torch.distributed.all_reduce(x)",
                                       "for i in range(3):\n        print(i)"};

double processor_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Behind the heads of functions whose bodies begin in the next line.
std::vector<size_t> places_in(const std::string& text) {
  std::vector<size_t> places;
  for (size_t line = 0; line < text.size(); line = std::min(text.find('\n', line), text.size() - 1) + 1) {
    const size_t end = text.find('\n', line);
    if (end == std::string::npos) break;
    if (text.compare(line, 4, "def ") == 0 && text[end - 1] == ':') places.push_back(end + 1);
  }
  if (places.empty()) places.push_back(0);
  return places;
}

void print(const char* what, std::vector<double> ms) {
  std::sort(ms.begin(), ms.end());
  std::printf("%s: median %.1f ms, 95 of 100 within %.1f ms, most %.1f ms (%zu edits)\n", what, ms[ms.size() / 2],
              ms[ms.size() * 95 / 100], ms.back(), ms.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string root = argv[1], path = root + "/" + argv[2];
  const size_t count = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 100;
  std::ifstream in(path, std::ios::binary);
  const std::string before{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const Engine engine = real_engine();
  std::ostringstream out;
  const Io io{.read_stdin = {},
              .out = out,
              .err = out,
              .environment = [](const std::string&) { return std::optional<std::string>(); },
              .cwd = root,
              .read_some = {}};
  lsp::Inbox inbox;
  lsp::Folder folder(root, true);
  double start = processor_ms();
  const std::shared_ptr<lsp::Loaded> loaded = lsp::load(folder.load_job({}), engine, io, inbox);
  folder.take(loaded, {});
  folder.put(path, std::make_shared<const std::string>(before));
  std::printf("reading the folder: %.1f ms\n", processor_ms() - start);
  start = processor_ms();
  folder.take(lsp::check(folder.check_job()));
  std::printf("the check of all: %.1f ms\n", processor_ms() - start);
  std::mt19937 chosen(1);
  const std::vector<size_t> places = places_in(before);
  std::vector<double> ms;
  while (ms.size() < count) {
    size_t at = places[chosen() % places.size()];
    std::string text = before;
    text.insert(at, "    \n");
    at += 4;
    for (const char letter : kTyped[chosen() % std::size(kTyped)]) {
      text.insert(at++, 1, letter);
      start = processor_ms();
      folder.put(path, std::make_shared<const std::string>(text));
      ms.push_back(processor_ms() - start);
    }
  }
  print("an edit", std::move(ms));
}
