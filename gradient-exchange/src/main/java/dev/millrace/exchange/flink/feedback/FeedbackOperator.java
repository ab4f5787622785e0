package dev.millrace.exchange.flink.feedback;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.GlobalModelCopy;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.round.RoundHead;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Hands what comes from an exchange in another process over to the replicas of its own, and the
 * coordinator's heads to the replica of the same index. It must run in the same process as that
 * replica; where it doesn't, it fails with the cause.
 */
public final class FeedbackOperator extends AbstractStreamOperator<Void>
    implements TwoInputStreamOperator<Delivery, RoundHead, Void> {

  private final int blocks;
  private final Codec codec;
  private final FaultInjector faults;

  private transient GlobalModelCopy mirror;
  private transient int index;

  /**
   * @param blocks how many there are
   * @param codec of what changes in blocks; null where they come whole
   */
  public FeedbackOperator(int blocks, Codec codec, FaultInjector faults) {
    this.blocks = blocks;
    this.codec = codec;
    this.faults = faults;
  }

  @Override
  public void open() throws Exception {
    super.open();
    mirror = new GlobalModelCopy(codec, blocks);
    index = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
  }

  @Override
  public void processElement1(StreamRecord<Delivery> element) {
    faults.reach(Place.FEEDBACK_OUT, index);
    BlockUpdate update = mirror.take(element.getValue().feedback());
    for (String home : element.getValue().homes()) {
      ReplicaLink link = ReplicaLinks.find(home);
      if (link != null) {
        link.feedback().offer(update);
      }
    }
  }

  @Override
  public void processElement2(StreamRecord<RoundHead> element) {
    faults.reach(Place.FEEDBACK_OUT, index);
    RoundHead head = element.getValue();
    String home = head.homes().get(index);
    if (home == null) {
      // It hears of all when it has said hello.
      return;
    }
    if (!ReplicaLinks.isHere(home)) {
      throw new IllegalStateException(
          ("Feedback sink %d and replica %d run in different processes, so no result can reach the"
                  + " replica. They share a slot by co-location; check that no scheduler plugin or"
                  + " slot sharing group of the cluster's overrides it")
              .formatted(index, index));
    }
    ReplicaLink link = ReplicaLinks.find(home);
    if (link != null) {
      link.feedback().offer(head);
    }
  }
}
