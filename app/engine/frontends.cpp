#include "app/engine/frontends.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>

#include "analyzer/base/result.h"
#include "analyzer/ir/builder.h"
#include "app/engine/compile_commands.h"
#include "app/engine/header_folders.h"
#include "app/files/discover.h"
#include "app/files/paths.h"
#include "frontends/cpp/conventions.h"
#include "frontends/cpp/module/module.h"
#include "frontends/launchers/launchers.h"
#include "frontends/python/frontend.h"
#include "frontends/requirements/requirements.h"

namespace ranklint::app {

namespace {

constexpr std::string_view kModule = "ranklint_cpp.so";

// Beside the program, or where an installation puts it.
std::vector<std::string> module_places() {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  return {
      (program / kModule).string(),
      (program / "../lib/ranklint" / kModule).string(),
#ifdef RANKLINT_BUILD_FOLDER
      RANKLINT_BUILD_FOLDER "/" + std::string(kModule),
#endif
  };
}

// What a C++ file mentions that communicates by itself. Most C++ beside training code does not, and parsing it costs
// far more than looking for these words.
constexpr std::array<std::string_view, 10> kCommunication{"MPI_", "mpi.h",   "nccl", "ProcessGroup", "c10d",
                                                          "gloo", "horovod", "Al::", "ranklint",     "rccl"};

bool names_library(std::string_view bytes) {
  return std::any_of(kCommunication.begin(), kCommunication.end(),
                     [&](std::string_view word) { return bytes.find(word) != std::string_view::npos; });
}

// Whether the module has been loaded, or was found to be broken.
std::atomic<bool>& is_tried() {
  static std::atomic<bool> tried = false;
  return tried;
}

Result<RanklintLowerCpp> load_cpp() {
  is_tried() = true;
  std::string reason = "it has no module " + std::string(kModule);
  if (const std::string& place = module_of_program(); !place.empty()) {
    if (void* module = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      const auto* const layout = static_cast<const char*>(dlsym(module, "ranklint_cpp_layout"));
      void* const symbol = dlsym(module, "ranklint_lower_cpp");
      if (layout && symbol && std::string_view(layout) == RANKLINT_LAYOUT)
        return reinterpret_cast<RanklintLowerCpp>(symbol);
      reason = place + " belongs to another build of ranklint";
    } else if (const char* text = dlerror()) {
      reason = text;
    }
  }
  Error error;
  error.message = "this build of ranklint cannot read C and C++: " + reason;
  return error;
}

const Result<RanklintLowerCpp>& cpp_module() {
  static const Result<RanklintLowerCpp> kModuleOfRun = load_cpp();
  return kModuleOfRun;
}

ir::Module empty_module(const std::string& path) {
  ir::Module module;
  module.path = path;
  module.language = "cpp";
  module.conventions = kCppConventions;
  ir::FunctionBuilder top(module, ir::add_function(module, "<module>", ir::FunctionKind::Module));
  top.return_({}, {});
  return module;
}

}  // namespace

// The nearest one counts, whether or not it is good.
const std::string& module_of_program() {
  static const std::string kPlace = [] {
    const std::vector<std::string> places = module_places();
    std::error_code ignored;
    const auto place = std::find_if(places.begin(), places.end(),
                                    [&](const std::string& p) { return std::filesystem::exists(p, ignored); });
    return place == places.end() ? "" : *place;
  }();
  return kPlace;
}

Language language_of(std::string_view path) {
  if (is_cpp_source(path)) return Language::Cpp;
  if (may_require(path)) return Language::Requirements;
  if (may_launch(path)) return Language::Launcher;
  return is_python(path) ? Language::Python : Language::Other;
}

std::optional<MissingFrontend> missing_frontend(const std::string& path, bool load) {
  if (language_of(path) != Language::Cpp) return std::nullopt;
  if (!load && !is_tried() && !module_of_program().empty()) return std::nullopt;
  if (cpp_module()) return std::nullopt;
  return MissingFrontend{.kind = "C or C++ file",
                         .why = cpp_module().error().message,
                         .way_out =
                             "use a build that has it (docs/cpp.md), or leave such files out (--extend-exclude, with "
                             "--force-exclude where they are named)"};
}

// How the files of a run are read.
struct RunReader {
  RunReader(std::shared_ptr<CompileDatabases> d, std::shared_ptr<ObservedFiles> o, const Reading& reading)
      : databases(std::move(d)),
        observed(std::move(o)),
        headers(absolute_path(reading.cwd, ""), observed, names_library),
        cwd(absolute_path(reading.cwd, "")),
        again(reading.again),
        open(reading.open),
        kept(reading.kept) {}

  std::shared_ptr<CompileDatabases> databases;
  std::shared_ptr<ObservedFiles> observed;
  HeaderFolders headers;
  std::string cwd;
  bool again;
  std::shared_ptr<OpenFiles> open;
  std::shared_ptr<const SourceStore> kept;
  PythonReader python = {};

