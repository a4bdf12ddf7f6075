#include "frontends/launchers/launchers.h"

#include <algorithm>
#include <array>

#include "analyzer/base/among.h"
#include "analyzer/ir/builder.h"
#include "frontends/launchers/markdown.h"
#include "frontends/launchers/shell.h"
#include "frontends/launchers/shown.h"
#include "frontends/launchers/yaml.h"

namespace ranklint {
namespace {

using launchers::Setting;

constexpr size_t kLargest = size_t{1} << 20;  // bytes; what is larger is data

bool is_yaml(std::string_view path) { return path.ends_with(".yaml") || path.ends_with(".yml"); }

bool is_markdown(std::string_view path) { return path.ends_with(".md"); }

bool is_page(std::string_view path) { return is_markdown(path) || path.ends_with(".rst"); }

// The launcher and what is chosen for the script. Nothing, if the launcher is told to start one process: a start
// without words is that of a single process.
std::vector<std::string> words_of(const launchers::Launch& launch) {
  return launch.starts_one() && !(launch.script.empty() && launch.module.empty()) ? std::vector<std::string>()
                                                                                  : launch.chosen;
}

class Module {
 public:
  explicit Module(ir::Module& module)
      : starts_(module.starts), f_(module, ir::add_function(module, "<module>", ir::FunctionKind::Module)) {
    import("ranklint", "ranklint.launch");
    import("os", "os");
  }

  void add(const launchers::Launch& launch) {
    if (!launch.chosen.empty())
      starts_.push_back({launch.range, launch.script, launch.script.empty() ? launch.chosen : words_of(launch)});
    std::vector<ir::CallArgument> arguments;
    const std::optional<int64_t> count = launch.count();
    if (!count || *count <= 0) return;
    arguments.push_back(keyword("count", f_.integer(*count)));
    if (!launch.script.empty()) arguments.push_back(keyword("script", f_.string(launch.script)));
    std::vector<std::string_view> given{"count", "script"};
    for (const Setting& s : launch.settings) {
      if (!is_degree(s.name) || std::find(given.begin(), given.end(), s.name) != given.end()) continue;
      given.push_back(s.name);
      arguments.push_back(keyword(s.name, f_.integer(s.value)));
    }
    f_.call(launcher("processes"), std::span<const ir::CallArgument>(arguments), launch.range);
    for (const Setting& s : launch.settings)
      if (is_degree(s.name))
        f_.call(launcher("degree"), {{f_.string(s.name)}, {f_.integer(s.value)}, keyword("count", f_.integer(*count))},
                s.range);
  }

  void set_environment(const launchers::Word& word) {
    const size_t equal = word.text.find('=');
    if (!word.known || equal == std::string::npos) return;
    f_.assign(f_.subscript(f_.attribute(f_.name("os"), "environ"), f_.string(word.text.substr(0, equal))),
              f_.string(word.text.substr(equal + 1)), word.range);
  }

  void finish() { f_.return_({}, {}); }

 private:
  static bool is_degree(std::string_view name) {
    return name.ends_with("_size") || name.ends_with("_degree") || name.ends_with("_sp") ||
           name.ends_with("_parallelism") || name.ends_with("_dim");
  }

  static ir::CallArgument keyword(std::string_view name, ir::ExprId value) {
    return {value, ir::ArgumentKind::Keyword, name};
  }

  ir::ExprId launcher(std::string_view name) { return f_.attribute(f_.attribute(f_.name("ranklint"), "launch"), name); }

  void import(std::string_view name, std::string_view module) {
    ir::Instruction i;
    i.kind = ir::InstructionKind::Import;
    i.target = f_.name(name);
    i.symbol = f_.symbol(module);
    i.range = {1, 1, 1, 1};
    f_.add(i);
  }

