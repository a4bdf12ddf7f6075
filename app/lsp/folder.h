// One workspace folder on the server's side: what was read of it, what is open in it, what the last check found.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lsp/checker.h"

namespace ranklint::app::lsp {

class Folder {
 public:
  // `everything`: all files below the root belong to it; else only those that are opened.
  Folder(std::string root, bool everything) : root_(std::move(root)), everything_(everything) {}

  const std::string& root() const { return root_; }
  bool everything() const { return everything_; }
  bool holds(std::string_view absolute_path) const;
  std::string shown(std::string_view absolute_path) const;
  std::string absolute(std::string_view shown_path) const;
  bool is_loaded() const { return loaded_ != nullptr; }
  const Settings* settings() const { return loaded_ ? loaded_->settings.get() : nullptr; }

  LoadJob load_job(CheckOptions options);
  // False: a later one was asked for.
  bool take(std::shared_ptr<Loaded> loaded, const std::map<std::string, Document>& open);

  // The text of an open file; null: what is on disk counts again.
  void put(const std::string& absolute_path, const Text& text);
  bool knows(const std::string& absolute_path) const;

  bool needs_check() const { return is_loaded() && revision_ != asked_; }
  CheckJob check_job();
  void take(std::shared_ptr<Outcome> outcome) { outcome_ = std::move(outcome); }
  // What the last check found; null before the first.
  const Outcome* outcome() const { return outcome_.get(); }
  // Whether that is what there is to find now.
  bool is_current() const { return is_loaded() && outcome_ && outcome_->revision == revision_; }

 private:
  bool belongs(const std::string& absolute_path) const;

  std::string root_;
  bool everything_;
  int64_t generation_ = 0;
  int64_t revision_ = 1, asked_ = 0;
  std::shared_ptr<Loaded> loaded_;
  std::map<std::string, Text> buffers_;  // by shown path
  std::shared_ptr<Outcome> outcome_;
};

}  // namespace ranklint::app::lsp
