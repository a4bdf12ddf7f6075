#include "runtime/loader/manifest.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "runtime/loader/attempt.h"
#include "runtime/loader/header.h"
#include "runtime/loader/json_text.h"
#include "runtime/loader/shard_index.h"
#include "runtime/loader/text.h"

namespace ranklint::runtime {

using nlohmann::json;

static constexpr std::string_view kFormat = "ranklint-checkpoint";
static constexpr size_t kMostChunks = 10'000;
// Of two chunks, for each chunk of a tensor. Five thousand chunks stay below it however they lie, and kMostChunks where
// they are a grid, whose best line has at most half of them on a place.
static constexpr uint64_t kMostComparisonsPerChunk = 2500;

static std::string hexadecimal(uint64_t number) {
  std::string text(16, '0');
  for (size_t i = 16; i-- > 0; number >>= 4) text[i] = "0123456789abcdef"[number & 15];
  return text;
}

std::string to_json(const Manifest& manifest) {
  json document = {{"format", kFormat}, {"version", 1}, {"generation", manifest.generation}};
  document["files"] = json::object();
  for (const auto& [name, file] : manifest.files)
    document["files"][name] = {{"size_bytes", file.size_bytes}, {"fingerprint", hexadecimal(file.fingerprint)}};
  document["tensors"] = json::object();
  for (const auto& [name, tensor] : manifest.tensors) {
    json chunks = json::array();
    for (const ManifestChunk& chunk : tensor.chunks)
      chunks.push_back({{"file", chunk.file}, {"offsets", chunk.box.offsets}, {"sizes", chunk.box.sizes}});
    document["tensors"][name] = {
        {"dtype", name_of(tensor.type)}, {"shape", tensor.shape}, {"chunks", std::move(chunks)}};
  }
  return document.dump(1) + "\n";
}

namespace {

// Boxes by where they begin along one dimension, and how many pairs of them meet along it.
struct Line {
  size_t dimension = 0;
  std::vector<const Box*> boxes;
  uint64_t pairs = 0;
};

int64_t begin_of(const Box& box, size_t dimension) { return box.offsets[dimension]; }
int64_t end_of(const Box& box, size_t dimension) { return box.offsets[dimension] + box.sizes[dimension]; }

// One behind the last box of the line that begins before box `i` ends.
size_t end_of_meetings(const Line& line, size_t i) {
  const int64_t end = end_of(*line.boxes[i], line.dimension);
  const auto behind = std::partition_point(line.boxes.begin() + static_cast<std::ptrdiff_t>(i) + 1, line.boxes.end(),
                                           [&](const Box* box) { return begin_of(*box, line.dimension) < end; });
  return static_cast<size_t>(behind - line.boxes.begin());
}

Line line_along(size_t dimension, std::vector<const Box*> boxes) {
  Line line{dimension, std::move(boxes)};
  std::stable_sort(line.boxes.begin(), line.boxes.end(),
                   [&](const Box* a, const Box* b) { return begin_of(*a, dimension) < begin_of(*b, dimension); });
  for (size_t i = 0; i < line.boxes.size(); ++i) line.pairs += end_of_meetings(line, i) - i - 1;
  return line;
}

// Along the dimension in which the fewest pairs meet. Columns, which all meet along the first, are told apart at once.
Line best_line(size_t dimensions, const std::vector<const Box*>& boxes) {
  Line best = line_along(0, boxes);
  for (size_t d = 1; d < dimensions && best.pairs > 0; ++d)
    if (Line line = line_along(d, boxes); line.pairs < best.pairs) best = std::move(line);
  return best;
}

bool share_an_element(const Box& a, const Box& b) {
  for (size_t d = 0; d < a.sizes.size(); ++d)
    if (begin_of(a, d) >= end_of(b, d) || begin_of(b, d) >= end_of(a, d)) return false;
  return true;
}

// Of boxes that lie within one shape and are not empty.
std::string overlap_of(size_t dimensions, const std::vector<const Box*>& boxes) {
  const auto overlap = [](const Box& a, const Box& b) {
    return "chunks " + to_string(a) + " and " + to_string(b) + " overlap";
  };
  if (boxes.size() < 2) return "";
  if (dimensions == 0) return overlap(*boxes[0], *boxes[1]);
  const Line line = best_line(dimensions, boxes);
  if (line.pairs > kMostComparisonsPerChunk * boxes.size())
    return "its " + std::to_string(boxes.size()) + " chunks lie too irregularly to see whether they overlap";
  for (size_t i = 0; i < line.boxes.size(); ++i)
    for (size_t k = i + 1, end = end_of_meetings(line, i); k < end; ++k)
      if (share_an_element(*line.boxes[i], *line.boxes[k])) return overlap(*line.boxes[i], *line.boxes[k]);
  return "";
}

}  // namespace

// Volumes add up without overflow: every box lies within the shape and no two meet.
std::string flaw_of_cover(const Shape& shape, const std::vector<Box>& boxes) {
  if (boxes.size() > kMostChunks) return "has more than " + std::to_string(kMostChunks) + " chunks";
  std::vector<const Box*> filled;
  for (const Box& box : boxes) {
    if (!lies_within(box, shape)) return "chunk " + to_string(box) + " is no part of " + to_string(shape);
    if (!is_empty(box)) filled.push_back(&box);
  }
  if (std::string overlap = overlap_of(shape.size(), filled); !overlap.empty()) return overlap;
  int64_t covered = 0;
  for (const Box* box : filled) covered += numel_of(box->sizes);
  if (covered == numel_of(shape)) return "";
  return "its chunks hold " + std::to_string(covered) + " of the " + std::to_string(numel_of(shape)) + " elements of " +
         to_string(shape);
}

namespace {

// Takes a document apart. Everything that is missing or of another kind throws, and `read_manifest` makes a value of
// it.
class ManifestReader {
 public:
  ManifestReader(const json& document, std::string path) : document_(document), path_(std::move(path)) {}

