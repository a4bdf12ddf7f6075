// A sound checkpoint of two files with an index or a manifest, damaged in any way: two ranks load it by every strategy,
// and either all get every tensor with the same bits, or all get the same error. No rank is left waiting, and the
// strategies do not disagree about what is sound.
//
// The input is a list of edits, one a line; a file is 0 (the index), 1, 2 or 3 (the manifest). What is no edit is
// passed over.
//
//     manifest                 of the sound files; without this line there is none, and the index is what is opened
//     cut FILE BYTES           the file ends there
//     put FILE AT TEXT         written over what is there, or after it
//     insert FILE AT TEXT
//     change FILE OLD NEW      where OLD first occurs; neither holds a space
//     remove FILE
//     swap FILE FILE
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/fingerprint.h"
#include "runtime/group/world.h"
#include "runtime/loader/load.h"
#include "runtime/loader/manifest.h"
#include "runtime/loader/writer.h"

namespace {

using namespace ranklint::runtime;

constexpr int kRanks = 2;
constexpr size_t kLargestFile = 4096;
constexpr std::array kNames = {"model.safetensors.index.json", "a.safetensors", "b.safetensors", kManifestName};
constexpr std::array kStrategies = {LoadStrategy::RankZeroReads, LoadStrategy::EveryRankReads,
                                    LoadStrategy::EachReadsItsShard};

using Files = std::array<std::optional<std::string>, kNames.size()>;

void require(bool holds) {
  if (!holds) std::abort();
}

std::string with_prologue(const std::vector<NamedBytes>& tensors) {
  const Result<Prologue> prologue = prologue_of(tensors, {}, "fuzz");
  require(prologue.has_value());
  std::string file = prologue->bytes;
  for (const size_t i : prologue->order)
    file.append(reinterpret_cast<const char*>(tensors[i].bytes.data()), tensors[i].bytes.size());
  return file;
}

Files sound_files() {
  const Tensor w = Tensor::arange(12).reshape({4, 3}), norm = Tensor::arange(5, DType::BF16),
               none = Tensor::zeros({0, 2});
  return {
      R"({"metadata":{"total_size":58},"weight_map":{"none":"b.safetensors","norm":"a.safetensors","w":"b.safetensors"}})",
      with_prologue({named_bytes("norm", norm)}),
      with_prologue({named_bytes("w", w), named_bytes("none", none)}),
      {}};
}

// As the file's opening has it.
ManifestFile described(const std::string& file) {
  const Result<uint64_t> header_bytes =
      header_size(std::as_bytes(std::span(file)).first<kLengthBytes>(), file.size(), "fuzz");
  require(header_bytes.has_value());
  return {file.size(),
          Fingerprint().add(std::string_view(file).substr(kLengthBytes, *header_bytes)).add(file.size()).value()};
}

// Without white space, so that an edit can change any of it.
std::string sound_manifest() {
  const Files files = sound_files();
  Manifest manifest;
  for (const size_t i : {1, 2}) manifest.files[kNames[i]] = described(*files[i]);
  manifest.tensors["w"] = {StoredType::F32, {4, 3}, {{kNames[2], whole_of({4, 3})}}};
  manifest.tensors["norm"] = {StoredType::BF16, {5}, {{kNames[1], whole_of({5})}}};
  manifest.tensors["none"] = {StoredType::F32, {0, 2}, {}};
  std::string json = to_json(manifest);
  std::erase_if(json, [](char c) { return c == ' ' || c == '\n'; });
  return json;
}

std::vector<Wanted> wanted_by(int rank) {
  return {{.name = "w", .shape = {4, 3}, .part = Box{{0, rank}, {4, 2}}},
          {.name = "norm", .shape = {5}, .dtype = DType::BF16},
          {.name = "none", .shape = {0, 2}}};
}

void edit(Files& files, const std::string& line) {
  std::istringstream words(line);
  std::string what;
  size_t index = kNames.size(), number = 0;
  words >> what;
  if (what == "manifest") files[3] = sound_manifest();
  if (!(words >> index) || index >= files.size() || !files[index]) return;
  std::string& file = *files[index];
  if (what == "remove") return files[index].reset();
  if (what == "change") {
    std::string old_text, new_text;
    words >> old_text >> new_text;
    if (const size_t at = file.find(old_text); !old_text.empty() && at != std::string::npos)
      file.replace(at, old_text.size(), new_text);
    return;
  }
  if (!(words >> number)) return;
  if (what == "swap" && number < files.size()) return files[index].swap(files[number]);
  number = std::min(number, file.size());
  if (what == "cut") file.resize(number);
  std::string text;
  std::getline(words, text);
  if (!text.empty()) text.erase(0, 1);  // the space before it
  if (what == "put") file.replace(number, std::min(text.size(), file.size() - number), text);
  if (what == "insert" && file.size() < kLargestFile) file.insert(number, text);
}

Files damaged(const std::string& edits) {
  Files files = sound_files();
  std::istringstream lines(edits);
  for (std::string line; std::getline(lines, line);) edit(files, line);
  return files;
}

// A folder that goes when it is done with.
struct Folder {
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ranklint_fuzz_XXXXXX").string();
    require(::mkdtemp(pattern.data()) != nullptr);
    path = pattern;
  }
  Folder(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
  void write(const Files& files) const {
    for (size_t i = 0; i < files.size(); ++i)
      if (files[i]) std::ofstream(path / kNames[i], std::ios::binary) << *files[i];
  }
  std::filesystem::path path;
};

using Outcome = std::optional<Result<Loaded>>;

std::array<Outcome, kRanks> load_by(LoadStrategy strategy, ReadMode mode, const std::string& path) {
  std::array<Outcome, kRanks> outcomes;
  const WorldReport report = run_world(kRanks, [&](RankContext& context) {
    const LoadOptions options{.open = {.read = {.mode = mode}}, .buffer_bytes = 16};
    outcomes[static_cast<size_t>(context.rank())] =
        load(context.world(), path, wanted_by(context.rank()), strategy, options);
  });
  require(report.ok());
  return outcomes;
}

bool same(const Loaded& a, const Loaded& b) {
  return std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first && x.second.bit_equal(y.second); });
}

void check_alike(const std::array<Outcome, kRanks>& outcomes, const std::array<Outcome, kRanks>& first) {
  for (size_t rank = 0; rank < kRanks; ++rank) {
    const Result<Loaded>&each = *outcomes[rank], &reference = *first[rank];
    require(each.has_value() == outcomes[0]->has_value() && each.has_value() == reference.has_value());
    if (each)
      require(each->tensors.size() == 3 && same(*each, *reference));
    else
      require(each.error().message == outcomes[0]->error().message &&
              each.error().message == reference.error().message);
  }
}

// What is damaged is sound before: else every damage would be refused for the same reason.
bool loads(const std::string& input) {
  const Folder folder;
  folder.write(damaged(input));
  return load_by(kStrategies[0], ReadMode::Mmap, folder.path.string())[0]->has_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const bool sound = loads("") && loads("manifest");
  require(sound);
  const Folder folder;
  folder.write(damaged({reinterpret_cast<const char*>(data), size}));
  const std::array<Outcome, kRanks> first = load_by(kStrategies[0], ReadMode::Mmap, folder.path.string());
  for (const LoadStrategy strategy : kStrategies)
    for (const ReadMode mode : {ReadMode::Mmap, ReadMode::Pread})
      check_alike(load_by(strategy, mode, folder.path.string()), first);
  return 0;
}
