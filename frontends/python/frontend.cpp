#include "frontends/python/frontend.h"

#include "frontends/python/lowering.h"

namespace ranklint {

namespace {

using namespace python;

// What the parser skipped, and where it went on as if something stood there.
void note_errors(const SyntaxTree& tree, ir::Module& module) {
  for (uint32_t i = 0; i < tree.nodes.size();) {
    const Node& node = tree.nodes[i];
    const bool skipped = node.kind == Kind::Error;
    if (skipped || node.missing) {
      ++module.unknown_count;
      module.diagnostics.push_back({.range = node.range, .message = skipped ? "syntax error" : "something is missing"});
    }
    i += skipped ? node.size : 1;
  }
}

void lower_module(const SyntaxTree& tree, ir::Module& module) {
  FileContext file{.tree = tree, .module = module};
  const ir::FunctionId id = ir::add_function(module, "<module>", ir::FunctionKind::Module);
  Scope s{.file = file, .ir = ir::FunctionBuilder(module, id), .prefix = ""};
  s.order.push_back(s.ir.block());
  SourceRange range;
  if (!tree.nodes.empty()) {
    const NodeId root{0};
    range = s.range(root);
    s.ir.function().range = s.ir.function().name_range = range;
    if (s.node(root).kind == Kind::Module) lower_block(s, root);
    else lower_statement(s, root);
  }
  finish_function(s, {range.end_line, range.end_column, range.end_line, range.end_column});
}

}  // namespace

ir::Module lower_python(const std::string& path, std::string_view bytes) {
  ir::Module module;
  module.path = path;
  module.language = "python";
  SyntaxTree tree = parse_syntax(bytes);
  module.pragmas = std::move(tree.pragmas);
  if (tree.nodes.empty())
    module.diagnostics.push_back({.range = {1, 1, 1, 1}, .message = "the file is too large or too broken to be parsed"});
  note_errors(tree, module);
  lower_module(tree, module);
  return module;
}

}  // namespace ranklint
