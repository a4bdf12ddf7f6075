#include "frontends/launchers/shell.h"

#include <algorithm>
#include <array>

#include "analyzer/base/among.h"
#include "analyzer/base/whole_number.h"

namespace ranklint::launchers {
namespace {

enum class Starter { TorchRun, Accelerate, DeepSpeed, Mpi, Slurm };

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Where the launcher stands, and which it is: after `srun`, `CUDA_VISIBLE_DEVICES=0`, `python -m`. `srun` itself starts
// the processes where no other launcher follows it.
std::optional<std::pair<size_t, Starter>> starter_of(const std::vector<Word>& words) {
  std::optional<std::pair<size_t, Starter>> slurm;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = base_name(words[i].text);
    if (name == "torchrun" || name == "torch.distributed.run" || name == "torch.distributed.launch")
      return {{i, Starter::TorchRun}};
    if (name == "accelerate" && i + 1 < words.size() && words[i + 1].text == "launch")
      return {{i + 1, Starter::Accelerate}};
    if (name == "deepspeed" || name == "deepspeed.launcher.runner") return {{i, Starter::DeepSpeed}};
    if (among(name, {"mpirun", "mpiexec", "horovodrun"})) return {{i, Starter::Mpi}};
    if (name == "srun") slurm = {{i, Starter::Slurm}};
    if (words[i].text.ends_with(".py")) return slurm;
  }
  return slurm;
}

bool is_python(std::string_view program) { return among(program, {"python", "python3"}); }

// `RANK=1 python train.py`: by hand what a launcher does.
bool sets_rank(const std::vector<Word>& environment) {
  return std::any_of(environment.begin(), environment.end(), [](const Word& word) {
    const std::string_view name = std::string_view(word.text).substr(0, word.text.find('='));
    return among(name, {"RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"});
  });
}

// How many a list names: "0,1,2" of CUDA_VISIBLE_DEVICES, "localhost:0,1,2" of --include for one node.
std::optional<int64_t> listed(std::string_view list) {
  if (list.find('@') != list.npos) return std::nullopt;
  if (const size_t colon = list.find(':'); colon != list.npos) list.remove_prefix(colon + 1);
  if (list.empty() || list.find_first_not_of("0123456789,") != list.npos || list.back() == ',') return std::nullopt;
  return 1 + std::count(list.begin(), list.end(), ',');
}

// `CUDA_VISIBLE_DEVICES=0,1,2 torchrun ...`
std::optional<int64_t> visible_devices(const std::vector<Word>& environment) {
  constexpr std::string_view kName = "CUDA_VISIBLE_DEVICES=";
  for (const Word& word : environment)
    if (word.known && word.text.starts_with(kName)) return listed(std::string_view(word.text).substr(kName.size()));
  return std::nullopt;
}

// Options of launchers that take no value.
bool stands_alone(std::string_view name) {
  static constexpr std::array<std::string_view, 16> kFlags{
      "standalone", "no_python", "module", "m",     "run_path", "use_env",           "multi_gpu",     "use_deepspeed",
      "use_fsdp",   "cpu",       "debug",  "quiet", "no_ssh",   "allow_run_as_root", "oversubscribe", "force_multi"};
  return std::find(kFlags.begin(), kFlags.end(), name) != kFlags.end();
}

// Options that say how many processes there are.
bool counts(std::string_view name) {
  return among(name, {"nproc_per_node", "nproc", "num_gpus", "num_processes", "np", "n", "ntasks", "ntasks_per_node"});
}

// Walks over `--name value`, `--name=value`, `-n value` and words between.
class Options {
 public:
  Options(const std::vector<Word>& words, size_t at) : words_(words), at_(at) {}

  struct Option {
    std::string name, value;
    bool known = false, named = false;
    SourceRange range;
    size_t at = 0;
  };

  std::optional<Option> next() {
    if (at_ >= words_.size()) return std::nullopt;
    const Word& word = words_[at_];
    Option option{.name = {}, .value = word.text, .known = word.known, .named = false, .range = word.range, .at = at_};
    ++at_;
    if (!word.text.starts_with('-') || word.text.size() < 2) return option;
    option.named = true;
    const size_t equal = word.text.find('=');
    option.name = setting_name(std::string_view(word.text).substr(0, equal));
    if (equal != word.text.npos) {
      option.value = word.text.substr(equal + 1);
      return option;
    }
    option.known = false;
    option.value.clear();
    const bool has_value = at_ < words_.size() && !stands_alone(option.name) && !is_option(words_[at_].text);
    if (!has_value) return option;
    option.value = words_[at_].text;
    option.known = words_[at_].known;
    ++at_;
    return option;
  }

 private:
  static bool is_option(const std::string& text) {
    return text.size() > 1 && text[0] == '-' && !(text[1] >= '0' && text[1] <= '9');
  }

