package dev.millrace.exchange.flink.rows;

import dev.millrace.exchange.feedback.ReplicaLink;
import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.source.StoppingOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Hands answers that came from another process over to the replica of the same number. */
public final class RowAnswerOperator extends StoppingOperator<Void>
    implements OneInputStreamOperator<AddressedAnswer, Void> {

  @Override
  public void processElement(StreamRecord<AddressedAnswer> element) {
    ReplicaLink link = ReplicaLinks.find(element.getValue().home());
    if (link != null) {
      link.mail().offer(element.getValue().answer());
    }
  }
}
