// A client of the language server in the same process: sends a message, waits for the next that comes.
#pragma once

#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <sstream>
#include <string>
#include <thread>

#include "app/check/engine.h"
#include "app/lsp/json.h"

namespace ranklint::test {

using app::lsp::Json;

// What many files of the tests begin with, and one with a hazard.
inline constexpr const char* kImport = "import torch.distributed as dist\n";
inline constexpr const char* kGuarded =
    "import torch.distributed as dist\nif dist.get_rank() == 0:\n    dist.barrier()\n";

// Reads no file before it is allowed to; with a path, not the file of this one.
app::Engine engine_that_waits(std::promise<void>& may_read, const std::string& path = "");

class Session {
 public:
  explicit Session(const std::string& root);
  Session(const std::string& root, app::Engine engine);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  void send(const Json& message);
  void send_bytes(const std::string& bytes);
  void notify(const std::string& method, Json params);
  // Sends a request and gives its answer; what comes before it is put by, for `next` and `diagnostics`.
  Json request(const std::string& method, Json params);
  // Waits until the server has checked everything it has received.
  void settle();
  // The next message, at most 60 s later; null: none came.
  Json next();
  // The next of this method among the messages that were put by; null: there is none.
  Json next_of(const std::string& method);
  // The diagnostics that are published next; null: none are.
  Json next_published();
  size_t put_by() const { return put_by_.size(); }
  // initialize and initialized, with the folder as root.
  Json start(Json capabilities = Json::object(), Json options = Json::object());
  // What the server has published last of a file that is `path` in the folder.
  Json diagnostics(const std::string& path) const;
  std::string uri(const std::string& path) const;
  void open(const std::string& path, const std::string& text);
  // What is said of a place in the file `train.py`.
  Json hover(int line, int character);
  // Ends the input and waits for the server; its exit status.
  int finish();

 private:
  class Output;
  Json wait();
  Json received();

  std::string root_;
  app::Engine engine_;
  std::unique_ptr<Output> output_;
  std::ostream out_;
  std::ostringstream err_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string input_;
  bool ended_ = false;
  std::deque<Json> incoming_, put_by_;
  std::map<std::string, Json> published_;
  int64_t next_id_ = 1000;
  int status_ = -1;
  std::thread server_;
};

}  // namespace ranklint::test
