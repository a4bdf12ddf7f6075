// Python and C++ are alike but for words: one writer, and a table of the words of each.
#include "tests/random_programs/emit.h"
#include "tests/random_programs/execute.h"

namespace ranklint::random_programs {
namespace {

class Writer {
 public:
  enum class Words : uint8_t { Megatron, DeviceMesh, Mpi };

  explicit Writer(Words words) : python_(words != Words::Mpi), mesh_(words == Words::DeviceMesh) {}

  std::string run(const Program& program) {
    text_ = python_ ? "import time\n\nimport torch\nimport torch.distributed as dist\n"
                    : "#include <ctime>\n#include <mpi.h>\n";
    if (python_)
      text_ += mesh_ ? "from torch.distributed.device_mesh import DeviceMesh\n"
                     : "from megatron.core import parallel_state as mpu\n";
    if (python_) text_ += "\nx = torch.zeros(4)\n";
    // C++ wants a function before its callers.
    for (size_t i = 0; i < program.functions.size(); ++i) {
      const size_t f = python_ ? i : program.functions.size() - 1 - i;
      function(program.functions[f], std::to_string(f));
    }
    return std::move(text_);
  }

 private:
  void line(int depth, const std::string& words) {
    text_ += std::string(static_cast<size_t>(depth) * 4, ' ') + words + "\n";
  }

  void function(const std::vector<Statement>& body, const std::string& number) {
    if (python_) {
      text_ += "\n\ndef f" + number + "(u0, u1, n0, p, g" + (mesh_ ? ", mesh: DeviceMesh" : "") + "):\n";
      line(1, "rank, world_size = dist.get_rank(), dist.get_world_size()");
      for (const std::string axis : {"tp", "dp"}) {
        const std::string prefix = std::string("mpu.get_") + (axis == "tp" ? "tensor_model" : "data") + "_parallel_",
                          quoted = "\"" + axis + "\"";
        line(1, axis + ", " + axis + "_rank, " + axis + "_size = " +
                    (mesh_ ? "mesh.get_group(" + quoted + "), mesh.get_local_rank(" + quoted + "), mesh[" + quoted +
                                 "].size()"
                           : prefix + "group(), " + prefix + "rank(), " + prefix + "world_size()"));
      }
      if (body.empty()) line(1, "pass");
      return block(body, 1);
    }
    text_ +=
        "\nvoid f" + number + "(bool u0, bool u1, int n0, bool p, float* x, MPI_Comm tp, MPI_Comm dp, MPI_Comm g) {\n";
    line(1, "int rank, world_size, tp_rank, tp_size, dp_rank, dp_size;");
    for (const auto& [comm, prefix] :
         {std::pair{"MPI_COMM_WORLD", ""}, std::pair{"tp", "tp_"}, std::pair{"dp", "dp_"}}) {
      line(1, std::string("MPI_Comm_rank(") + comm + ", &" + prefix + "rank);");
      line(1, std::string("MPI_Comm_size(") + comm + ", &" + (*prefix ? prefix : "world_") + "size);");
    }
    line(1, "float in[4] = {}, out[4] = {};");
    block(body, 1);
    text_ += "}\n";
  }

  void block(const std::vector<Statement>& statements, int depth) {
    for (const Statement& s : statements) statement(s, depth);
  }

