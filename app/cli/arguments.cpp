#include "app/cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <tuple>

#include "analyzer/base/confidence_words.h"
#include "app/cli/describe.h"
#include "app/cli/footers.h"
#include "app/config/selectors.h"
#include "app/report/format_names.h"
#include "rules/severity_words.h"

namespace ranklint::app {

namespace {

constexpr const char* kAbout = "ranklint finds where the ranks of distributed training code stop agreeing.";

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// A list: comma-separated, repeatable, one word per flag, so that a path after it stays a path.
void add_list(CLI::App& app, const std::string& flags, std::vector<std::string>& target, const std::string& about) {
  app.add_option(flags, target, about)->delimiter(',')->allow_extra_args(false)->type_name("LIST")->transform(trimmed);
}

void add_rule_files(CLI::App& app, std::vector<std::string>& target) {
  app.add_option("--rules", target, "A file of rules of your own (repeatable)")
      ->allow_extra_args(false)
      ->type_name("FILE");
}

template <typename Words>
std::vector<std::string> words_in(const Words& words) {
  const auto texts = texts_of(words);
  return {texts.begin(), texts.end()};
}

void add_selection(CLI::App& app, CheckOptions& o) {
  add_list(app, "--select", o.select, "Rules to run: ids, codes, prefixes such as RL1, ALL");
  add_list(app, "--ignore", o.ignore, "Rules not to run");
  app.add_option("--min-severity", o.min_severity, "Hide what is less severe (default: warning)")
      ->check(CLI::IsMember(words_in(kSeverityWords)))
      ->type_name("LEVEL");
  app.add_option("--min-confidence", o.min_confidence, "Hide what is less sure (default: likely)")
      ->check(CLI::IsMember(words_in(kConfidenceWords)))
      ->type_name("LEVEL");
  app.add_flag("--show-suppressed", o.show_suppressed, "List the findings that comments ignore, too");
}

std::vector<std::string> format_names() { return words_in(kFormatNames); }

void add_format(CLI::App& app, CheckOptions& o) {
  app.add_option("--output-format", o.output_format, "Report format (default: full)")
      ->check(CLI::IsMember(format_names()))
      ->type_name("FORMAT");
}

void add_output(CLI::App& app, CheckOptions& o) {
  add_format(app, o);
  app.add_option(
         "-o,--output-file", o.output_file,
         "Where findings are written instead of the terminal; .html, .svg, .json, .jsonl and .sarif say the format")
      ->type_name("FILE");
  app.add_option("--color", o.color, "When to use colours (default: auto)")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  app.add_flag("--statistics", o.statistics, "Count the findings of each rule");
  app.add_flag("-q,--quiet", o.quiet, "Only findings and how many: nothing else about the run");
  app.add_flag("-v,--verbose", o.verbose, "Print to stderr what was read and what could not be resolved");
  app.add_flag("-e,--exit-zero", o.exit_zero, "Exit with 0 even when there are findings");
  app.add_flag("--show-incomplete", o.show_incomplete, "List what was not checked, with the place and the reason");
  app.add_flag("--fail-on-unread", o.fail_on_unread, "Exit with 2 when a file could not be read");
  app.add_flag("--strict", o.strict, "Exit with 2 when anything was not checked to the end, too");
}

void add_files(CLI::App& app, CheckOptions& o) {
  app.add_option("paths", o.paths, "Files and folders; - is standard input (default: the folder you are in)")
      ->type_name("PATH");
  app.add_option("--stdin-filename", o.stdin_filename, "The name of what comes from standard input")->type_name("FILE");
  add_list(app, "--src", o.src, "Folders to read besides, to know what is called; nothing is reported in them");
  add_list(app, "--exclude", o.exclude, "Patterns of paths to leave out, in place of those of the configuration");
  add_list(app, "--extend-exclude", o.extend_exclude, "Patterns of paths to leave out besides");
  app.add_flag("--force-exclude", o.force_exclude,
               "Leave out also paths that are named on the command line, as in folders");
  app.add_flag("--no-respect-gitignore", o.no_respect_gitignore, "Read files that git leaves out");
}

void add_build_folder(CLI::App& app, std::string& folder) {
  app.add_option("-p,--compile-commands", folder,
                 "The folder of compile_commands.json, for C and C++ (default: looked for)")
      ->type_name("DIR");
}

void add_cache(CLI::App& app, CheckOptions& o) {
  auto* folder = app.add_option("--cache-dir", o.cache_dir, "The folder of the cache (default: .ranklint_cache)");
  folder->type_name("DIR");
  app.add_flag("--no-cache", o.no_cache, "Use no cache: read and judge everything anew")->excludes(folder);
  app.add_option("--lowered", o.lowered,
                 "A folder that `ranklint lower` wrote: what it holds is not read again (repeatable)")
      ->allow_extra_args(false)
      ->type_name("DIR");
}

void add_settings(CLI::App& app, CheckOptions& o) {
  auto* config = app.add_option("--config", o.config, "The configuration file to use")->type_name("FILE");
  app.add_flag("--isolated", o.isolated, "Use no configuration file")->excludes(config);
  app.add_option("--models", o.models, "A file that describes library functions (repeatable)")
      ->allow_extra_args(false)
      ->type_name("FILE");
  add_rule_files(app, o.rules);
  add_build_folder(app, o.build_folder);
  add_cache(app, o);
  app.add_option("-j,--threads", o.threads, "How many threads to use; 0: all (default)")
      ->check([](const std::string& text) {
        const bool is_number =
            !text.empty() && text.size() < 5 && text.find_first_not_of("0123456789") == std::string::npos;
        return is_number && std::stoul(text) <= 1024 ? std::string()
                                                     : "expected a number from 0 to 1024, got `" + text + "`";
      })
      ->type_name("N");
}

void add_baseline_flags(CLI::App& app, CheckOptions& o) {
  app.add_option("--baseline", o.baseline,
                 "Hide the findings that this file knows (`ranklint baseline create` writes it)")
      ->type_name("FILE");
  app.add_flag("--no-baseline", o.no_baseline, "Use no baseline, whatever the configuration says");
}

void add_known(CLI::App& app, CheckOptions& o) {
  add_baseline_flags(app, o);
  app.add_option("--new-from-rev", o.new_from_rev, "Hide the findings that this revision of git has, too")
      ->type_name("REV");
  app.add_flag("--staged", o.staged, "Check what would be committed, for what HEAD does not have");
}

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

void add_fixes(CLI::App& app, CheckOptions& o) {
  app.add_flag("--fix", o.fix, "Change the sources where a finding has a safe fix");
  app.add_flag("--unsafe-fixes", o.unsafe_fixes, "Take fixes, too, that change what the program does");
  app.add_flag("--diff", o.diff, "Show what --fix or --add-ignore would change, and change nothing");
  app.add_option("--add-ignore", o.add_ignore, "Mark each finding with a comment that ignores it for this reason")
      ->check([](const std::string& reason) {
        return is_blank(reason) ? std::string("a reason is needed, such as \"one node\"") : std::string();
      })
      ->type_name("REASON");
}

void add_check(CLI::App& app, CheckOptions& o) {
  add_files(app, o);
  add_selection(app, o);
  add_output(app, o);
  add_settings(app, o);
  add_known(app, o);
}

// The flag that was meant: the most similar, or one whose last word is (`--format` for `--output-format`).
std::string flag_like(const std::string& word, const std::vector<std::string>& flags) {
  if (word == "-f" && std::find(flags.begin(), flags.end(), "--output-format") != flags.end())
    return flag_like("--format", flags);
  if (std::string said = did_you_mean(word, flags); !said.empty()) return said;
  std::vector<std::string> last_words;
  for (const std::string& flag : flags) last_words.push_back("--" + flag.substr(flag.rfind('-') + 1));
  const std::optional<std::string> found = nearest(word, last_words);
  if (!found) return "";
  return "; did you mean `" +
         flags[static_cast<size_t>(std::find(last_words.begin(), last_words.end(), *found) - last_words.begin())] +
         "`?";
}

constexpr std::array<std::tuple<const char*, BaselineOptions::Action, const char*>, 3> kBaselineActions{{
    {"create", BaselineOptions::Action::Create, "Write a new baseline"},
    {"update", BaselineOptions::Action::Update, "Add what is new and drop what is gone"},
    {"prune", BaselineOptions::Action::Prune, "Drop what is gone"},
}};

struct Parser {
  CLI::App app{kAbout, "ranklint"};
  CheckOptions check;
  CheckOptions verify;
  BaselineOptions baseline;
  ConfigOptions config;
  TraceOptions trace;
  LowerOptions lower;
  CleanOptions clean;
  CompletionsOptions completions;
  RulesOptions rules;
  RuleOptions rule;
  IrOptions ir;
  bool version = false;
  bool server_stdio = false;
  int64_t client_process = 0;
  CLI::App* check_app = nullptr;
  CLI::App* verify_app = nullptr;
  CLI::App* baseline_app = nullptr;
  CLI::App* config_app = nullptr;
  CLI::App* trace_app = nullptr;
  CLI::App* lower_app = nullptr;
  CLI::App* clean_app = nullptr;
  CLI::App* completions_app = nullptr;
  CLI::App* manual_app = nullptr;
  CLI::App* rules_app = nullptr;
  CLI::App* rule_app = nullptr;
  CLI::App* ir_app = nullptr;
  CLI::App* server_app = nullptr;
  CLI::App* version_app = nullptr;

