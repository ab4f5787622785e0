package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.feedback.ReplicaLink;
import dev.millrace.exchange.hook.HookMessage;
import dev.millrace.exchange.hook.HookPort;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/** The hooks' way out of a replica's operator. Belongs to its thread. */
final class HookSender implements HookPort {

  private final Map<String, OutputTag<HookMessage>> tags = new HashMap<>();
  private Output<?> output;
  private ReplicaLink link;

  /** Hooks send only once the operator is open. */
  void open(Output<?> newOutput, ReplicaLink newLink) {
    output = newOutput;
    link = newLink;
  }

  @Override
  public void send(HookMessage message) {
    output.collect(
        tags.computeIfAbsent(message.hook(), HookSender::tag), new StreamRecord<>(message));
  }

  /** Flink knows outputs by their names; whoever takes it says which type it has. */
  private static OutputTag<HookMessage> tag(String hook) {
    return ReplicaOutputs.hook(hook, TypeInformation.of(HookMessage.class));
  }

  @Override
  public String home() {
    return link.home();
  }
}
