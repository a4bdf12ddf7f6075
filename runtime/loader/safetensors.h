// A safetensors file, opened: its header has been read and checked (header.h), its tensors are read on demand.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/loader/box.h"
#include "runtime/loader/header.h"
#include "runtime/loader/input_file.h"

namespace ranklint::runtime {

struct OpenOptions {
  ReadOptions read = {};
  HeaderLimits limits = {};
};

class SafeTensors {
 public:
  static Result<SafeTensors> open(const std::string& path, const OpenOptions& options = {});

  const std::string& path() const { return file_.path(); }
  const std::vector<TensorInfo>& tensors() const { return header_.tensors; }  // as they lie in the file
  const Metadata& metadata() const { return header_.metadata; }
  const TensorInfo* find(std::string_view name) const;
  // Of the header's bytes and the file's size: what ranks compare to know that they read the same file.
  uint64_t fingerprint() const { return fingerprint_; }

  Result<Tensor> read(std::string_view name) const;
  Result<Tensor> read(std::string_view name, const Box& part) const;  // only what `part` covers
  // Into `out`, which holds `destination` (row-major): the elements of `part`, which lies in both boxes. `stored` says
  // which elements of a larger tensor the file's one is; they are whole_of(info.shape) for an ordinary file.
  Status read_into(const TensorInfo& info, const Box& stored, const Box& part, const Box& destination,
                   std::byte* out) const;
  // Of any type, those of less than a byte included: the tensor's bytes as they are.
  Result<std::vector<std::byte>> read_bytes(std::string_view name) const;

  // Memory that `read_into` takes for itself.
  uint64_t scratch_bytes_for(const TensorInfo& info, const Box& stored, const Box& part, const Box& destination) const;

 private:
  Result<const TensorInfo*> require(std::string_view name) const;
  Status named(Status status, const TensorInfo& info) const;

  InputFile file_;
  Header header_;
  std::vector<uint32_t> by_name_;
  uint64_t data_offset_ = 0;
  uint64_t fingerprint_ = 0;
};

}  // namespace ranklint::runtime