  Parser() {
    app.require_subcommand(0, 1);
    app.footer(kMainFooter);
    app.add_flag("-V,--version", version, "Print the version");
    check_app = app.add_subcommand("check", "Check files and folders")->footer(kCheckFooter);
    check_app->add_flag("--verify", check.verify, "Run what is found, and withdraw what a run refutes");
    check_app->add_flag("--watch", check.watch, "Check again after each change, until Ctrl-C");
    add_check(*check_app, check);
    add_fixes(*check_app, check);
    verify.verify = verify.only_confirmed = true;
    verify_app = app.add_subcommand("verify", "Check, and run what is found")->footer(kVerifyFooter);
    add_check(*verify_app, verify);
    add_baseline();
    add_config();
    add_trace();
    rules_app = app.add_subcommand("rules", "List the rules")->footer(kRulesFooter);
    rules_app->add_option("selectors", rules.selectors, "Only these: ids, codes, prefixes such as RL1 (default: all)")
        ->type_name("RULE");
    rules_app->add_option("--output-format", rules.output_format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->type_name("FORMAT");
    add_rule_files(*rules_app, rules.rules);
    rule_app = app.add_subcommand("rule", "Print the page of a rule")->footer(kRuleFooter)->alias("explain");
    rule_app->add_option("rule", rule.name, "Its id or code")->required()->type_name("RULE");
    add_rule_files(*rule_app, rule.rules);
    ir_app = app.add_subcommand("ir", "Print a file as the analysis sees it")->footer(kIrFooter);
    ir_app->add_option("file", ir.file, "A source file")->required()->type_name("FILE");
    ir_app->add_option("--function", ir.function, "Only this function, by qualified name")->type_name("NAME");
    ir_app->add_flag("--locations", ir.locations, "With places in the source");
    add_build_folder(*ir_app, ir.build_folder);
    server_app =
        app.add_subcommand("server", "Serve an editor: the language server protocol on standard input and output")
            ->footer(kServerFooter);
    // What clients add by habit.
    server_app->add_flag("--stdio", server_stdio, "Standard input and output (always)");
    server_app->add_option("--clientProcessId", client_process, "Ignored: the client says it again")->group("");
    add_lower();
    add_clean();
    completions_app =
        app.add_subcommand("completions", "Write the completions for a shell")->footer(kCompletionsFooter);
    completions_app->add_option("shell", completions.shell, "The shell")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}))
        ->type_name("SHELL");
    manual_app = app.add_subcommand("man", "Write the manual page")->footer(kManualFooter);
    version_app = app.add_subcommand("version", "Print the version");
  }

