package dev.millrace.exchange.flink.gather;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Handover;
import dev.millrace.exchange.feedback.ReplicaLink;
import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.flink.ByteStringState.Deferred;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.flink.WaitWatch;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.exchange.gather.Gatherer;
import dev.millrace.model.BlockLayout;
import java.io.DataInputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * A {@link Gatherer} as a Flink operator. Its subtask shares a process with the replica of the same
 * index. What replicas of that process send it stays in memory; what comes from elsewhere is as
 * good, and costs traffic.
 */
public final class GatherOperator extends AbstractStreamOperator<BlockMessage>
    implements TwoInputStreamOperator<ToGatherer, GatherOrder, BlockMessage> {

  /** Name of the state that contributions wait in, a string each; see {@link Gatherer#save}. */
  public static final String STATE = "contributions";

  private final BlockLayout layout;
  private final Aggregator aggregator;
  private final boolean direct;
  private final FaultInjector faults;

  private transient ByteStringState state;
  private transient Gatherer gatherer;
  private transient Map<Integer, ReplicaLink> links;
  private transient boolean saved;
  private transient int subtask;

  /**
   * @param aggregator one that {@linkplain Aggregator#combinesInParts combines in parts}
   * @param direct whether replicas of the same process hand contributions over in memory
   */
  public GatherOperator(
      BlockLayout layout, Aggregator aggregator, boolean direct, FaultInjector faults) {
    this.layout = layout;
    this.aggregator = aggregator;
    this.direct = direct;
    this.faults = faults;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    links = new HashMap<>();
    gatherer = new Gatherer(layout, aggregator, part -> output.collect(new StreamRecord<>(part)));
    state = ByteStringState.open(context, STATE);
    for (DataInputStream contribution : state.read()) {
      gatherer.restore(contribution);
    }
    state.clear();
  }

  @Override
  public void open() throws Exception {
    super.open();
    WaitWatch unused = WaitWatch.start(getProcessingTimeService(), gatherer::waitsFor);
  }

  @Override
  public void processElement1(StreamRecord<ToGatherer> element) {
    faults.reach(Place.GATHERING, subtask);
    letGo();
    BlockMessage message = element.getValue().message();
    if (message instanceof Handover handover) {
      gatherer.add(links.get(handover.replica()).take(handover));
    } else if (message instanceof Contribution contribution) {
      meet(contribution.replica(), element.getValue().home());
      gatherer.add(contribution);
    }
  }

  /** A replica of this process needs to send no more than that there is something for us. */
  private void meet(int replica, String home) {
    if (direct && !links.containsKey(replica)) {
      ReplicaLink link = ReplicaLinks.find(home);
      if (link != null) {
        links.put(replica, link);
        link.gathererIsHere();
      }
    }
  }

  @Override
  public void processElement2(StreamRecord<GatherOrder> element) {
    faults.reach(Place.GATHERING, subtask);
    letGo();
    gatherer.add(element.getValue());
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    List<Deferred> contributions = new ArrayList<>();
    for (Gatherer.Saved contribution : gatherer.save()) {
      contributions.add(contribution::write);
    }
    state.deferAll(contributions);
    saved = true;
  }

  /** The checkpoint that was taken keeps its own list; ours would keep the memory. */
  private void letGo() {
    if (saved) {
      state.clear();
      saved = false;
    }
  }
}
