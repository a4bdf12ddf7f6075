#include "frontends/python/frontend.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>

#include "analyzer/ir/quotes.h"
#include "frontends/python/lowering.h"

namespace ranklint::python {

namespace {

// What the parser skipped, and where it went on as if something stood there.
void note_errors(const SyntaxTree& tree, ir::Module& module) {
  for (uint32_t i = 0; i < tree.nodes.size();) {
    const Node& node = tree.nodes[i];
    const bool skipped = node.kind == Kind::Error;
    if (skipped || node.missing) {
      ++module.unknown_count;
      module.diagnostics.push_back(
          {.range = tree.range(NodeId{i}), .message = skipped ? "syntax error" : "something is missing"});
    }
    i += skipped ? node.size : 1;
  }
}

std::string describe(Unparsed why, size_t size_bytes) {
  if (why == Unparsed::TooSlow)
    return "the file is too broken to be parsed: recovering from its syntax errors takes too long";
  return "the file has " + std::to_string(size_bytes) + " bytes, and at most " + std::to_string(kMaxFileBytes) +
         " are parsed";
}

void lower_module(const SyntaxTree& tree, ir::Module& module, const LoweringProbe& probe) {
  FileContext file{.tree = tree, .module = module, .probe = probe ? &probe : nullptr};
  const ir::FunctionId id = ir::add_function(module, "<module>", ir::FunctionKind::Module);
  Scope s{.file = file, .ir = ir::FunctionBuilder(module, id), .prefix = ""};
  s.order.push_back(s.ir.block());
  SourceRange range;
  if (!tree.nodes.empty()) {
    const NodeId root{0};
    range = s.range(root);
    s.ir.function().range = s.ir.function().name_range = range;
    if (s.node(root).kind == Kind::Module)
      lower_block(s, root);
    else
      lower_statement(s, root);
  }
  finish_function(s, {range.end_line, range.end_column, range.end_line, range.end_column});
}

ir::Module module_of(const std::string& path, std::string_view bytes, SyntaxTree tree,
                     const LoweringProbe& probe = {}) {
  ir::Module module;
  module.path = path;
  module.language = "python";
  module.conventions = {ir::Convention::SharesObjects, ir::Convention::NumbersAreValues,
                        ir::Convention::DeclaresNoTypes};
  module.pragmas = std::move(tree.pragmas);
  if (tree.unparsed != Unparsed::No)
    module.diagnostics.push_back({.range = {1, 1, 1, 1}, .message = describe(tree.unparsed, bytes.size())});
  module.met_time_limit = tree.unparsed == Unparsed::TooSlow;
  note_errors(tree, module);
  lower_module(tree, module, probe);
  tree = {};
  ir::shrink_to_fit(module);
  ir::quote_conditions(module, bytes);
  return module;
}

}  // namespace

}  // namespace ranklint::python

namespace ranklint {

ir::Module lower_python(const std::string& path, std::string_view bytes, const LoweringProbe& probe) {
  return python::module_of(path, bytes, python::parse_syntax(bytes), probe);
}

struct PythonReader::State {
  static constexpr size_t kKept = 8;  // files

  // Takes them out, so that no two threads have them.
  python::ParsedSections take(const std::string& path) {
    const std::lock_guard lock(mutex);
    const auto known = std::find_if(last.begin(), last.end(), [&](const auto& file) { return file.first == path; });
    if (known == last.end()) return {};
    python::ParsedSections sections = std::move(known->second);
    last.erase(known);
    return sections;
  }

  void keep(const std::string& path, python::ParsedSections sections) {
    const std::lock_guard lock(mutex);
    last.emplace_front(path, std::move(sections));
    if (last.size() > kKept) last.pop_back();
  }

  std::mutex mutex;
  std::list<std::pair<std::string, python::ParsedSections>> last;  // by when they were read, the latest first
};

PythonReader::PythonReader() : state_(std::make_unique<State>()) {}
PythonReader::~PythonReader() = default;

ir::Module PythonReader::lower(const std::string& path, std::string_view bytes) {
  python::ParsedSections sections = state_->take(path);
  python::SyntaxTree tree = python::parse_syntax(bytes, sections);
  state_->keep(path, std::move(sections));
  return python::module_of(path, bytes, std::move(tree));
}

}  // namespace ranklint