  void add_baseline() {
    baseline_app = app.add_subcommand("baseline", "Record current findings so that only new ones are reported")
                       ->footer(kBaselineFooter)
                       ->require_subcommand(1);
    for (const auto& [name, action, about] : kBaselineActions) {
      CLI::App& sub = *baseline_app->add_subcommand(name, about);
      sub.footer(kBaselineFooter);
      sub.callback([this, chosen = action] { baseline.action = chosen; });
      add_files(sub, baseline.check);
      add_selection(sub, baseline.check);
      add_settings(sub, baseline.check);
      sub.add_option("--baseline", baseline.check.baseline,
                     "The file (default: that of the configuration, or ranklint-baseline.json)")
          ->type_name("FILE");
      sub.add_flag("-q,--quiet", baseline.check.quiet, "Say nothing of what was written");
    }
  }

  void add_config() {
    config_app =
        app.add_subcommand("config", "Show the configuration that holds here, and who said it")->footer(kConfigFooter);
    config_app->require_subcommand(0, 1);
    config_app->add_flag("--json", config.json, "As JSON");
    add_files(*config_app, config.check);
    add_selection(*config_app, config.check);
    add_format(*config_app, config.check);
    add_settings(*config_app, config.check);
    add_baseline_flags(*config_app, config.check);
    CLI::App* explain = config_app->add_subcommand("explain", "Tell what a key means, and what it is here");
    explain->add_option("key", config.key, "A key of the configuration (default: all of them)")->type_name("KEY");
    explain->callback([this] { config.action = ConfigOptions::Action::Explain; });
    config_app->add_subcommand("schema", "Write a JSON schema of the configuration, for editors")->callback([this] {
      config.action = ConfigOptions::Action::Schema;
    });
  }