  void statement(const Statement& s, int depth) {
    switch (s.kind) {
      case Statement::Kind::Collective: return line(depth, python_ ? python_call(s) : mpi_call(s));
      case Statement::Kind::If:
        open(depth, "if", condition(s.condition));
        block(s.body, depth + 1);
        if (!s.otherwise.empty()) {
          line(depth, python_ ? "else:" : "} else {");
          block(s.otherwise, depth + 1);
        }
        return close(depth);
      case Statement::Kind::Repeat:
        if (s.times == Statement::Times::Others)
          line(depth,
               python_ ? "for other in range(1, world_size):" : "for (int other = 1; other < world_size; ++other) {");
        else
          line(depth, python_ ? "for i in range(" + times(s) + "):" : "for (int i = 0; i < " + times(s) + "; ++i) {");
        block(s.body, depth + 1);
        return close(depth);
      case Statement::Kind::Return: return line(depth, python_ ? "return" : "return;");
      case Statement::Kind::Break: return line(depth, python_ ? "break" : "break;");
      case Statement::Kind::Continue: return line(depth, python_ ? "continue" : "continue;");
      case Statement::Kind::Call:
        return line(depth, "f" + std::to_string(s.callee) + "(u0, u1, n0, " + condition(s.condition) +
                               (python_ ? "" : ", x, tp, dp") + ", " + group(s.axis) + (mesh_ ? ", mesh" : "") +
                               (python_ ? ")" : ");"));
      case Statement::Kind::Raise: return line(depth, python_ ? "raise ValueError" : "throw 1;");
      case Statement::Kind::Try:
        line(depth, python_ ? "try:" : "try {");
        block(s.body, depth + 1);
        line(depth, python_ ? "except ValueError:" : "} catch (int) {");
        if (python_ && s.otherwise.empty()) line(depth + 1, "pass");
        block(s.otherwise, depth + 1);
        return close(depth);
      case Statement::Kind::Transfer:
        return line(depth, python_ ? std::string(s.sends ? "dist.send" : "dist.recv") + given(s)
                                   : mpi_transfer(s.sends, s.peer, s.tag, {}));
      case Statement::Kind::Started: return started(s, depth);
      case Statement::Kind::Batch: return batch(s, depth);
    }
  }

  static std::string given(const Statement& s) {
    return "(x, " + rank_of(s.peer, true) + (s.tag ? ", tag=" + std::to_string(s.tag) : "") + ")";
  }

  void started(const Statement& s, int depth) {
    const std::string request = "r" + std::to_string(requests_++);
    if (python_) {
      line(depth, request + " = dist." + (s.sends ? "isend" : "irecv") + given(s));
      block(s.body, depth);
      return ends_here(s.body) ? void() : line(depth, request + ".wait()");
    }
    line(depth, "MPI_Request " + request + ";");
    line(depth, mpi_transfer(s.sends, s.peer, s.tag, request));
    block(s.body, depth);
    if (!ends_here(s.body)) line(depth, "MPI_Wait(&" + request + ", MPI_STATUS_IGNORE);");
  }

  void batch(const Statement& s, int depth) {
    const Peer& first = s.sends ? s.peer : s.from;
    const Peer& second = s.sends ? s.from : s.peer;
    if (!python_) {
      const std::string requests = "r" + std::to_string(requests_++);
      line(depth, "MPI_Request " + requests + "[2];");
      line(depth, mpi_transfer(s.sends, first, 0, requests + "[0]"));
      line(depth, mpi_transfer(!s.sends, second, 0, requests + "[1]"));
      return line(depth, "MPI_Waitall(2, " + requests + ", MPI_STATUSES_IGNORE);");
    }
    const auto part = [](bool sends, const Peer& peer) {
      return std::string("dist.P2POp(dist.") + (sends ? "isend" : "irecv") + ", x, " + rank_of(peer, true) + ")";
    };
    line(depth, "for work in dist.batch_isend_irecv([" + part(s.sends, first) + ", " + part(!s.sends, second) + "]):");
    line(depth + 1, "work.wait()");
  }

  // What follows it is never reached.
  static bool ends_here(const std::vector<Statement>& block) {
    if (block.empty()) return false;
    const Statement& s = block.back();
    return leaves(s.kind) || (s.kind == Statement::Kind::Started && ends_here(s.body));
  }

  // Two buffers: what is sent is not what is received into.
  static std::string mpi_transfer(bool sends, const Peer& peer, int tag, const std::string& request) {
    std::string call = std::string("MPI_") + (request.empty() ? "" : "I") +
                       (sends             ? request.empty() ? "Send" : "send"
                        : request.empty() ? "Recv"
                                          : "recv");
    call += std::string("(") + (sends ? "out" : "in") + ", 1, MPI_FLOAT, " + rank_of(peer, false) + ", " +
            std::to_string(tag) + ", MPI_COMM_WORLD";
    if (request.empty()) return call + (sends ? ");" : ", MPI_STATUS_IGNORE);");
    return call + ", &" + request + ");";
  }

  static std::string rank_of(const Peer& peer, bool python) {
    switch (peer.kind) {
      case Peer::Kind::Number: return std::to_string(peer.number);
      case Peer::Kind::Next: return "(rank + 1) % world_size";
      case Peer::Kind::Previous: return python ? "(rank - 1) % world_size" : "(rank + world_size - 1) % world_size";
      case Peer::Kind::Above: return "rank + 1";
      case Peer::Kind::Below: return "rank - 1";
      case Peer::Kind::Mirror: return "world_size - 1 - rank";
      case Peer::Kind::Other: return "other";
    }
    return {};
  }

