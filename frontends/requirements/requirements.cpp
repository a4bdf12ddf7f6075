#include "frontends/requirements/requirements.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "analyzer/base/library_requirement.h"
#include "analyzer/base/toml.h"
#include "analyzer/ir/builder.h"

namespace ranklint {
namespace requirements {
namespace {

constexpr size_t kLargest = size_t{1} << 20;  // bytes; what is larger is data
constexpr std::string_view kOfBuilt = "METADATA";

struct Line {
  std::string text;  // "torch>=1.13"
  SourceRange range;
};
using Lines = std::vector<Line>;

bool is_toml(std::string_view path) { return path.ends_with(".toml"); }
std::string_view name_in(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }
bool is_image(std::string_view path) {
  const std::string_view name = name_in(path);
  return name == "Dockerfile" || name.ends_with(".Dockerfile") || name.ends_with(".dockerfile") ||
         (name.starts_with("Dockerfile.") && !name.ends_with(".py"));
}
bool is_yaml(std::string_view path) { return path.ends_with(".yaml") || path.ends_with(".yml"); }

SourceRange range_at(size_t line, size_t column, size_t length) {
  const auto l = static_cast<uint32_t>(line), c = static_cast<uint32_t>(column);
  return {l, c, l, c + static_cast<uint32_t>(length)};
}

// A requirement a line: requirements.txt, and `install_requires` of setup.cfg.
Lines lines_of_text(std::string_view bytes) {
  Lines lines;
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  size_t number = 1;
  for (size_t begin = 0; begin < bytes.size(); ++number) {
    const size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string_view line = bytes.substr(begin, end - begin);
    begin = end + 1;
    const size_t first = line.find_first_not_of(" \t");
    if (first == line.npos) continue;
    const std::string_view text = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
    lines.push_back({std::string(text), range_at(number, first + 1, text.size())});
  }
  return lines;
}

void add_string(const toml::node& node, const std::string& in_front, Lines& lines) {
  const toml::value<std::string>* text = node.as_string();
  if (!text) return;
  const toml::source_position at = node.source().begin;
  lines.push_back({in_front + text->get(), range_at(at.line, at.column, text->get().size())});
}

void add_list(const toml::array* list, Lines& lines) {
  if (!list) return;
  for (const toml::node& item : *list) add_string(item, "", lines);
}

// Poetry's `torch = "^1.13"`, `torch = { version = "^1.13" }`.
void add_versions(const toml::table* versions, Lines& lines) {
  if (!versions) return;
  for (const auto& [name, value] : *versions) {
    const std::string package = std::string(name.str()) + " ";
    add_string(value, package, lines);
    if (const toml::table* detail = value.as_table())
      if (const toml::node* version = detail->get("version")) add_string(*version, package, lines);
  }
}

Lines lines_of_toml(std::string_view bytes) {
  Lines lines;
  const toml::parse_result parsed = toml::parse(bytes);
  if (!parsed) return lines;
  const toml::table& root = parsed.table();
  add_list(root["project"]["dependencies"].as_array(), lines);
  add_versions(root["tool"]["poetry"]["dependencies"].as_table(), lines);
  return lines;
}

void add_listed(const YAML::Node& list, Lines& lines, bool is_inner = false) {
  if (!list.IsSequence()) return;
  for (const YAML::Node& item : list)
    if (item.IsScalar())
      lines.push_back({item.Scalar(), range_at(static_cast<size_t>(item.Mark().line) + 1,
                                               static_cast<size_t>(item.Mark().column) + 1, item.Scalar().size())});
    else if (item.IsMap() && !is_inner)
      add_listed(item["pip"], lines, true);
}

// Conda's `dependencies:`, with those of pip in it.
Lines lines_of_yaml(std::string_view bytes) {
  Lines lines;
  try {  // yaml-cpp throws on what it cannot read
    const YAML::Node root = YAML::Load(std::string(bytes));
    if (root.IsMap() && root["dependencies"]) add_listed(root["dependencies"], lines);
  } catch (const YAML::Exception&) {
    lines.clear();
  }
  return lines;
}

// `FROM pytorch/pytorch:1.7.1-cuda11.0`, whose tag is the version.
std::string requirement_of_base(std::string_view image) {
  const size_t name = image.find_last_of('/') + 1, tag = image.find(':', name);
  if (tag == image.npos) return {};
  return std::string(image.substr(name, tag - name)) + "==" + std::string(image.substr(tag + 1));
}

// What a line names by words: `RUN pip install torch==1.13 "timm<1"`.
void add_words(const Line& line, bool is_base, Lines& lines) {
  std::string_view rest = line.text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of(" \t'\"\\"), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    lines.push_back({is_base ? requirement_of_base(word) : std::string(word), line.range});
  }
}

// The bases of an image, and what is installed in it; a line that ends in `\` goes on.
Lines lines_of_image(std::string_view bytes) {
  Lines lines;
  bool installs = false, goes_on = false;
  for (const Line& line : lines_of_text(bytes)) {
    if (line.text.starts_with('#')) continue;
    installs = line.text.find(" install ") != std::string::npos || (installs && goes_on);
    goes_on = line.text.ends_with('\\');
    const bool is_base = line.text.starts_with("FROM ") || line.text.starts_with("from ");
    if (installs || is_base) add_words(line, is_base, lines);
  }
  return lines;
}

Lines lines_in(std::string_view path, std::string_view bytes) {
  if (is_toml(path)) return lines_of_toml(bytes);
  if (is_yaml(path)) return lines_of_yaml(bytes);
  return is_image(path) ? lines_of_image(bytes) : lines_of_text(bytes);
}

Lines requirements_in(std::string_view path, std::string_view bytes) {
  if (bytes.size() > kLargest || name_in(path) == kOfBuilt) return {};
  Lines lines = lines_in(path, bytes);
  std::erase_if(lines, [](const Line& line) { return !read_requirement(line.text); });
  return lines;
}

}  // namespace
}  // namespace requirements

