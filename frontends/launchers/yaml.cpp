#include "frontends/launchers/yaml.h"

#include <yaml-cpp/yaml.h>

namespace ranklint::launchers {
namespace {

constexpr int kDeepest = 24;
constexpr size_t kMostNodes = 20000;  // aliases make a small file a large tree

class Document {
 public:
  Launch read(const YAML::Node& root) {
    launch_.nodes = std::nullopt;
    visit(root, 0);
    if (!launch_.nodes && !names_nodes_) launch_.nodes = 1;
    return std::move(launch_);
  }

 private:
  void visit(const YAML::Node& node, int depth) {
    if (depth > kDeepest || ++seen_ > kMostNodes) return;
    if (node.IsSequence())
      for (const YAML::Node& item : node) visit(item, depth + 1);
    if (!node.IsMap()) return;
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) continue;
      if (entry.second.IsScalar()) take(entry.first, entry.second);
      else visit(entry.second, depth + 1);
    }
  }

  void take(const YAML::Node& key, const YAML::Node& value) {
    const std::string name = setting_name(key.Scalar());
    const std::optional<int64_t> n = whole_number(value.Scalar());
    const auto line = static_cast<uint32_t>(key.Mark().line + 1), column = static_cast<uint32_t>(key.Mark().column + 1);
    const SourceRange range{line, column, line, column + static_cast<uint32_t>(key.Scalar().size())};
    const bool counts_nodes = name == "nnodes" || name == "num_nodes";
    names_nodes_ |= counts_nodes;
    if (name == "num_processes") launch_.total = n;
    else if (name == "n_gpus_per_node" || name == "gpus_per_node" || name == "nproc_per_node") launch_.per_node = n;
    else if (counts_nodes) launch_.nodes = n;
    else if (n) return launch_.settings.push_back({name, *n, range});
    else return;
    if (!launch_.range.known()) launch_.range = range;
  }

  Launch launch_;
  bool names_nodes_ = false;
  size_t seen_ = 0;
};

}  // namespace

std::vector<Launch> launches_of_yaml(std::string_view text) {
  std::vector<Launch> launches;
  try {  // yaml-cpp throws on what it can not read
    for (const YAML::Node& root : YAML::LoadAll(std::string(text)))
      if (Launch launch = Document().read(root); launch.range.known()) launches.push_back(std::move(launch));
  } catch (const YAML::Exception&) {
    launches.clear();
  }
  return launches;
}

}  // namespace ranklint::launchers