  void open(int depth, const std::string& word, const std::string& asked) {
    line(depth, python_ ? word + " " + asked + ":" : word + " (" + asked + ") {");
  }
  void close(int depth) {
    if (!python_) line(depth, "}");
  }

  static std::string times(const Statement& s) {
    return s.times == Statement::Times::Unknown ? "n0" : s.times == Statement::Times::Two ? "2" : rank(s.axis);
  }
  static std::string rank(Axis axis) { return axis == Axis::World ? "rank" : axis == Axis::Tp ? "tp_rank" : "dp_rank"; }
  static std::string size(Axis axis) {
    return axis == Axis::World ? "world_size" : axis == Axis::Tp ? "tp_size" : "dp_size";
  }

  std::string group(Axis axis) const {
    switch (axis) {
      case Axis::World: return python_ ? "dist.group.WORLD" : "MPI_COMM_WORLD";
      case Axis::Tp: return "tp";
      case Axis::Dp: return "dp";
      case Axis::Handed: return "g";
    }
    return {};
  }

  std::string python_call(const Statement& s) const {
    const std::string on = s.axis == Axis::World ? "" : "group=" + group(s.axis);
    if (s.op == Op::Barrier) return "dist.barrier(" + on + ")";
    return (s.op == Op::AllReduce ? "dist.all_reduce(p" : "dist.all_gather(u0, u1") + (on.empty() ? "" : ", " + on) +
           ")";
  }

  std::string mpi_call(const Statement& s) const {
    const std::string comm = group(s.axis);
    if (s.op == Op::Barrier) return "MPI_Barrier(" + comm + ");";
    if (s.op == Op::AllReduce) return "MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_FLOAT, MPI_SUM, " + comm + ");";
    return "MPI_Allgather(x, 1, MPI_FLOAT, x + 1, 1, MPI_FLOAT, " + comm + ");";
  }

  std::string condition(const Condition& c) const {
    const std::string number = std::to_string(c.number);
    switch (c.kind) {
      case Condition::Kind::Flag: return "u" + number;
      case Condition::Kind::Equals: return rank(c.axis) + " == " + number;
      case Condition::Kind::Less: return rank(c.axis) + " < " + number;
      case Condition::Kind::Even: return rank(c.axis) + " % 2 == 0";
      case Condition::Kind::Last: return rank(c.axis) + " == " + size(c.axis) + " - 1";
      case Condition::Kind::Local: return python_ ? "time.time() > 3" : "time(nullptr) > 3";
      case Condition::Kind::Parameter: return "p";
      case Condition::Kind::Not: return (python_ ? "not (" : "!(") + condition(c.parts[0]) + ")";
      case Condition::Kind::And:
        return "(" + condition(c.parts[0]) + ")" + (python_ ? " and " : " && ") + "(" + condition(c.parts[1]) + ")";
      case Condition::Kind::Or:
        return "(" + condition(c.parts[0]) + ")" + (python_ ? " or " : " || ") + "(" + condition(c.parts[1]) + ")";
    }
    return {};
  }

  const bool python_, mesh_;
  int requests_ = 0;
  std::string text_;
};

}  // namespace

std::string as_python(const Program& program) { return Writer(Writer::Words::Megatron).run(program); }
std::string as_python_on_mesh(const Program& program) { return Writer(Writer::Words::DeviceMesh).run(program); }
std::string as_cpp(const Program& program) { return Writer(Writer::Words::Mpi).run(program); }

std::string as_cpp_program(const Program& program, const Hang& choices) {
  const auto word = [](bool holds) { return std::string(holds ? "true" : "false"); };
  return as_cpp(program) +
         "\nint main(int argc, char** argv) {\n    MPI_Init(&argc, &argv);\n    float x[64] = {};\n    f0(" +
         word(choices.flags[0]) + ", " + word(choices.flags[1]) + ", " + std::to_string(choices.rounds) +
         ", false, x, MPI_COMM_WORLD, MPI_COMM_WORLD, MPI_COMM_WORLD);\n    MPI_Finalize();\n}\n";
}

}  // namespace ranklint::random_programs
