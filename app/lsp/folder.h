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

  // What is shown until the folder has been checked. False: it has been, or a later one was asked for.
  bool take(const KnownBefore& known);
  // Whether all that there is to show of it is what looks at open files have found.
  bool needs_look() const { return everything_ && (!outcome_ || outcome_->is_first_look); }
  LookJob look_job(CheckOptions options, const Document& opened) const;
  bool take(const FirstLook& look);

  // The text of an open file; null: what is on disk counts again.
  void put(const std::string& absolute_path, const Text& text);
  // Whether everything is read again when that file changes: it says what is read and how, or is read with others.
  bool is_read_anew_with(const std::string& absolute_path) const;

  bool needs_check() const { return is_loaded() && revision_ != asked_; }
  // Whether edits are reported at once, so that no client waits for the progress of a check that goes on.
  bool tells_at_once() const { return tells_at_once_; }
  CheckJob check_job();
  // What a check has read of files that have not changed since; one that was broken off, too.
  void take_read(const Outcome& outcome);
  // The one before it, which takes a while to take apart.
  std::shared_ptr<Outcome> take(std::shared_ptr<Outcome> outcome);
  const std::map<std::string, Text>& buffers() const { return buffers_; }  // texts of open files, by shown path
  // What the last check found; null before the first.
  const Outcome* outcome() const { return outcome_.get(); }
  // Whether that is what there is to find now.
  bool is_current() const { return is_loaded() && outcome_ && outcome_->job.revision == revision_; }
  // What is shown of a file, and the text it refers to; null: the file on disk. Of a file that was edited since
  // the last check that is what was found in it as it is (incremental.h).
  std::vector<const Finding*> findings(const std::string& shown_path) const;
  Text text_reported(const std::string& shown_path) const;
  // The text of an open file at the last check.
  Text text_checked(const std::string& shown_path) const;

 private:
  struct Edited {
    Text text;
    std::vector<Finding> findings;
  };
  bool belongs(const std::string& absolute_path) const;
  bool is_as_read(const std::string& shown_path, const Text& text) const;
  void check_again(const std::string& shown_path);
  void put_included(const std::string& shown_path, const Text& text);
  bool is_reported(const std::string& shown_path) const;
  Text text_on_disk(const std::string& shown_path) const;  // empty for what cannot be read
  void read(SourceFile file);

  std::string root_;
  bool everything_;
  int64_t generation_ = 0;
  int64_t revision_ = 1, asked_ = 0;
  std::shared_ptr<Loaded> loaded_;
  std::map<std::string, Text> buffers_;       // by shown path
  std::map<std::string, UnreadFile> unread_;  // by shown path; the next check reads them
  std::shared_ptr<Outcome> outcome_;
  std::map<std::string, Edited> edited_;  // since that check, by shown path
  bool tells_at_once_ = false;
};

}  // namespace ranklint::app::lsp