  std::vector<ir::Start>& starts_;
  ir::FunctionBuilder f_;
};

// "tools/train.py" of "tools.train"
std::string script_of_module(std::string module) {
  std::ranges::replace(module, '.', '/');
  return module.empty() ? module : module + ".py";
}

// Which script a command starts by a launcher, with the launcher as its only word.
void add_launched(const std::optional<launchers::Launch>& launch, std::vector<ir::Start>& starts) {
  if (!launch) return;
  const std::string script = launch->script.empty() ? script_of_module(launch->module) : launch->script;
  if (script.empty()) return;
  std::vector<std::string> words = words_of(*launch);
  words.resize(std::min<size_t>(words.size(), 1));
  starts.push_back({launch->range, script, std::move(words)});
}

void add_alone(const launchers::Command& command, std::vector<ir::Start>& starts) {
  if (const std::optional<launchers::Word> script = launchers::script_started_alone(command))
    starts.push_back({script->range, script->text, {}});
}

void add_starts(const launchers::Command& command, std::vector<ir::Start>& starts) {
  const std::optional<launchers::Launch> launch = launchers::launch_of(command);
  add_launched(launch, starts);
  if (!launch) add_alone(command, starts);
}

void read_page(std::string_view text, std::vector<ir::Start>& starts) {
  for (const launchers::Command& command : launchers::commands_shown_in(text)) add_starts(command, starts);
}

void read_markdown(std::string_view bytes, std::vector<ir::Start>& starts) {
  const launchers::MarkdownParts parts = launchers::parts_of(bytes);
  for (const launchers::CodeBlock& block : parts.shell)
    for (const launchers::Command& command : launchers::commands_of(block.text, block.line))
      add_starts(command, starts);
  read_page(parts.prose, starts);
}

void read_shell(std::string_view bytes, ir::Module& module, Module& out) {
  for (const launchers::Command& command : launchers::commands_of(bytes)) {
    if (command.exports || !command.words.empty())
      for (const launchers::Word& word : command.environment) out.set_environment(word);
    const std::optional<launchers::Launch> launch = launchers::launch_of(command);
    if (launch) out.add(*launch);
    if (launch && launch->script.empty()) add_launched(launch, module.starts);
    if (!launch) add_alone(command, module.starts);
  }
}

// Comments that address ranklint.
std::vector<ir::Pragma> pragmas_of(std::string_view text) {
  static constexpr std::string_view kMark = "# ranklint:";
  std::vector<ir::Pragma> pragmas;
  uint32_t line = 1;
  for (size_t begin = 0; begin < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view content = text.substr(begin, end - begin);
    begin = end + 1;
    const size_t mark = content.find(kMark);
    if (mark == content.npos) continue;
    std::string_view said = content.substr(mark + kMark.size());
    said.remove_prefix(std::min(said.find_first_not_of(" \t"), said.size()));
    said = said.substr(0, said.find_last_not_of(" \t\r") + 1);
    pragmas.push_back(
        {.range = {line, static_cast<uint32_t>(mark + 1), line, static_cast<uint32_t>(content.size() + 1)},
         .text = std::string(said),
         .own_line = content.find_first_not_of(" \t") == mark});
  }
  return pragmas;
}

}  // namespace

bool may_launch(std::string_view path) {
  static constexpr std::array<std::string_view, 6> kSuffixes{".sh", ".bash", ".slurm", ".sbatch", ".yaml", ".yml"};
  return is_page(path) ||
         std::any_of(kSuffixes.begin(), kSuffixes.end(), [&](std::string_view s) { return path.ends_with(s); });
}

bool launches(std::string_view path, std::string_view bytes) {
  static constexpr std::array<std::string_view, 4> kOfYaml{"num_processes", "n_gpus_per_node", "gpus_per_node",
                                                           "nproc_per_node"};
  if (bytes.size() > kLargest) return false;
  const auto mentioned = [&](std::string_view word) { return bytes.find(word) != std::string_view::npos; };
  return is_yaml(path) ? std::any_of(kOfYaml.begin(), kOfYaml.end(), mentioned)
                       : launchers::names_launcher(bytes) || launchers::may_start_script(bytes) ||
                             (!is_page(path) && mentioned("NCCL_"));
}

ir::Module lower_launcher(const std::string& path, std::string_view bytes) {
  ir::Module module;
  module.path = path;
  module.language = is_yaml(path) ? "yaml" : "shell";
  module.conventions = {ir::Convention::NotImported};
  module.pragmas = pragmas_of(bytes);
  Module out(module);
  if (bytes.size() > kLargest) {
    // It is data.
  } else if (is_yaml(path)) {
    for (const launchers::Launch& launch : launchers::launches_of_yaml(bytes)) out.add(launch);
  } else if (is_markdown(path)) {
    read_markdown(bytes, module.starts);
  } else if (is_page(path)) {
    read_page(bytes, module.starts);
  } else {
    read_shell(bytes, module, out);
  }
  out.finish();
  return module;
}

std::vector<ir::Start> starts_shown_in(std::string_view program) {
  std::vector<ir::Start> starts;
  for (const launchers::Command& command : launchers::commands_shown_in(program))
    add_launched(launchers::launch_of(command), starts);
  return starts;
}

}  // namespace ranklint