  void add_lower() {
    lower_app = app.add_subcommand("lower", "Read files, for a later `check --lowered`")->footer(kLowerFooter);
    lower_app->add_option("paths", lower.check.paths, "Files and folders (default: the folder you are in)")
        ->type_name("PATH");
    lower_app->add_option("-o,--output", lower.output, "The folder that they are put into")
        ->required()
        ->type_name("DIR");
    add_build_folder(*lower_app, lower.check.build_folder);
    lower_app->add_option("--config", lower.check.config, "The configuration file to use")->type_name("FILE");
  }

  void add_clean() {
    clean_app = app.add_subcommand("clean", "Remove the cache of a project")->footer(kCleanFooter);
    clean_app->add_option("paths", clean.check.paths, "The project (default: that of the folder you are in)")
        ->type_name("PATH");
    clean_app->add_option("--cache-dir", clean.check.cache_dir, "The folder of the cache (default: .ranklint_cache)")
        ->type_name("DIR");
    clean_app->add_option("--config", clean.check.config, "The configuration file to use")->type_name("FILE");
  }

  void add_trace() {
    trace_app = app.add_subcommand("trace", "Say where a hung job stands, from its flight recorder's dumps")
                    ->footer(kTraceFooter);
    trace_app->add_option("dumps", trace.folder, "The folder of the dumps")->required()->type_name("DIR");
    add_files(*trace_app, trace.check);
    trace_app->add_option("--output-format", trace.output_format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->type_name("FORMAT");
    trace_app->add_flag("--no-check", trace.no_check, "Only read the dumps, and check no sources");
    add_selection(*trace_app, trace.check);
    add_settings(*trace_app, trace.check);
  }

  std::variant<Command, UsageMessage> command() {
    for (CheckOptions* options : {&check, &verify})
      if (options->output_file == "-") options->output_file.clear();
    if (check_app->parsed()) return Command(check);
    if (verify_app->parsed()) return Command(verify);
    if (baseline_app->parsed()) return Command(baseline);
    if (config_app->parsed()) return Command(config);
    if (trace_app->parsed()) return Command(trace);
    if (lower_app->parsed()) return Command(lower);
    if (clean_app->parsed()) return Command(clean);
    if (completions_app->parsed()) return Command(completions);
    if (manual_app->parsed()) return Command(ManualOptions{});
    if (rules_app->parsed()) return Command(rules);
    if (rule_app->parsed()) return Command(rule);
    if (ir_app->parsed()) return Command(ir);
    if (server_app->parsed()) return Command(ServerOptions{});
    if (version_app->parsed() || version) return Command(VersionOptions{});
    return UsageMessage{
        .text = "a command or a path is needed: `ranklint check` checks the folder you are in\n\n" + app.help(),
        .is_error = true};
  }

  const CLI::App& selected() const {
    const CLI::App* innermost = &app;
    while (!innermost->get_subcommands().empty()) innermost = innermost->get_subcommands().front();
    return *innermost;
  }

  // "ranklint baseline create"
  std::string name_of_selected() const {
    std::string name = "ranklint";
    for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
      at = at->get_subcommands().front();
      name += " " + at->get_name();
    }
    return name;
  }

  std::string mistake(const CLI::ParseError& error) const {
    std::string message = error.what();
    const std::vector<std::string> extra = app.remaining(true);
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !extra.empty()) {
      std::vector<std::string> flags;
      for (const CLI::Option* option : selected().get_options())
        for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
      message = "`" + extra.front() + "` was not expected" +
                flag_like(extra.front().substr(0, extra.front().find('=')), flags);
    }
    return message + "\n`" + name_of_selected() + " --help` tells what is possible";
  }
};

}  // namespace

const std::vector<std::string>& command_names() {
  static const std::vector<std::string> kNames{"check", "verify",  "baseline",    "config", "trace",
                                               "lower", "clean",   "completions", "man",    "rules",
                                               "rule",  "explain", "ir",          "server", "version"};
  return kNames;
}

CommandDescription describe_commands() { return describe(Parser().app); }

std::variant<Command, UsageMessage> parse_arguments(std::vector<std::string> args) {
  if (!args.empty() && args.front() == "help") {
    args.erase(args.begin());
    args.emplace_back("--help");
  }
  std::reverse(args.begin(), args.end());  // as CLI11 wants them
  Parser parser;
  try {
    parser.app.parse(std::move(args));
  } catch (const CLI::CallForHelp&) {
    return UsageMessage{.text = parser.app.help()};
  } catch (const CLI::ParseError& error) {
    return UsageMessage{.text = parser.mistake(error), .is_error = true};
  }
  return parser.command();
}

}  // namespace ranklint::app
