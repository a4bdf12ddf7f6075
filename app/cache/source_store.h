// Files as they were lowered, kept from run to run.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/cache/module_packing.h"
#include "app/cache/store.h"
#include "app/files/observed_files.h"

namespace ranklint::app {

// May be asked from several threads at once.
class SourceStore {
 public:
  // `about`: what all of them depend on. What is seen of the machine counts as seen by `files`. `others` are
  // only looked into.
  SourceStore(Store store, std::vector<Store> others, const Digest& about, std::shared_ptr<ObservedFiles> files)
      : store_(std::move(store)), others_(std::move(others)), about_(about), files_(std::move(files)) {}

  // `key` stands for the bytes and all that the frontend was handed. Nothing: it was not kept, or the machine shows
  // something else by now.
  std::optional<LoweredSource> find(const Digest& key) const;
  // What another time may come out otherwise is not kept.
  void keep(const Digest& key, const KeptSource& kept) const;

 private:
  Digest key_of(const Digest& key) const { return Digester().add(about_).add(key).digest(); }
  std::optional<LoweredSource> find_in(const Store& store, const Digest& key) const;

  Store store_;
  std::vector<Store> others_;
  Digest about_;
  std::shared_ptr<ObservedFiles> files_;
};

}  // namespace ranklint::app
