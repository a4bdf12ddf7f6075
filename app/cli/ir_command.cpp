#include "analyzer/ir/print.h"
#include "app/cli/commands.h"
#include "app/config/selectors.h"
#include "app/files/paths.h"
#include "app/files/read.h"

namespace ranklint::app {

namespace {

int print_functions_called(const std::string& name, const ir::Module& module, const ir::PrintOptions& print, Io& io) {
  std::vector<std::string> names;
  bool found = false;
  for (uint32_t i = 0; i < module.functions.size(); ++i) {
    const std::string_view qualified = module.text(module.functions[ir::FunctionId{i}].qualified_name);
    names.emplace_back(qualified);
    if (qualified != name) continue;
    io.out << (found ? "\n" : "") << ir::print_function(module, ir::FunctionId{i}, print);
    found = true;  // a name may be defined more than once
  }
  if (found) return kClean;
  return fail(io, "`" + module.path + "` has no function `" + name + "`" + did_you_mean(name, names));
}

}  // namespace

int ir_command(const IrOptions& options, Io& io, const Engine& engine) {
  const bool is_stdin = options.file == "-";
  const std::string absolute = absolute_path(options.file, io.cwd);
  const std::string shown = is_stdin ? "stdin.py" : shown_path(absolute, io.cwd);
  Result<std::string> bytes = is_stdin ? Result<std::string>(io.read_stdin()) : read_file(absolute);
  if (!bytes) return fail(io, Error{.message = bytes.error().message, .path = shown});

  if (const auto missing = engine.missing_frontend ? engine.missing_frontend(shown, true) : std::nullopt)
    return fail(io, Error{.message = "cannot be read: " + missing->why + "; " + missing->way_out, .path = shown});
  Result<Frontend> frontend = engine.frontend(
      {.cwd = io.cwd, .build_folder = options.build_folder.empty() ? "" : absolute_path(options.build_folder, io.cwd)});
  if (!frontend) return fail(io, frontend.error());
  const std::vector<ir::Module> modules = frontend.value()(shown, bytes.value()).modules;
  const ir::Module& module = modules.front();
  for (const ir::Diagnostic& diagnostic : module.diagnostics)
    io.err << shown << ':' << diagnostic.range.line << ':' << diagnostic.range.column << ": " << diagnostic.message
           << '\n';
  const ir::PrintOptions print{.locations = options.locations, .facts = {}};
  if (!options.function.empty()) return print_functions_called(options.function, module, print, io);
  io.out << ir::print(module, print);
  return kClean;
}

}  // namespace ranklint::app