  Manifest read() {
    if (document_.at("format").get<std::string>() != kFormat) refuse("is not a " + std::string(kFormat));
    if (document_.at("version").get<uint64_t>() != 1) refuse("is of a version that this reader does not know");
    manifest_.generation = unsigned_of(document_.at("generation"));
    for (const auto& [name, file] : document_.at("files").items()) add_file(name, file);
    for (const auto& [name, tensor] : document_.at("tensors").items()) add_tensor(name, tensor);
    return std::move(manifest_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw RankError(file_error(ErrorKind::Format, path_, what));
  }
  [[noreturn]] void refuse(const std::string& tensor, const std::string& what) const {
    throw RankError(tensor_error(ErrorKind::Format, path_, tensor, what));
  }

  uint64_t unsigned_of(const json& value) const {
    if (!value.is_number_unsigned()) refuse("holds a number that is not a non-negative integer");
    return value.get<uint64_t>();
  }

  Shape shape_of(const json& value) const {
    Shape shape;
    for (const json& size : value) {
      const uint64_t number = unsigned_of(size);
      if (number > static_cast<uint64_t>(INT64_MAX)) refuse("holds a size beyond 2^63 - 1");
      shape.push_back(static_cast<int64_t>(number));
    }
    return shape;
  }

  void add_file(const std::string& name, const json& file) {
    if (!is_plain_file_name(name)) refuse("file " + in_quotes(name) + " is not a plain file name");
    const std::string& text = file.at("fingerprint").get_ref<const std::string&>();
    uint64_t fingerprint = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), fingerprint, 16);
    if (failed != std::errc() || end != text.data() + text.size())
      refuse("file " + in_quotes(name) + " has no fingerprint");
    manifest_.files[name] = {unsigned_of(file.at("size_bytes")), fingerprint};
  }

  void add_tensor(const std::string& name, const json& value) {
    ManifestTensor tensor;
    const std::string& type = value.at("dtype").get_ref<const std::string&>();
    const std::optional<StoredType> known = stored_type_of(type);
    if (!known) refuse(name, "unknown dtype " + in_quotes(type));
    tensor.type = *known;
    tensor.shape = shape_of(value.at("shape"));
    if (!stored_size_bytes(tensor.type, tensor.shape))
      refuse(name, "the size of " + to_string(tensor.shape) + " overflows");
    std::vector<Box> boxes;
    for (const json& chunk : value.at("chunks")) {
      tensor.chunks.push_back(chunk_of(name, chunk));
      boxes.push_back(tensor.chunks.back().box);
    }
    if (const std::string flaw = flaw_of_cover(tensor.shape, boxes); !flaw.empty()) refuse(name, flaw);
    manifest_.tensors[name] = std::move(tensor);
  }

  ManifestChunk chunk_of(const std::string& tensor, const json& value) const {
    ManifestChunk chunk{value.at("file").get<std::string>(),
                        {shape_of(value.at("offsets")), shape_of(value.at("sizes"))}};
    if (!manifest_.files.contains(chunk.file))
      refuse(tensor, "its file " + in_quotes(chunk.file) + " is not in the list of files");
    return chunk;
  }

  const json& document_;
  std::string path_;
  Manifest manifest_;
};

}  // namespace

static Result<Manifest> manifest_in(const Result<json>& document, const std::string& path) {
  if (!document) return document.error();
  Manifest manifest;
  try {
    manifest = ManifestReader(*document, path).read();
  } catch (const json::exception&) {
    return file_error(ErrorKind::Format, path, "lacks a field, or has one of the wrong kind");
  } catch (const RankError& error) {
    return error.error();
  }
  return manifest;
}

Result<Manifest> parse_manifest(std::string_view text, const std::string& path) {
  return manifest_in(parse_json(text, path), path);
}

Result<Manifest> read_manifest(const std::string& path) { return manifest_in(read_json(path), path); }

}  // namespace ranklint::runtime
