// How fast Python source becomes IR, and how much of it is understood.
//
//   find . -name '*.py' | bench_python_frontend          figures, one thread
//   echo file.py | bench_python_frontend --print         the IR without locations
//   ... | bench_python_frontend --verify                 what the verifier finds wrong
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/print.h"
#include "analyzer/ir/verify.h"
#include "frontends/python/frontend.h"

namespace {

struct Figures {
  size_t files = 0, lines = 0, bytes = 0, functions = 0, unknown = 0, diagnostics = 0;
  double seconds = 0;
};

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void report_unknown(const ranklint::ir::Module& module) {
  for (const ranklint::ir::Diagnostic& d : module.diagnostics)
    std::printf("%s:%u:%u: %s\n", module.path.c_str(), d.range.line, d.range.column, d.message.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  Figures figures;
  for (std::string path; std::getline(std::cin, path);) {
    const std::string bytes = bytes_of(path);
    const std::clock_t begin = std::clock();  // of the processor, whatever else the machine does
    const ranklint::ir::Module module = ranklint::lower_python(path, bytes);
    figures.seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    figures.files += 1;
    figures.bytes += bytes.size();
    figures.lines += static_cast<size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
    figures.functions += module.functions.size();
    figures.unknown += module.unknown_count;
    figures.diagnostics += module.diagnostics.size();
    if (mode == "--print") std::cout << ranklint::ir::print(module, {.locations = false, .facts = {}});
    if (mode == "--diagnostics") report_unknown(module);
    if (mode == "--verify")
      for (const std::string& complaint : ranklint::ir::verify(module))
        std::printf("%s: %s\n", path.c_str(), complaint.c_str());
  }
  std::printf("%zu files, %zu lines, %.1f MB, %zu functions, %zu unknown, %zu diagnostics\n", figures.files,
              figures.lines, static_cast<double>(figures.bytes) / 1e6, figures.functions, figures.unknown,
              figures.diagnostics);
  std::printf("%.2f s, %.0f lines/s\n", figures.seconds, static_cast<double>(figures.lines) / figures.seconds);
}