bool may_require(std::string_view path) {
  const std::string_view name = requirements::name_in(path);
  if (requirements::is_yaml(name)) return name.starts_with("environment") || name.starts_with("conda");
  if (name.ends_with(".txt")) return name.find("requirements") != name.npos || name.starts_with("constraints");
  return name == "pyproject.toml" || name == requirements::kOfBuilt || name == "setup.cfg" ||
         requirements::is_image(name);
}

// Whether it says how a package of the project is built, or what was built: `X.dist-info/METADATA`.
static bool builds_package(std::string_view path, std::string_view bytes) {
  return (requirements::is_toml(path) && bytes.find("[build-system]") != bytes.npos) ||
         (requirements::name_in(path) == requirements::kOfBuilt && bytes.starts_with("Metadata-Version:"));
}

bool requires_versions(std::string_view path, std::string_view bytes) {
  return builds_package(path, bytes) || !requirements::requirements_in(path, bytes).empty();
}

ir::Module lower_requirements(const std::string& path, std::string_view bytes) {
  ir::Module module;
  module.path = path;
  module.language = "requirements";
  module.conventions = {ir::Convention::NotImported};
  ir::FunctionBuilder f(module, ir::add_function(module, "<module>", ir::FunctionKind::Module));
  ir::Instruction import;
  import.kind = ir::InstructionKind::Import;
  import.target = f.name("ranklint");
  import.symbol = f.symbol("ranklint.packages");
  import.range = {1, 1, 1, 1};
  f.add(import);
  for (const requirements::Line& line : requirements::requirements_in(path, bytes))
    f.call(f.attribute(f.attribute(f.name("ranklint"), "packages"), "require"), {{f.string(line.text)}}, line.range);
  if (builds_package(path, bytes))
    f.call(f.attribute(f.attribute(f.name("ranklint"), "packages"), "build"), std::span<const ir::CallArgument>(),
           {1, 1, 1, 1});
  f.return_({}, {});
  return module;
}

}  // namespace ranklint
