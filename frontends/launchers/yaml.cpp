#include "frontends/launchers/yaml.h"

#include <yaml-cpp/yaml.h>

#include "analyzer/base/whole_number.h"

namespace ranklint::launchers {
namespace {

constexpr int kDeepest = 24;
constexpr size_t kMostNodes = 20000;  // aliases make a small file a large tree

class Document {
 public:
  Launch read(const YAML::Node& root) {
    launch_.nodes = std::nullopt;
    visit(root, 0);
    if (!launch_.nodes && !names_nodes_ && !is_based_on_other(root)) launch_.nodes = 1;
    return std::move(launch_);
  }

 private:
  // `defaults: ./base.yaml`: what is not here may stand there.
  static bool is_based_on_other(const YAML::Node& root) { return root.IsMap() && root["defaults"]; }

  // `enabled: false`: the degrees in the section are not in use. How many nodes it speaks of may be said for another
  // one.
  static bool is_switched_off(const YAML::Node& section) {
    const YAML::Node enabled = section["enabled"];
    bool on = true;
    return enabled && enabled.IsScalar() && YAML::convert<bool>::decode(enabled, on) && !on;
  }

  void visit(const YAML::Node& node, int depth, bool off = false) {
    if (depth > kDeepest || ++seen_ > kMostNodes) return;
    if (node.IsSequence())
      for (const YAML::Node& item : node) visit(item, depth + 1, off);
    if (!node.IsMap()) return;
    off |= is_switched_off(node);
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) continue;
      if (entry.second.IsScalar())
        take(entry.first, entry.second, off);
      else
        visit(entry.second, depth + 1, off);
    }
  }

  // `use_deepspeed: true`, `distributed_type: FSDP`
  void take_chosen(const std::string& name, const YAML::Node& value) {
    bool on = false;
    if (!YAML::convert<bool>::decode(value, on))
      launch_.chosen.push_back(value.Scalar());
    else if (on)
      launch_.chosen.push_back(name);
  }

  // Two parts of a job may have numbers of their own: then it is not known whose the degrees are.
  static void count(std::optional<int64_t>& number, bool& is_named, std::optional<int64_t> n) {
    number = is_named && number != n ? std::nullopt : n;
    is_named = true;
  }

  void take(const YAML::Node& key, const YAML::Node& value, bool off) {
    const std::string name = setting_name(key.Scalar());
    const std::optional<int64_t> n = whole_number(value.Scalar());
    const auto line = static_cast<uint32_t>(key.Mark().line + 1), column = static_cast<uint32_t>(key.Mark().column + 1);
    const SourceRange range{line, column, line, column + static_cast<uint32_t>(key.Scalar().size())};
    if (name == "num_processes")
      launch_.total = n;
    else if (name == "n_gpus_per_node" || name == "gpus_per_node" || name == "nproc_per_node")
      count(launch_.per_node, names_processes_, n);
    else if (name == "nnodes" || name == "num_nodes")
      count(launch_.nodes, names_nodes_, n);
    else if (n && !off)
      return launch_.settings.push_back({name, *n, range});
    else if (!n && !off)
      return take_chosen(name, value);
    else
      return;
    if (!launch_.range.known()) launch_.range = range;
  }

  Launch launch_;
  bool names_nodes_ = false, names_processes_ = false;
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
