#include "tests/mpi_programs/programs.h"

#include <sstream>
#include <utility>

#include "tests/support/support.h"

namespace ranklint::test {

namespace {

struct Each {
  std::string name;
  std::vector<std::string> values;
};

struct Template {
  std::string kind;  // "case": a body; "window", "file": one with an object around it; "raw": all of the program
  std::string name, rule, fact, body;
  std::vector<Each> each;
};

// What stands before and after a body.
struct Surroundings {
  std::string opens, closes;
};

Surroundings surroundings_of(const std::string& kind) {
  if (kind == "window")
    return {
        "  int w[10] = {0};\n  MPI_Win win;\n  MPI_Win_create(w, sizeof w, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, "
        "&win);\n",
        "  MPI_Win_free(&win);\n"};
  if (kind == "file")
    return {
        "  MPI_File f;\n  MPI_File_open(MPI_COMM_WORLD, \"data\", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, "
        "&f);\n",
        "  MPI_File_close(&f);\n"};
  return {};
}

std::vector<std::string> split(const std::string& text, const std::string& at) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t end = text.find(at); end != std::string::npos; end = text.find(at, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + at.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// "case NAME ok", "case NAME bad RULE", "case NAME bad RULE FACT"
bool begins_template(const std::string& line, Template& t) {
  std::istringstream words(line);
  std::string verdict;
  if (!(words >> t.kind >> t.name >> verdict)) return false;
  if (t.kind != "case" && t.kind != "raw" && surroundings_of(t.kind).opens.empty()) return false;
  words >> t.rule >> t.fact;
  return (verdict == "ok" && t.rule.empty()) || (verdict == "bad" && !t.rule.empty());
}

std::vector<Template> read_templates(const std::string& text) {
  std::vector<Template> templates;
  std::vector<Each> each;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    Template begun;
    if (line.starts_with("each ")) {
      const size_t equals = line.find(" = ");
      each.push_back({line.substr(5, equals - 5), split(line.substr(equals + 3), " | ")});
    } else if (begins_template(line, begun)) {
      begun.each = std::exchange(each, {});
      templates.push_back(std::move(begun));
    } else if (!templates.empty() && (line.starts_with("  ") || templates.back().kind == "raw")) {
      templates.back().body += line + "\n";
    }
  }
  return templates;
}

std::string whole_program(const Template& t, const std::string& body) {
  const std::string headers =
      "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n\n";
  if (t.kind == "raw") return headers + body;
  const auto [opens, closes] = surroundings_of(t.kind);
  return headers +
         "static void my_sum(void *in, void *out, int *n, MPI_Datatype *t) {\n"
         "  for (int i = 0; i < *n; ++i) ((int *)out)[i] += ((int *)in)[i];\n}\n\n"
         "int main(int argc, char **argv) {\n  int rank, size, x = 0, y = 0, a[100] = {0}, b[100] = {0};\n  MPI_Status "
         "st;\n"
         "  MPI_Init(&argc, &argv);\n  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  MPI_Comm_size(MPI_COMM_WORLD, "
         "&size);\n" +
         opens + body + closes + "  MPI_Finalize();\n  return 0;\n}\n";
}

// `{NAME}` is the value, `{NAME:1}` its second part where it has parts.
std::string with_value(std::string body, const Each& each, const std::string& value) {
  const std::vector<std::string> parts = split(value, " : ");
  for (size_t i = 0; i < parts.size(); ++i)
    replace_all(body, "{" + each.name + ":" + std::to_string(i) + "}", parts[i]);
  replace_all(body, "{" + each.name + "}", value);
  return body;
}

}  // namespace

std::vector<MpiProgram> mpi_programs(const std::string& path) {
  std::vector<MpiProgram> programs;
  const std::filesystem::path file = source_path(path);
  const std::string category = file.stem().string();
  for (const Template& t : read_templates(read_file(file))) {
    std::vector<std::string> bodies{t.body};
    for (const Each& each : t.each) {
      std::vector<std::string> more;
      for (const std::string& body : bodies)
        for (const std::string& value : each.values) more.push_back(with_value(body, each, value));
      bodies = std::move(more);
    }
    for (size_t i = 0; i < bodies.size(); ++i)
      programs.push_back(
          {category + "/" + t.name + "-" + std::to_string(i), category, t.rule, t.fact, whole_program(t, bodies[i])});
  }
  return programs;
}

}  // namespace ranklint::test
