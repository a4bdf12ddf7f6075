#include "app/shell/completions.h"

#include <algorithm>

#include "analyzer/base/joined.h"

namespace ranklint::app {

namespace {

// For '...' in bash and zsh.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

bool is_folder(const FlagDescription& flag) { return flag.value == "DIR"; }
bool is_file(const FlagDescription& flag) { return flag.value == "FILE" || flag.value == "PATH"; }
bool wants_rules(const FlagDescription& flag) {
  const auto named = [&](const char* name) {
    return std::find(flag.names.begin(), flag.names.end(), name) != flag.names.end();
  };
  return flag.value == "RULE" || named("--select") || named("--ignore");
}

// The words that a value may be; empty where they are files, or any.
std::string words_for(const FlagDescription& flag, const std::vector<std::string>& rules) {
  return joined(wants_rules(flag) ? rules : flag.choices, " ");
}

std::vector<std::string> all_names(const CommandDescription& command) {
  std::vector<std::string> names{command.name};
  names.insert(names.end(), command.aliases.begin(), command.aliases.end());
  return names;
}

std::vector<std::string> names_of(const std::vector<CommandDescription>& commands) {
  std::vector<std::string> names;
  for (const CommandDescription& command : commands)
    for (const std::string& name : all_names(command)) names.push_back(name);
  return names;
}

std::vector<std::string> names_of(const std::vector<FlagDescription>& flags) {
  std::vector<std::string> names;
  for (const FlagDescription& flag : flags) names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

// Every command with what stands before it: {"baseline create", ...}. The program itself is "".
struct Placed {
  std::string path;
  const CommandDescription* command;
};

void place_all(const CommandDescription& command, const std::string& path, std::vector<Placed>& out) {
  out.push_back({path, &command});
  for (const CommandDescription& sub : command.commands)
    for (const std::string& name : all_names(sub)) place_all(sub, path.empty() ? name : path + " " + name, out);
}

std::vector<Placed> placed(const CommandDescription& program) {
  std::vector<Placed> all;
  place_all(program, "", all);
  return all;
}

// ---- bash: the words before the cursor give the command; what it takes follows from it and from the flag before.

std::string bash_values(const CommandDescription& command, const std::vector<std::string>& rules) {
  std::string out;
  for (const FlagDescription& flag : command.flags) {
    if (flag.names.empty() || flag.value.empty()) continue;
    out += "        " + joined(flag.names, "|") + ")";
    if (const std::string words = words_for(flag, rules); !words.empty())
      out += " _ranklint_words " + shell_quoted(words);
    else
      out += is_folder(flag) ? " COMPREPLY=($(compgen -d -- \"$cur\"))"
             : is_file(flag) ? " COMPREPLY=($(compgen -f -- \"$cur\"))"
                             : " :";
    out += " ; return ;;\n";
  }
  return out.empty() ? "" : "      case $prev in\n" + out + "      esac\n";
}

std::string bash_places(const CommandDescription& command, const std::vector<std::string>& rules) {
  if (!command.commands.empty())
    return "COMPREPLY=($(compgen -W " + shell_quoted(joined(names_of(command.commands), " ")) + " -- \"$cur\"))";
  for (const FlagDescription& flag : command.flags) {
    if (!flag.names.empty()) continue;
    if (const std::string words = words_for(flag, rules); !words.empty())
      return "COMPREPLY=($(compgen -W " + shell_quoted(words) + " -- \"$cur\"))";
  }
  return "COMPREPLY=($(compgen -f -- \"$cur\"))";
}

std::string bash_script(const CommandDescription& program, const std::vector<std::string>& rules) {
  std::string paths;
  const std::vector<Placed> all = placed(program);
  for (const Placed& p : all)
    if (!p.path.empty()) paths += (paths.empty() ? "" : "|") + shell_quoted(p.path);
  std::string out =
      "# Completions of ranklint for bash; `ranklint completions bash` writes them.\n"
      "# The words that fit; in a list, behind its last comma.\n"
      "_ranklint_words() {\n"
      "  local before=\"\"\n"
      "  case $cur in *,*) before=\"${cur%,*},\" ;; esac\n"
      "  COMPREPLY=($(compgen -P \"$before\" -W \"$1\" -- \"${cur##*,}\"))\n"
      "}\n\n"
      "_ranklint() {\n"
      "  local cur=\"${COMP_WORDS[COMP_CWORD]}\" prev=\"${COMP_WORDS[COMP_CWORD-1]}\" command=\"\" i\n"
      "  COMPREPLY=()\n"
      "  # `--flag=value` comes in three words.\n"
      "  if [ \"$cur\" = = ]; then cur=\"\"\n"
      "  elif [ \"$prev\" = = ] && ((COMP_CWORD > 1)); then prev=\"${COMP_WORDS[COMP_CWORD-2]}\"\n"
      "  fi\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case \"${command:+$command }${COMP_WORDS[i]}\" in\n"
      "      " +
      paths +
      ") command=\"${command:+$command }${COMP_WORDS[i]}\" ;;\n"
      "    esac\n"
      "  done\n"
      "  case $command in\n";
  for (const Placed& p : all) {
    out += "    " + shell_quoted(p.path) + ")\n" + bash_values(*p.command, rules);
    out += "      case $cur in\n        -*) COMPREPLY=($(compgen -W " +
           shell_quoted(joined(names_of(p.command->flags), " ")) + " -- \"$cur\")) ;;\n";
    out += "        *) " + bash_places(*p.command, rules) + " ;;\n      esac ;;\n";
  }
  return out + "  esac\n}\n\ncomplete -o filenames -o bashdefault -F _ranklint ranklint\n";
}

// ---- zsh: _arguments for each command.

std::string zsh_escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const FlagDescription& flag, const std::vector<std::string>& rules) {
  if (const std::string words = words_for(flag, rules); !words.empty())
    return flag.value == "LIST" ? "_sequence compadd - " + words : "(" + words + ")";
  return is_folder(flag) ? "_files -/" : is_file(flag) ? "_files" : " ";
}

std::string zsh_arguments(const CommandDescription& command, const std::vector<std::string>& rules) {
  std::string out;
  for (const FlagDescription& flag : command.flags) {
    const std::string about = zsh_escaped(flag.about, "[]:\\");
    for (const std::string& name : flag.names)
      out +=
          " \\\n        " + shell_quoted("*" + name + "[" + about + "]" +
                                         (flag.value.empty() ? "" : ":" + flag.value + ":" + zsh_action(flag, rules)));
    if (flag.names.empty()) out += " \\\n        " + shell_quoted("*:" + flag.value + ":" + zsh_action(flag, rules));
  }
  return out;
}

void zsh_function(const CommandDescription& command, const std::string& name, const std::vector<std::string>& rules,
                  std::string& out) {
  for (const CommandDescription& sub : command.commands) zsh_function(sub, name + "_" + sub.name, rules, out);
  out += name + "() {\n";
  if (command.commands.empty()) {
    out += "  _arguments -s" + zsh_arguments(command, rules) + "\n}\n\n";
    return;
  }
  out += "  local context state line\n  _arguments -C" + zsh_arguments(command, rules) +
         " \\\n        '1:command:->command' \\\n        '*::argument:->argument'\n  case $state in\n    command)\n    "
         "  local -a commands=(\n";
  for (const CommandDescription& sub : command.commands)
    for (const std::string& each : all_names(sub))
      out += "        " + shell_quoted(each + ":" + zsh_escaped(sub.about, ":\\")) + "\n";
  out += "      )\n      _describe command commands\n";
  if (name == "_ranklint") out += "      _files\n";
  out += "      ;;\n    argument)\n      case $line[1] in\n";
  for (const CommandDescription& sub : command.commands)
    out += "        " + joined(all_names(sub), "|") + ") " + name + "_" + sub.name + " ;;\n";
  out += "        *) _files ;;\n      esac ;;\n  esac\n}\n\n";
}

std::string zsh_script(const CommandDescription& program, const std::vector<std::string>& rules) {
  std::string out = "#compdef ranklint\n# Completions of ranklint for zsh; `ranklint completions zsh` writes them.\n\n";
  zsh_function(program, "_ranklint", rules, out);
  return out +
         "if [ \"$funcstack[1]\" = _ranklint ]; then\n  _ranklint \"$@\"\nelse\n  compdef _ranklint ranklint\nfi\n";
}

// ---- fish: a line for each flag, with the condition that its command has been named.

std::string fish_condition(const Placed& p) {
  const size_t space = p.path.find(' ');
  if (p.path.empty()) return "__fish_use_subcommand";
  if (space == std::string::npos) return "__fish_seen_subcommand_from " + p.path;
  return "__fish_seen_subcommand_from " + p.path.substr(0, space) + "; and __fish_seen_subcommand_from " +
         p.path.substr(space + 1);
}

std::string fish_quoted(std::string_view text) { return "'" + zsh_escaped(text, "'\\") + "'"; }

std::string fish_flag(const FlagDescription& flag, const std::string& start, const std::vector<std::string>& rules) {
  std::string out = start;
  for (const std::string& name : flag.names)
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  const std::string words = words_for(flag, rules);
  if (!words.empty())
    out += flag.value == "LIST" ? " -x -a " + fish_quoted("(__fish_append , " + words + ")")
                                : " -x -a " + fish_quoted(words);
  else if (is_folder(flag))
    out += " -x -a '(__fish_complete_directories)'";
  else if (!flag.value.empty())
    out += is_file(flag) ? " -r -F" : " -x";
  return out + (flag.names.empty() ? "" : " -d " + fish_quoted(flag.about)) + "\n";
}

std::string fish_script(const CommandDescription& program, const std::vector<std::string>& rules) {
  std::string out = "# Completions of ranklint for fish; `ranklint completions fish` writes them.\n";
  for (const Placed& p : placed(program)) {
    const std::string start = "complete -c ranklint -n " + fish_quoted(fish_condition(p));
    for (const CommandDescription& sub : p.command->commands) {
      const std::string none_yet = p.path.empty() ? fish_condition(p)
                                                  : fish_condition(p) + "; and not __fish_seen_subcommand_from " +
                                                        joined(names_of(p.command->commands), " ");
      for (const std::string& name : all_names(sub))
        out += "complete -c ranklint -n " + fish_quoted(none_yet) + (p.path.empty() ? "" : " -f") + " -a " + name +
               " -d " + fish_quoted(sub.about) + "\n";
    }
    for (const FlagDescription& flag : p.command->flags)
      if (!flag.names.empty() || !words_for(flag, rules).empty()) out += fish_flag(flag, start, rules);
  }
  return out;
}

}  // namespace

std::optional<std::string> completion_script(std::string_view shell, const CommandDescription& program,
                                             const std::vector<std::string>& rules) {
  if (shell == "bash") return bash_script(program, rules);
  if (shell == "zsh") return zsh_script(program, rules);
  if (shell == "fish") return fish_script(program, rules);
  return std::nullopt;
}

}  // namespace ranklint::app
