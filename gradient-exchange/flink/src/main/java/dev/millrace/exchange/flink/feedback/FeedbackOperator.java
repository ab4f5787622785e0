package dev.millrace.exchange.flink.feedback;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.GlobalModelCopy;
import dev.millrace.exchange.feedback.Delivery;
import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.feedback.ReplicaLink;
import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.round.Standing;
import dev.millrace.model.BlockLayout;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Hands what comes from an exchange in another process, and the coordinator's heads, over to the
 * replicas of its own process. It must run in the same process as the replica of the same index;
 * where it doesn't, it fails with the cause.
 */
public final class FeedbackOperator extends AbstractStreamOperator<Void>
    implements TwoInputStreamOperator<Delivery, HeadDelivery, Void> {

  private final BlockLayout layout;
  private final boolean changes;
  private final FaultInjector faults;

  private transient GlobalModelCopy mirror;
  private transient int index;

  /**
   * @param layout of the model's blocks
   * @param changes whether changes of blocks will come, and not only whole ones
   */
  public FeedbackOperator(BlockLayout layout, boolean changes, FaultInjector faults) {
    this.layout = layout;
    this.changes = changes;
    this.faults = faults;
  }

  @Override
  public void open() throws Exception {
    super.open();
    mirror = new GlobalModelCopy(changes, layout);
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
  public void processElement2(StreamRecord<HeadDelivery> element) {
    faults.reach(Place.FEEDBACK_OUT, index);
    HeadDelivery delivery = element.getValue();
    delivery.standings().forEach((home, standing) -> tell(home, delivery, standing));
  }

  private void tell(String home, HeadDelivery delivery, Standing standing) {
    if (!ReplicaLinks.isHere(home)) {
      throw new IllegalStateException(
          ("Feedback sink %s and replica %s run in different processes, so no result can reach the"
                  + " replica. They share a slot by co-location; check that no scheduler plugin or"
                  + " slot sharing group of the cluster's overrides it")
              .formatted(index, index));
    }
    ReplicaLink link = ReplicaLinks.find(home);
    if (link != null) {
      // Before the head: whoever knows that may contribute.
      link.gatherAt(delivery.gatherer());
      link.feedback().offer(delivery.head(), standing);
    }
  }
}
