#include "app/shell/manual.h"

#include <cctype>

namespace ranklint::app {

namespace {

// Text that roff takes as it is: no escapes, no requests at the beginning of a line, hyphens that can be copied.
std::string plain(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins = i == 0 || text[i - 1] == '\n';
    if (begins && (text[i] == '.' || text[i] == '\'')) out += "\\&";
    if (text[i] == '\\')
      out += "\\e";
    else if (text[i] == '-')
      out += "\\-";
    else
      out += text[i];
  }
  return out;
}

std::string upper(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

// The end of a --help: lines that are indented stand as they are, others are paragraphs.
std::string footer(std::string_view text) {
  std::string out;
  bool verbatim = false;
  while (!text.empty()) {
    const size_t length = text.find('\n');
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
    const bool indented = line.starts_with("  ");
    if (indented != verbatim) {
      if (indented && !out.empty() && out.ends_with(".PP\n")) out.resize(out.size() - 4);
      out += indented ? ".PP\n.nf\n.RS 4\n" : ".RE\n.fi\n";
    }
    if (line.empty()) {
      if (!verbatim && !out.empty() && !out.ends_with(".PP\n")) out += ".PP\n";
    } else {
      if (verbatim && !indented) out += ".PP\n";
      out += plain(indented ? line.substr(2) : line) + "\n";
    }
    verbatim = indented;
  }
  if (verbatim) out += ".RE\n.fi\n";
  if (out.ends_with(".PP\n")) out.resize(out.size() - 4);
  return out;
}

std::string flag(const FlagDescription& f) {
  std::string head;
  for (const std::string& name : f.names) head += (head.empty() ? "" : ", ") + ("\\fB" + plain(name) + "\\fR");
  if (!f.value.empty()) head += (head.empty() ? "" : " ") + ("\\fI" + plain(f.value) + "\\fR");
  std::string about = f.about;
  if (!f.choices.empty()) {
    about += ": ";
    for (size_t i = 0; i < f.choices.size(); ++i) about += (i == 0 ? "" : ", ") + f.choices[i];
  }
  return ".TP\n" + head + "\n" + plain(about) + "\n";
}

void command(const CommandDescription& c, const std::string& path, std::string& out) {
  const std::string name = path + " " + c.name;
  if (c.commands.empty()) {
    out += ".SS " + plain(name) + "\n" + plain(c.about) + ".\n";
    for (const std::string& alias : c.aliases) out += plain("Also: " + path + " " + alias) + ".\n";
    for (const FlagDescription& f : c.flags) out += flag(f);
    if (!c.footer.empty()) out += ".PP\n" + footer(c.footer);
  }
  for (const CommandDescription& sub : c.commands) command(sub, name, out);
}

constexpr std::string_view kLastSections = R"(.SH EXIT STATUS
.TP
0
Nothing was found in what was checked.
.TP
1
There are findings, or files that could not be read as they stand. \fB\-\-exit\-zero\fR makes it 0.
.TP
2
Wrong usage, a named file that this build cannot read, or an error of the tool; with \fB\-\-fail\-on\-unread\fR a file that was not read, with \fB\-\-strict\fR anything that was not checked to the end.
.SH FILES
.TP
\fIranklint.toml\fR, \fI.ranklint.toml\fR, \fIpyproject.toml\fR (under [tool.ranklint])
The configuration: the nearest from the first path upwards. \fBranklint config explain\fR lists its keys.
.TP
\fIranklint\-baseline.json\fR
What \fBranklint baseline create\fR writes.
.TP
\fIcompile_commands.json\fR
How C and C++ files are compiled: the nearest from the file upwards, there or in a folder \fIbuild\fR.
.SH SEE ALSO
.BR torchrun (1),
.BR mpirun (1),
.BR clang\-tidy (1)
)";

}  // namespace

std::string manual_page(const CommandDescription& program, std::string_view version) {
  std::string out = ".\\\" Written by `ranklint man`.\n.TH " + upper(program.name) + " 1 \"\" \"" + program.name + " " +
                    std::string(version) + "\" \"User Commands\"\n.SH NAME\n" + program.name +
                    " \\- find where the ranks of distributed training code stop agreeing\n" + ".SH SYNOPSIS\n.B " +
                    program.name + "\n.I command\n[\\fIargument\\fR ...]\n.br\n.B " + program.name +
                    "\n.I path\n[\\fIpath\\fR ...]\n" + ".SH DESCRIPTION\n" + plain(program.about) + "\n.PP\n" +
                    footer(program.footer) + ".SH OPTIONS\n";
  for (const FlagDescription& f : program.flags) out += flag(f);
  out += ".SH COMMANDS\n";
  for (const CommandDescription& c : program.commands) command(c, program.name, out);
  return out + std::string(kLastSections);
}

}  // namespace ranklint::app
