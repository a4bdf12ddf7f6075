// What launch scripts and configurations say, as commands of words and as the calls they become.
#include <catch2/catch.hpp>

#include "analyzer/ir/print.h"
#include "analyzer/ir/verify.h"
#include "frontends/launchers/launchers.h"
#include "frontends/launchers/markdown.h"
#include "frontends/launchers/shell.h"
#include "frontends/launchers/shell_words.h"
#include "frontends/launchers/yaml.h"

namespace ranklint::launchers::test {

static std::string last_command(std::string_view script) {
  std::string text;
  const std::vector<Command> commands = commands_of(script);
  if (commands.empty()) return text;
  for (const Word& word : commands.back().words) text += (text.empty() ? "" : "|") + (word.known ? word.text : "?");
  return text;
}

TEST_CASE("a command is its words, over continued lines and without comments") {
  CHECK(last_command("run --a 1 \\\n  --b=2 # behind\n") == "run|--a|1|--b=2");
  CHECK(last_command("run 'a b' \"c d\" e\\ f") == "run|a b|c d|e f");
}

TEST_CASE("variables, arrays, defaults and arithmetic are put in") {
  CHECK(last_command("N=4\nrun $N ${N} \"x$N\"") == "run|4|4|x4");
  CHECK(last_command("A=( --a 1 # why\n  --b 2 )\nrun ${A[@]}") == "run|--a|1|--b|2");
  CHECK(last_command("A=\"--a 1\"\nrun $A \"$A\"") == "run|--a|1|--a 1");
  CHECK(last_command("run ${N:-8} $((2 * (3 + 1)))") == "run|8|8");
  CHECK(last_command("A=1\nA+=2\nrun $A") == "run|12");
}

TEST_CASE("what is not constant is not known") {
  CHECK(last_command("run $1 $(date) `date` $X ${X%.*}") == "run|?|?|?|?|?");
  CHECK(last_command("if a; then N=1; else N=2; fi\nrun $N") == "run|?");
  CHECK(last_command("for N in 1 2; do run $N; done") == "run|?");
  CHECK(last_command("N=1\nread N\nrun $N") == "run|?");
  CHECK(last_command("run $((1 / 0)) $((9223372036854775807 + 1))") == "run|?|?");
}

TEST_CASE("a here-document is no command") { CHECK(last_command("cat <<EOF\nrun 1\nEOF\nrun 2") == "run|2"); }

static std::optional<Launch> launch(std::string_view script) { return launch_of(commands_of(script).back()); }

TEST_CASE("each launcher has its own words for the number of processes") {
  CHECK(launch("torchrun --nproc_per_node=4 --nnodes 2 a.py")->count() == 8);
  CHECK(launch("torchrun --nproc-per-node 4 a.py")->count() == 4);
  CHECK(launch("torchrun a.py")->count() == 1);
  CHECK(launch("python3 -m torch.distributed.launch --nproc_per_node 3 a.py")->count() == 3);
  CHECK(launch("accelerate launch --num_processes 6 a.py")->count() == 6);
  CHECK(launch("deepspeed --num_gpus=2 a.py")->count() == 2);
  CHECK(launch("mpirun -np 5 python a.py")->count() == 5);
  CHECK_FALSE(launch("torchrun --nproc_per_node gpu a.py")->count());
  CHECK_FALSE(launch("accelerate launch --config_file c.yaml a.py")->count());
  CHECK_FALSE(launch("python a.py --nproc_per_node 4"));
  CHECK_FALSE(launch("torchrun $ARGS a.py --sp-size 3")->count());
  CHECK(launch("torchrun --nproc_per_node 4 $SCRIPT --sp-size 3")->count() == 4);
}

TEST_CASE("the script and its whole numbers are told, and options of the launcher are not") {
  const std::optional<Launch> l =
      launch("torchrun --nproc_per_node=4 --master_port 1 src/a.py --sp-size 2 trainer.tp_size=3 --lr 0.1");
  REQUIRE(l);
  CHECK(l->script == "src/a.py");
  REQUIRE(l->settings.size() == 2);
  CHECK(l->settings[0].name == "sp_size");
  CHECK(l->settings[1].name == "tp_size");
}

TEST_CASE("a configuration that names processes is a launch") {
  const std::vector<Launch> l = launches_of_yaml("a:\n  n_gpus_per_node: 4\n  nnodes: 2\nb: {sp_size: 3}\n");
  REQUIRE(l.size() == 1);
  CHECK(l[0].count() == 8);
  CHECK(l[0].settings.at(0).range.line == 4);
  CHECK(launches_of_yaml("nodes: 3\n").empty());
  CHECK(launches_of_yaml("{{ template }}: [\n").empty());
  CHECK_FALSE(launches_of_yaml("nproc_per_node: 8\nnnodes: $N\n").at(0).count());
}

TEST_CASE("what is chosen for a script is told with it") {
  const std::string shell = ir::print(lower_launcher("a.sh", "accelerate launch --use_deepspeed train.py --lr 0.1\n"));
  CHECK(shell.find("start \"train.py\" \"launch\" \"use_deepspeed\" \"lr\" \"0.1\"") != std::string::npos);
  const std::string yaml =
      ir::print(lower_launcher("a.yaml", "num_processes: 8\ndistributed_type: FSDP\ndowncast: 'no'\nuse_cpu: true\n"));
  CHECK(yaml.find("start \"\" \"FSDP\" \"use_cpu\"") != std::string::npos);
}

// "train.py torchrun", "export.py": each start in a line.
std::string starts_of(const std::vector<ir::Start>& starts) {
  std::string text;
  for (const ir::Start& start : starts) {
    text += start.script;
    for (const std::string& word : start.words) text += " " + word;
    text += "\n";
  }
  return text;
}

std::string starts_in(const std::string& path, std::string_view bytes) {
  return starts_of(lower_launcher(path, bytes).starts);
}

TEST_CASE("a script that is started as one process is listed without a launcher") {
  CHECK(starts_in("a.sh", "X=1 python -u export.py --last\npython -m tool x.py\n") == "export.py\n");
  CHECK(starts_in("a.sh", "for r in 0 1; do\n  python export.py --rank $r &\ndone\n").empty());
}

TEST_CASE("what a launcher starts as one process is listed without it, where that is written") {
  CHECK(starts_in("a.sh", "torchrun --nnodes=1 --nproc_per_node=1 export.py\n") == "export.py\n");
  CHECK(starts_in("README.md", "```\nmpirun -np 1 python export.py\n```\n") == "export.py\n");
  CHECK(starts_in("README.md", "```\ntorchrun --nproc_per_node=1 -m tools.export\n```\n") == "tools/export.py\n");
  CHECK(starts_in("a.sh", "torchrun export.py\n") == "export.py torchrun\n");
  CHECK(starts_in("a.sh", "torchrun --nnodes=2 --nproc_per_node=1 train.py\n") ==
        "train.py torchrun nnodes nproc_per_node\n");
  CHECK(starts_in("a.sh", "torchrun --nnodes=$N --nproc_per_node=1 train.py\n") ==
        "train.py torchrun nnodes nproc_per_node\n");
}

TEST_CASE(
    "commands of a page count in fenced blocks, on lines of their own and between backquotes, not in running prose") {
  const ir::Module page =
      lower_launcher("docs/train.md",
                     "Run python prose.py or `python3 test.py --last`.\n"
                     "python own_line.py\n"
                     "```bash\n$ python export.py \\\n  --last\n```\n"
                     "~~~\nexport NCCL_X=1\ntorchrun --nproc_per_node=3 train.py --tp_size 2\n```\n~~~\n"
                     "Then `mpirun -n 2 python solve.py`, and\n\n"
                     "    horovodrun -np 4 \\\n      python tune.py\n");
  CHECK(starts_of(page.starts) ==
        "export.py\ntrain.py torchrun\ntest.py\nown_line.py\nsolve.py mpirun\ntune.py horovodrun\n");
  CHECK(page.starts[4].range.line == 12);
  CHECK(page.starts[4].range.column == 7);
  CHECK(page.starts[5].range.line == 14);
  const std::string text = ir::print(page);
  CHECK(text.find("prose.py") == std::string::npos);
  CHECK(text.find("NCCL_X") == std::string::npos);
  CHECK(text.find("tp_size") == std::string::npos);
}

TEST_CASE("blocks of a page are read each by itself, as CommonMark has them") {
  const auto starts = [](const std::string& text) { return starts_in("README.md", text); };
  const std::string train = "train.py torchrun\n";
  CHECK(starts("```\nit's done << 4\n```\n```\ntorchrun train.py\n```\n") == train);
  CHECK(starts("````\n```bash\nx\n```\n````\n```\ntorchrun train.py\n```\n") == train);
  CHECK(starts("```python\ntorchrun train.py\n```\n").empty());
  CHECK(starts("```\ntorchrun -m tools.train\n```\n") == "tools/train.py torchrun\n");
  CHECK(starts("```\nRANK=1 python train.py\n```\n").empty());
  CHECK(starts("```\npython train.py --node-rank=1\n```\n").empty());
  CHECK(starts("```\npython train.py --lora_rank 8\n```\n") == "train.py\n");
}

TEST_CASE("a program shows in its comments and texts what starts it") {
  const auto starts = [](std::string_view text) { return starts_of(starts_shown_in(text)); };
  CHECK(starts("# torchrun --nproc_per_node=2 train.py\nimport torch\n") == "train.py torchrun\n");
  CHECK(starts("\"\"\"Run it:\n\n  $ accelerate launch --num_processes 4 \\\n      tools/tune.py --lr 1\n\"\"\"\n") ==
        "tools/tune.py launch\n");
  CHECK(starts("# Use torchrun for train.py.\n# python solve.py\nimport deepspeed\n").empty());
  CHECK(starts("path = \"train.py\"\n").empty());
}

TEST_CASE("each of many commands in one line is read by itself, where it stands") {
  std::string line;
  for (int i = 0; i < 20000; ++i) line += "`torchrun a.py` ";
  const std::vector<ir::Start> starts = starts_shown_in("\n" + line);
  REQUIRE(starts.size() == 20000);
  CHECK(starts.back().range.line == 2);
  CHECK(starts.back().range.column == 16 * 19999 + 2);
}

TEST_CASE("a command of a page stands in its line and column") {
  const std::vector<CodeBlock> blocks = parts_of("# A\n\n```\n$ python a.py\n```\n").shell;
  REQUIRE(blocks.size() == 1);
  const std::vector<Command> commands = commands_of(blocks[0].text, blocks[0].line);
  REQUIRE(commands.size() == 1);
  CHECK(commands[0].words[0].range.line == 4);
  CHECK(commands[0].words[0].range.column == 3);
}

TEST_CASE("a page may have the line ends of Windows") {
  CHECK(starts_in("README.md", "```\r\npython export.py\r\n```\r\n") == "export.py\n");
  CHECK(starts_in("a.rst", "::\r\n\r\n    torchrun \\\r\n      train.py\r\n") == "train.py torchrun\n");
}

TEST_CASE("any bytes become a module that holds together") {
  for (std::string_view bytes : {"", "torchrun --nproc_per_node", "export A='", "A=(", "${", "$((", "<<", "x <<",
                                 "torchrun \\", "\xff=1 $\xfe", "`", "torchrun --sp_size=3 x.py --sp_size"})
    for (const char* path : {"a.sh", "a.yaml", "README.md"}) {
      INFO(path << " " << bytes);
      CHECK(ir::verify(lower_launcher(path, bytes)).empty());
    }
}

TEST_CASE("exported variables are set in the environment, others are not") {
  const std::string text =
      ir::print(lower_launcher("a.sh", "A=1\nexport NCCL_X=$A\nNCCL_Y=2 torchrun a.py\nNCCL_Z=3\n"));
  CHECK(text.find("os.environ[\"NCCL_X\"] = \"1\"") != std::string::npos);
  CHECK(text.find("NCCL_Y") != std::string::npos);
  CHECK(text.find("NCCL_Z") == std::string::npos);
}

}  // namespace ranklint::launchers::test
