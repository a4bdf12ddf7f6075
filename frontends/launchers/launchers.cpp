#include "frontends/launchers/launchers.h"

#include <algorithm>
#include <array>

#include "analyzer/base/among.h"
#include "analyzer/ir/builder.h"
#include "frontends/launchers/markdown.h"
#include "frontends/launchers/shell.h"
#include "frontends/launchers/yaml.h"

namespace ranklint {
namespace {

using launchers::Setting;

constexpr size_t kLargest = size_t{1} << 20;  // bytes; what is larger is data

bool is_yaml(std::string_view path) { return path.ends_with(".yaml") || path.ends_with(".yml"); }

bool is_readme(std::string_view path) { return among(path.substr(path.rfind('/') + 1), {"README.md", "readme.md"}); }

class Module {
 public:
  explicit Module(ir::Module& module) : f_(module, ir::add_function(module, "<module>", ir::FunctionKind::Module)) {
    import("ranklint", "ranklint.launch");
    import("os", "os");
  }

  void add(const launchers::Launch& launch) {
    if (!launch.chosen.empty()) add_start(launch.script, launch.chosen, launch.range);
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

  // By a launcher, named by its word; or as one process, without a word.
  void add_start(std::string_view script, const std::vector<std::string>& words, const SourceRange& range) {
    std::vector<ir::CallArgument> arguments;
    for (const std::string& word : words) arguments.push_back({f_.string(word), ir::ArgumentKind::Positional, {}});
    if (!script.empty()) arguments.push_back(keyword("script", f_.string(script)));
    f_.call(launcher("chosen"), std::span<const ir::CallArgument>(arguments), range);
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

  ir::FunctionBuilder f_;
};

// "tools/train.py" of "tools.train"
std::string script_of_module(std::string module) {
  std::ranges::replace(module, '.', '/');
  return module.empty() ? module : module + ".py";
}

// Which script a command starts: by the launcher that its first word names, or as one process.
void add_start(const launchers::Command& command, const std::optional<launchers::Launch>& launch, Module& out) {
  if (launch) {
    const std::string script = launch->script.empty() ? script_of_module(launch->module) : launch->script;
    if (!script.empty()) out.add_start(script, {launch->chosen.front()}, launch->range);
  } else if (const std::optional<launchers::Word> script = launchers::script_started_alone(command)) {
    out.add_start(script->text, {}, script->range);
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
  return is_readme(path) ||
         std::any_of(kSuffixes.begin(), kSuffixes.end(), [&](std::string_view s) { return path.ends_with(s); });
}

bool launches(std::string_view path, std::string_view bytes) {
  static constexpr std::array<std::string_view, 4> kOfYaml{"num_processes", "n_gpus_per_node", "gpus_per_node",
                                                           "nproc_per_node"};
  static constexpr std::array<std::string_view, 8> kOfShell{
      "srun", "torchrun", "torch.distributed", "accelerate launch", "deepspeed", "mpirun", "mpiexec", "NCCL_"};
  if (bytes.size() > kLargest) return false;
  const auto mentioned = [&](std::string_view word) { return bytes.find(word) != std::string_view::npos; };
  return is_yaml(path) ? std::any_of(kOfYaml.begin(), kOfYaml.end(), mentioned)
                       : std::any_of(kOfShell.begin(), kOfShell.end(), mentioned);
}

ir::Module lower_launcher(const std::string& path, std::string_view bytes) {
  ir::Module module;
  module.path = path;
  module.language = is_yaml(path) ? "yaml" : "shell";
  module.conventions = {ir::Convention::NotImported};
  module.pragmas = pragmas_of(bytes);
  Module out(module);
  if (is_yaml(path) && bytes.size() <= kLargest) {
    for (const launchers::Launch& launch : launchers::launches_of_yaml(bytes)) out.add(launch);
  } else if (is_readme(path) && bytes.size() <= kLargest) {
    for (const launchers::CodeBlock& block : launchers::shell_blocks_of(bytes))
      for (const launchers::Command& command : launchers::commands_of(block.text, block.line))
        add_start(command, launchers::launch_of(command), out);
  } else if (bytes.size() <= kLargest) {
    for (const launchers::Command& command : launchers::commands_of(bytes)) {
      if (command.exports || !command.words.empty())
        for (const launchers::Word& word : command.environment) out.set_environment(word);
      const std::optional<launchers::Launch> launch = launchers::launch_of(command);
      if (launch) out.add(*launch);
      if (!launch || launch->script.empty()) add_start(command, launch, out);
    }
  }
  out.finish();
  return module;
}

}  // namespace ranklint
