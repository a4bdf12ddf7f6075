// Point-to-point messages of a ProcessWorld.
#include <algorithm>

#include "runtime/mpi/process_world.h"

namespace ranklint::runtime {

namespace {

std::shared_ptr<size_t> counted(const std::shared_ptr<Message>& message) { return {message, &message->open}; }

std::shared_ptr<Message> taken(std::vector<std::shared_ptr<Message>>& messages, uint64_t id) {
  const auto found = std::find_if(messages.begin(), messages.end(), [id](const auto& each) { return each->id == id; });
  if (found == messages.end()) return nullptr;
  std::shared_ptr<Message> message = *found;
  messages.erase(found);
  return message;
}

}  // namespace

std::shared_ptr<Message> ProcessWorld::post_message(ProcessGroupState& group, const Call& call) {
  throw_if_ended();
  auto message = std::make_shared<Message>();
  message->id = ++group.box.last_id;
  message->facts = std::make_shared<Transfer>(group.member, call, ++group.messages);
  Transfer& facts = *message->facts;
  facts.tensor = message->is_send() ? call.in.front() : call.out.front();  // bulk may outlive a call that has thrown
  facts.record = recorder_.begin(group.info.id, facts.sequence, call, group.info.global_rank(call.root));
  if (!message->is_send()) {
    std::shared_ptr<Message> receive = message;
    if (const std::optional<ArrivedSend> send = group.box.queue.answer(receive)) meet(group, *send, message);
    return message;
  }
  message->ran_ahead = options_.mode == Mode::Relaxed && facts.size_bytes <= options_.eager_bytes;
  ByteWriter out;
  out.put(Kind::Send);
  out.put(group.info.id);
  out.put(message->id);
  encode(out, facts.signature);
  out.put(facts.sequence);
  out.put(message->ran_ahead);
  if (message->ran_ahead) {
    out.put_bytes(facts.data, facts.size_bytes);
    facts.met.store(Transfer::Met::Fits);
  } else {
    group.box.under_way.push_back(message);
  }
  send_about_calls(group.info.global_rank(facts.to), out.take());
  return message;
}

void ProcessWorld::take_send(ProcessGroupState& group, int member, ByteReader& in) {
  ArrivedSend send;
  send.id = in.get<uint64_t>();
  send.facts = std::make_shared<Transfer>();
  send.facts->signature = decode_signature(in, names_);
  send.facts->sequence = in.get<uint64_t>();
  send.facts->from = member;
  send.facts->to = group.member;
  send.ran_ahead = in.get<bool>();
  send.bytes.assign(in.rest().begin(), in.rest().end());
  if (const std::optional<std::shared_ptr<Message>> receive = group.box.queue.meet(send)) meet(group, send, *receive);
}

void ProcessWorld::meet(ProcessGroupState& group, const ArrivedSend& send, const std::shared_ptr<Message>& receive) {
  Transfer& facts = *receive->facts;
  if (!transfer_difference(send.facts->signature, facts.signature).empty()) {
    facts.met.store(Transfer::Met::Disputed);
    note({.group = &group.info, .entry = nullptr, .send = send.facts, .recv = receive->facts});
    return;
  }
  facts.met.store(Transfer::Met::Fits);
  if (send.ran_ahead) {
    facts.tensor.assign(send.bytes);
    receive->announced = true;
    return;
  }
  if (leaving_) return;
  group.box.under_way.push_back(receive);
  ByteWriter out;
  out.put(Kind::Fetch);
  out.put(group.info.id);
  out.put(send.id);
  out.put(receive->id);
  send_about_calls(group.info.global_rank(send.facts->from), out.take());
}

void ProcessWorld::take_fetch(ProcessGroupState& group, int from, ByteReader& in) {
  const std::shared_ptr<Message> send = taken(group.box.under_way, in.get<uint64_t>());
  if (!send || leaving_) return;
  send->facts->met.store(Transfer::Met::Fits);
  ByteWriter out;
  out.put(Kind::MessageBulk);
  out.put(group.info.id);
  out.put(in.get<uint64_t>());
  send_about_calls(from, out.take());
  wire_.give(from, send->facts->data, send->facts->size_bytes, counted(send));
}

void ProcessWorld::take_message_bulk(ProcessGroupState& group, int from, ByteReader& in) {
  const std::shared_ptr<Message> receive = taken(group.box.under_way, in.get<uint64_t>());
  if (!receive) return;
  receive->announced = true;
  wire_.take(from, receive->facts->data, receive->facts->size_bytes, counted(receive));
}

}  // namespace ranklint::runtime
