// What `--help` of a command says below its flags: examples, mostly.
#pragma once

namespace ranklint::app {

constexpr const char* kMainFooter = R"(
Examples:
  ranklint check                     the folder you are in
  ranklint train.py                  a path alone means check: this file, knowing what it imports
  ranklint verify                    run what is found on threads, and say who waits where
  ranklint rule RL101                what a rule is about
  ranklint check --help              all flags

Exit status: 0 nothing found in what was checked, 1 findings, 2 wrong usage, a named file that cannot be
read, or an error of the tool.)";

constexpr const char* kCheckFooter = R"(
Examples:
  ranklint check src train.py
  ranklint check --select RL1 --ignore rank-dependent-loop
  ranklint check --output-format sarif --output-file ranklint.sarif
  cat train.py | ranklint check - --stdin-filename train.py
  ranklint check --new-from-rev main        only what this branch brings
  ranklint check --watch                    again after each change
  ranklint check --diff --unsafe-fixes      what could be fixed, and how
  ranklint check --add-ignore "one node"    comments on all that is found

A finding is ignored by a comment on its line: # ranklint: ignore[rule-id] reason

Where not everything could be checked, the last line says so; --show-incomplete lists what, --fail-on-unread and --strict
make it an error (exit status 2).)";

constexpr const char* kVerifyFooter = R"(
Checks as `ranklint check` does, then runs each finding: a small world of threads takes the steps of its ranks on real
process groups, whose watchdog says who waits for whom.

  confirmed        ranks wait forever, or disagree, where the finding says so
  refuted          all ranks finish: the finding is withdrawn, and counted
  not replayable   with the reason

Exit status: 0 nothing confirmed, 1 confirmed hazards, 2 wrong usage, a named file that cannot be read, or an
error of the tool.

Examples:
  ranklint verify src
  ranklint verify --output-format json)";

constexpr const char* kBaselineFooter = R"(
The file names each finding by a fingerprint that stays when lines move; keep it with the project. An entry has a `reason`
that is yours to write and that is kept. An entry is dropped when its file was checked for its rule and no longer has it.

Examples:
  ranklint baseline create           write down all that is found now: ranklint-baseline.json
  ranklint check --baseline ranklint-baseline.json
  ranklint baseline update           add what is new, drop what is gone
  ranklint baseline prune            only drop what is gone

Exit status: 0 written, 2 wrong usage or an error of the tool.)";

constexpr const char* kConfigFooter = R"(
Written as TOML, so that it could be a configuration file; the origin of each value follows it: a line of the file, a flag,
or the default.

Examples:
  ranklint config                    what holds in the folder you are in
  ranklint config src --select RL1   what would hold for this check
  ranklint config explain exclude    what a key means
  ranklint config schema             a JSON schema, for editors)";

constexpr const char* kTraceFooter = R"(
Reads what PyTorch's flight recorder left of a hung job (pickle or JSON, a file for each rank) or ranklint's runtime wrote,
and checks the sources. Tells for each call that is not over who waits in it, who issues something else or has not come,
which lines these are, and which finding predicted it. Nothing in a dump is run.

Examples:
  ranklint trace dumps
  ranklint trace dumps src           the job ran what lies in src
  ranklint trace dumps --no-check --output-format json

Exit status: 0 every call is over, 1 some are not, 2 wrong usage, or a dump that cannot be read, is missing or holds no call.)";

constexpr const char* kLowerFooter = R"(
Reading a file is a good part of a check, for C and C++ most of it. A build system that runs it for each file by itself can do
so on many machines and keep what came out. What was read by another build of ranklint, or of other text, is not used.

Examples:
  ranklint lower --output out/model model.py     one file; run it where `check` will be run
  ranklint lower -o out -p build src             a folder, with its compile commands
  ranklint check --lowered out/model --lowered out/train src

Exit status: 0 all were put there, 2 wrong usage, a file that cannot be read, or a folder that cannot be written.)";

constexpr const char* kCleanFooter = R"(
A check keeps what it found out in `.ranklint_cache` at the top of the project, so that the next one is quick where nothing
changed. It may go at any time: by this, or by hand. A folder that is none of ranklint's is not removed.

Examples:
  ranklint clean                     the cache of the project you are in
  ranklint clean ../other            that of another project

Exit status: 0 there is none any more, 2 wrong usage, or a folder that is not removed.)";

constexpr const char* kCompletionsFooter = R"(
Examples:
  ranklint completions bash > ~/.local/share/bash-completion/completions/ranklint
  ranklint completions zsh > ~/.zfunc/_ranklint          with fpath+=~/.zfunc before compinit
  ranklint completions fish > ~/.config/fish/completions/ranklint.fish)";

constexpr const char* kManualFooter = R"(
Examples:
  ranklint man > ~/.local/share/man/man1/ranklint.1
  ranklint man | man -l -)";

constexpr const char* kRulesFooter = R"(
Examples:
  ranklint rules
  ranklint rules RL1                 only those of a kind
  ranklint rules --output-format json)";

constexpr const char* kRuleFooter = R"(
Examples:
  ranklint rule RL101
  ranklint rule rank-guarded-collective)";

constexpr const char* kIrFooter = R"(
Examples:
  ranklint ir train.py
  ranklint ir train.py --function Trainer.step --locations)";

constexpr const char* kServerFooter = R"(
Editors start it by themselves, as the command `ranklint server` for Python, C and C++ files. The page on editors of the
documentation (docs/editors.md in the source) has the set-up of Visual Studio Code, Neovim and Emacs.)";

}  // namespace ranklint::app