  const std::vector<Word>& words_;
  size_t at_;
};

void take_launcher_option(const Options::Option& option, Starter starter, std::optional<int64_t> visible,
                          Launch& launch) {
  const std::optional<int64_t> n = option.known ? whole_number(option.value) : std::nullopt;
  const std::string& name = option.name;
  if (starter == Starter::Slurm) {
    if (name == "ntasks" || name == "n")
      launch.total = n;
    else if (name == "ntasks_per_node")
      launch.per_node = n;
    else if (name == "nodes")
      launch.nodes = n;
  } else if (starter == Starter::TorchRun && name == "nproc_per_node" && option.known &&
             (option.value == "gpu" || option.value == "auto"))
    launch.per_node = visible;
  else if (starter == Starter::DeepSpeed && name == "include" && option.known && listed(option.value))
    launch.per_node = listed(option.value);
  else if (name == "nproc_per_node" || name == "num_gpus" || (starter == Starter::TorchRun && name == "nproc"))
    launch.per_node = n;
  else if (name == "nnodes" || name == "num_nodes")
    launch.nodes = n;
  else if (name == "num_processes" || (starter == Starter::Mpi && (name == "np" || name == "n")))
    launch.total = n, launch.per_node = std::nullopt;
  else if (name == "hostfile" || name == "include" || name == "config_file")
    launch.nodes = std::nullopt;
}

// The name of an option, and its value unless that is a number.
void take_chosen(const Options::Option& option, Launch& launch) {
  if (!option.named) return;
  launch.chosen.push_back(option.name);
  if (option.known && !option.value.empty() && !whole_number(option.value)) launch.chosen.push_back(option.value);
}

}  // namespace

std::string setting_name(std::string_view option) {
  while (option.starts_with('-')) option.remove_prefix(1);
  option = option.substr(option.rfind('.') + 1);
  std::string name(option);
  for (char& c : name) c = c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name;
}

bool names_launcher(std::string_view text) {
  static constexpr std::array<std::string_view, 8> kNames{
      "srun", "torchrun", "torch.distributed", "accelerate launch", "deepspeed", "mpirun", "mpiexec", "horovodrun"};
  return std::ranges::any_of(kNames, [&](std::string_view name) { return text.find(name) != text.npos; });
}

bool may_start_script(std::string_view text) {
  return text.find(".py") != text.npos && (text.find("python") != text.npos || names_launcher(text));
}

std::optional<Launch> launch_of(const Command& command) {
  const auto starter = starter_of(command.words);
  if (!starter) return std::nullopt;
  Launch launch;
  launch.range = command.words[starter->first].range;
  if (starter->second == Starter::TorchRun) launch.per_node = 1;       // its default
  if (starter->second == Starter::Slurm) launch.nodes = std::nullopt;  // the job may set it
  const std::optional<int64_t> visible = visible_devices(command.environment);
  Options options(command.words, starter->first + 1);
  bool of_script = false, names_module = false;
  launch.chosen.emplace_back(base_name(command.words[starter->first].text));
  while (const std::optional<Options::Option> option = options.next()) {
    take_chosen(*option, launch);
    if (!of_script && option->named && option->name == "m" && !option->value.empty())
      of_script = true;
    else if (!of_script && option->named && option->name == "m")
      names_module = true;
    else if (!of_script && names_module && option->known)
      launch.module = option->value, of_script = true;
    else if (!of_script && option->named)
      launch.is_counted |= counts(option->name), take_launcher_option(*option, starter->second, visible, launch);
    else if (!of_script && option->known && option->value.ends_with(".py"))
      launch.script = option->value, of_script = true;
    else if (!of_script && !option->known && !launch.is_counted)
      launch.per_node = launch.nodes = std::nullopt;  // `$DISTRIBUTED_ARGS` of elsewhere
    else if (!of_script && (starter->second == Starter::Mpi || starter->second == Starter::Slurm) &&
             is_python(option->value))
      continue;
    else if (!of_script)
      of_script = true;
    else if (option->named && option->name == "use_cfg_parallel" && option->value.empty())
      launch.settings.push_back({"cfg_parallel_size", 2, option->range});  // one half with the prompt, one without
    else if (const std::optional<int64_t> n = option->known ? whole_number(option->value) : std::nullopt;
             option->named && n)
      launch.settings.push_back({option->name, *n, option->range});
    else if (const size_t equal = option->value.find('=');
             !option->named && option->known && equal != std::string::npos)
      if (const std::optional<int64_t> given = whole_number(option->value.substr(equal + 1)))
        launch.settings.push_back(
            {setting_name(std::string_view(option->value).substr(0, equal)), *given, option->range});
  }
  return launch;
}

// `python train.py --node_rank=1`: one of several, though no launcher starts it.
static bool numbers_process(const Word& option) {
  const std::string name = setting_name(std::string_view(option.text).substr(0, option.text.find('=')));
  return option.text.starts_with("--") && among(name, {"rank", "node_rank", "machine_rank", "local_rank", "process_id",
                                                       "node_id", "nodeid", "world_size", "launcher", "help"});
}

std::optional<Word> script_started_alone(const Command& command) {
  const std::vector<Word>& words = command.words;
  const bool may_be_one_of_several = command.is_nested || sets_rank(command.environment);
  if (words.empty() || !is_python(base_name(words[0].text)) || may_be_one_of_several) return std::nullopt;
  const auto is_script = [](const Word& w) { return !w.known || !w.text.starts_with('-') || w.text == "-m"; };
  const auto script = std::find_if(words.begin() + 1, words.end(), is_script);
  if (script == words.end() || !script->known || !script->text.ends_with(".py")) return std::nullopt;
  return std::any_of(script + 1, words.end(), numbers_process) ? std::nullopt : std::optional(*script);
}

}  // namespace ranklint::launchers
