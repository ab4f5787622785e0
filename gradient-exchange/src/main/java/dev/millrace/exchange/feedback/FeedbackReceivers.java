package dev.millrace.exchange.feedback;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Handover;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.GlobalBlock;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Decides whom an exchange subtask tells of its blocks: replicas of its own process through their
 * links, and of every other process one feedback sink. Each is told of a block from when it asks
 * for it on, all of it first.
 *
 * <p>Not thread-safe.
 */
public final class FeedbackReceivers {

  /** A receiver's part of the blocks. */
  private static final class Told {
    final BitSet asked = new BitSet();
    final BitSet told = new BitSet();

    void ask(int block) {
      asked.set(block);
      told.clear(block);
    }

    boolean lacks(int block) {
      return asked.get(block) && !told.get(block);
    }
  }

  private record Here(ReplicaLink link, Told blocks) {}

  /**
   * A further process.
   *
   * @param sink which feedback sink there takes what is for it
   * @param homes of the replicas that have asked
   */
  private record Elsewhere(int sink, Set<String> homes, Told blocks) {}

  private final Function<String, ReplicaLink> links;
  private final Consumer<Delivery> network;
  private final Map<Integer, Here> here = new HashMap<>();
  private final Map<String, Elsewhere> elsewhere = new HashMap<>();

  /**
   * @param links by home, of the replicas of this process; null for the others, or for all where
   *     everything is to go through the network
   */
  public FeedbackReceivers(Function<String, ReplicaLink> links, Consumer<Delivery> network) {
    this.links = links;
    this.network = network;
  }

  /** Notes who asks. */
  public void ask(Pull pull) {
    int block = pull.block();
    ReplicaLink link = links.apply(pull.home());
    if (link == null) {
      // The first to ask speaks for its process: its sink hands over to all replicas there.
      Elsewhere process =
          elsewhere.computeIfAbsent(
              ReplicaLinks.process(pull.home()),
              any -> new Elsewhere(pull.replica(), new LinkedHashSet<>(), new Told()));
      process.homes().add(pull.home());
      process.blocks().ask(block);
    } else {
      link.isHere(block);
      here.computeIfAbsent(pull.replica(), any -> new Here(link, new Told())).blocks().ask(block);
    }
  }

  /** Tells those of the block who have asked and have been told nothing since. */
  public void answer(GlobalBlock block, Combiner combiner) {
    int number = block.block();
    tell(
        block,
        combiner,
        here.values().stream().filter(one -> one.blocks().lacks(number)).toList(),
        elsewhere.values().stream().filter(one -> one.blocks().lacks(number)).toList());
  }

  /** Tells all who have asked of a round that was just made. */
  public void tell(GlobalBlock block, Combiner combiner) {
    tell(block, combiner, here.values(), elsewhere.values());
  }

  private void tell(
      GlobalBlock block,
      Combiner combiner,
      Iterable<Here> replicas,
      Iterable<Elsewhere> processes) {
    int number = block.block();
    BlockUpdate update = null;
    for (Here replica : replicas) {
      if (replica.blocks().asked.get(number)) {
        // One for all.
        update = update == null ? block.told(combiner) : update;
        replica.link().feedback().offer(update);
        replica.blocks().told.set(number);
      }
    }
    for (Elsewhere process : processes) {
      Told blocks = process.blocks();
      if (blocks.asked.get(number)) {
        boolean whole = !blocks.told.get(number);
        network.accept(
            new Delivery(
                process.sink(), List.copyOf(process.homes()), block.feedback(combiner, whole)));
        blocks.told.set(number);
      }
    }
  }

  /** The contribution whose payload a replica of this process has left for it. */
  public Contribution take(Handover handover) {
    return here.get(handover.replica()).link().take(handover);
  }
}
