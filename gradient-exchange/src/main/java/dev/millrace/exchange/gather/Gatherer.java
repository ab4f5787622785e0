package dev.millrace.exchange.gather;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.BlockAggregator;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Part;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.round.ContributionId;
import dev.millrace.model.BlockLayout;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The first of two levels of combining: it keeps the contributions of the replicas of one process
 * until their round is decided, and sends each block one {@link Part} with those that are members,
 * but for those that were restored of which the coordinator doesn't know that they are here. It
 * decides nothing. The members of a part are combined in the order of replica numbers, once all are
 * here: so a part is the same bit by bit in whatever order they come.
 *
 * <p>Not thread-safe.
 */
public final class Gatherer {

  /** A contribution that waits, as it was when it was asked for: for a checkpoint. */
  @FunctionalInterface
  public interface Saved {

    /** May be called on another thread, and more than once. */
    void write(DataOutput out) throws IOException;
  }

  private static final Comparator<ContributionId> ORDER =
      Comparator.comparingInt(ContributionId::replica).thenComparingLong(ContributionId::sequence);

  private final BlockLayout layout;
  private final BlockAggregator aggregator;
  private final Consumer<Part> output;
  private final Map<ContributionId, WaitingContribution> held = new TreeMap<>(ORDER);

  /** The orders that it has yet to follow, by block. */
  private final List<Deque<GatherOrder>> orders = new ArrayList<>();

  /** Where changes are decoded to, a row a member. */
  private float[][] scratch = new float[0][];

  /**
   * @throws IllegalArgumentException if the aggregator has to have all members in one place
   */
  public Gatherer(BlockLayout layout, Aggregator aggregator, Consumer<Part> output) {
    if (!aggregator.combinesInParts()) {
      throw new IllegalArgumentException(
          "%s needs all members of a round in one place, and can't combine them by process"
              .formatted(aggregator.getClass().getSimpleName()));
    }
    this.layout = layout;
    this.aggregator = new BlockAggregator(layout, aggregator);
    this.output = output;
    for (int block = 0; block < layout.count(); block++) {
      orders.add(new ArrayDeque<>());
    }
  }

  /**
   * Keeps one block of a contribution until its round is decided.
   *
   * @throws IllegalStateException if it has come already
   */
  public void add(Contribution contribution) {
    ContributionId id = new ContributionId(contribution.replica(), contribution.sequence());
    held.computeIfAbsent(
            id, any -> new WaitingContribution(id, contribution.weight(), layout.count()))
        .put(contribution.block(), contribution.payload());
    advance(contribution.block());
  }

  /** Keeps an order until the members are here. */
  public void add(GatherOrder order) {
    for (int block = 0; block < layout.count(); block++) {
      orders.get(block).add(order);
      advance(block);
    }
  }

  private void advance(int block) {
    Deque<GatherOrder> waiting = orders.get(block);
    while (!waiting.isEmpty() && isHere(block, waiting.getFirst().own())) {
      GatherOrder order = waiting.removeFirst();
      List<ContributionId> members = new ArrayList<>(order.own());
      if (!members.isEmpty()) {
        members.sort(ORDER);
        send(block, order.round(), members);
      }
      for (ContributionId restored : order.restored()) {
        if (isHere(block, restored)) {
          send(block, order.round(), List.of(restored));
        }
      }
    }
  }

  private boolean isHere(int block, List<ContributionId> members) {
    for (ContributionId member : members) {
      if (!isHere(block, member)) {
        return false;
      }
    }
    return true;
  }

  private boolean isHere(int block, ContributionId member) {
    WaitingContribution here = held.get(member);
    return here != null && here.has(block);
  }

  /** Returns which contributions it waits for, in words; empty where it waits for none. */
  public Optional<String> waitsFor() {
    for (int block = 0; block < orders.size(); block++) {
      int lacking = block;
      GatherOrder next = orders.get(block).peekFirst();
      if (next != null) {
        return Optional.of(
            "Round %s of block %s lacks the contributions of replicas %s, which are to be combined"
                .formatted(
                    next.round(),
                    block,
                    next.own().stream()
                        .filter(member -> !isHere(lacking, member))
                        .map(ContributionId::replica)
                        .toList()));
      }
    }
    return Optional.empty();
  }

  private void send(int block, long round, List<ContributionId> members) {
    BitSet replicas = new BitSet();
    double[] weights = new double[members.size()];
    Payload[] payloads = new Payload[members.size()];
    double weight = 0;
    for (int i = 0; i < payloads.length; i++) {
      WaitingContribution member = held.get(members.get(i));
      replicas.set(member.id().replica());
      weights[i] = member.weight();
      weight += member.weight();
      payloads[i] = member.take(block);
      if (member.isOver()) {
        held.remove(member.id());
      }
    }
    Payload payload = payloads.length == 1 ? payloads[0] : combine(block, payloads, weights);
    output.accept(new Part(block, round, replicas, weight, payload));
  }

  private Payload combine(int block, Payload[] payloads, double[] weights) {
    int size = layout.size(block);
    if (scratch.length < payloads.length) {
      scratch = new float[payloads.length][layout.blockSize()];
    }
    float[][] changes = new float[payloads.length][];
    for (int i = 0; i < payloads.length; i++) {
      changes[i] = payloads[i].receive(scratch[i], size);
    }
    float[] result = new float[size];
    aggregator.aggregate(block, changes, weights, result);
    return Payload.of(result);
  }

  /**
   * The contributions that wait, each in one string, for {@link #restore}.
   *
   * @throws IllegalStateException if a round is decided whose members aren't here: a barrier comes
   *     behind them, so there is none
   */
  public List<Saved> save() {
    for (int block = 0; block < layout.count(); block++) {
      if (!orders.get(block).isEmpty()) {
        throw new IllegalStateException(
            "Round %s is decided, and contributions to block %s of it aren't here"
                .formatted(orders.get(block).getFirst().round(), block));
      }
    }
    List<Saved> saved = new ArrayList<>();
    for (WaitingContribution contribution : held.values()) {
      saved.add(contribution.copy()::write);
    }
    return saved;
  }

  /** Takes over a contribution that waited in a checkpoint, of this gatherer or of another. */
  public void restore(DataInput in) throws IOException {
    WaitingContribution contribution = WaitingContribution.read(in);
    if (contribution.blocks() != layout.count()) {
      throw new IllegalStateException(
          "A contribution of %s blocks was restored, and the model has %s"
              .formatted(contribution.blocks(), layout.count()));
    }
    if (held.put(contribution.id(), contribution) != null) {
      throw new IllegalStateException(
          "Contribution %s of replica %s was restored twice"
              .formatted(contribution.id().sequence(), contribution.id().replica()));
    }
  }
}