  // What is not listed anywhere finds its headers wherever they lie in the project.
  CompileDatabases::Found command_of(const std::string& path, std::string_view bytes) {
    CompileDatabases::Found found = databases->command_of(path);
    if (!found.command.known)
      for (const std::string& folder : headers.folders_of(absolute_path(path, cwd), bytes))
        found.command.arguments.push_back("-I" + folder);
    if (open)
      for (auto& [name, text] : open->texts())
        if (name != path) found.command.unsaved.push_back({absolute_path(name, cwd), std::move(text)});
    return found;
  }
};

namespace {

LoweredSource of_one(ir::Module module) {
  LoweredSource source;
  source.modules.push_back(std::move(module));
  return source;
}

// What the frontend makes of it, or made of the same before.
LoweredSource kept_or_lowered(const RunReader* run, const Digest& key, const std::function<KeptSource()>& lower) {
  if (run && run->kept)
    if (std::optional<LoweredSource> source = run->kept->find(key)) return *std::move(source);
  KeptSource lowered = lower();
  if (run && run->kept) run->kept->keep(key, lowered);
  if (run)
    for (Observation& seen : lowered.seen) run->observed->note(std::move(seen));
  return std::move(lowered.source);
}

LoweredSource lower_as_python(const std::string& path, std::string_view bytes, RunReader* run) {
  return kept_or_lowered(run, Digester().add(path).add(bytes).digest(), [&] {
    ir::Module module = run && run->again ? run->python.lower(path, bytes) : lower_python(path, bytes);
    module.starts = starts_shown_in(bytes);
    return KeptSource{.seen = {}, .source = of_one(std::move(module))};
  });
}

Digest key_of(const std::string& path, std::string_view bytes, const CompileCommand& command) {
  Digester key;
  key.add(path).add(bytes).add(command.directory).add(command.shown_from).add_number(command.known);
  for (const std::string& argument : command.arguments) key.add(argument);
  return key.digest();
}

LoweredSource lower_as_cpp(const std::string& path, std::string_view bytes, RunReader* run) {
  const Result<RanklintLowerCpp>& lower_cpp_file = cpp_module();
  if (!lower_cpp_file) {
    LoweredSource none = of_one(empty_module(path));
    none.modules.front().diagnostics.push_back({.range = {1, 1, 1, 1}, .message = lower_cpp_file.error().message});
    if (run) run->observed->note({Observation::Kind::Unrepeatable, path, {}});
    return none;
  }
  const CompileDatabases::Found found = run ? run->command_of(path, bytes) : CompileDatabases::Found{};
  LoweredSource lowered = kept_or_lowered(run, key_of(path, bytes, found.command), [&] {
    CppUnit unit;
    lower_cpp_file.value()(path, bytes, found.command, unit);
    if (run && run->open) run->open->note_included(path, unit.included);
    KeptSource kept{.seen = std::move(unit.seen), .source = {std::move(unit.modules), std::move(unit.program)}};
    kept.source.broken = std::move(unit.broken);
    return kept;
  });
  if (!found.problem.empty())
    lowered.modules.front().diagnostics.push_back({.range = {1, 1, 1, 1}, .message = found.problem});
  return lowered;
}

LoweredSource lower_with(const std::string& path, std::string_view bytes, RunReader* run) {
  switch (language_of(path)) {
    case Language::Cpp: return lower_as_cpp(path, bytes, run);
    case Language::Launcher: return of_one(lower_launcher(path, bytes));
    case Language::Requirements:
      return of_one(may_launch(path) && launches(path, bytes) ? lower_launcher(path, bytes)
                                                              : lower_requirements(path, bytes));
    case Language::Python:
    case Language::Other: break;
  }
  return lower_as_python(path, bytes, run);
}

}  // namespace

bool mentions_communication(const std::string& path, std::string_view bytes) {
  return language_of(path) != Language::Cpp || names_library(bytes);
}

LoweredSource lower_source(const std::string& path, std::string_view bytes) { return lower_with(path, bytes, nullptr); }

Result<Frontend> frontend_of(const Reading& reading) {
  const auto observed = reading.observed ? reading.observed : std::make_shared<ObservedFiles>();
  Result<std::shared_ptr<CompileDatabases>> databases =
      CompileDatabases::open(reading.cwd, reading.build_folder, observed);
  if (!databases) return databases.error();
  const auto run = std::make_shared<RunReader>(std::move(databases).value(), observed, reading);
  return Frontend([run](const std::string& path, std::string_view bytes) { return lower_with(path, bytes, run.get()); },
                  [run](const std::string& path, std::string_view bytes) {
                    return !mentions_communication(path, bytes) && !run->headers.includes_marked(bytes);
                  });
}

}  // namespace ranklint::app
