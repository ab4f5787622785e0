package dev.millrace.exchange.publication;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ServerOptimizerState;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Puts the parts of each trigger together. A model is given out only when it is complete, and all
 * of it is of one version: the newest values of all blocks, or the moving average of all blocks of
 * parameters.
 *
 * <p>Not thread-safe.
 */
public final class ModelAssembler {

  private final ModelSpec spec;
  private final BlockLayout layout;
  private final Map<PublicationTrigger, Partial> partials = new HashMap<>();

  public ModelAssembler(ModelSpec spec, BlockLayout layout) {
    this.spec = spec;
    this.layout = layout;
  }

  /**
   * Adds a part.
   *
   * @return the model, if this was its last part
   * @throws IllegalStateException if parts of one trigger are of different rounds, or of the newest
   *     values and of the moving average
   */
  public Optional<Assembled> add(PublishedPart part) {
    PublicationTrigger trigger = part.trigger();
    Partial partial = partials.computeIfAbsent(trigger, any -> new Partial(layout));
    partial.add(part);
    if (!partial.isComplete()) {
      return Optional.empty();
    }
    partials.remove(trigger);
    // What is older and still in parts has been overtaken, or its sender restarted: it never comes.
    partials.keySet().removeIf(other -> isOlder(other, trigger));
    return Optional.of(new Assembled(partial.head.purposes(), partial.model(spec)));
  }

  /** No more parts of this trigger come: what there is of them isn't kept. */
  public void forget(PublicationTrigger trigger) {
    partials.remove(trigger);
  }

  /** Returns how many models have come in part. */
  int size() {
    return partials.size();
  }

  /** A complete model, and what it is wanted for. */
  public record Assembled(Set<Purpose> purposes, GlobalModel model) {}

  private static boolean isOlder(PublicationTrigger one, PublicationTrigger other) {
    return one.kind() == other.kind() && one.id() < other.id();
  }

  private static final class Partial {

    private final BlockLayout layout;
    private final BitSet present = new BitSet();
    private PublishedPart.Head head;
    private long round = -1;

    /**
     * Whether the vector is a moving average, as the first block says; before it, there is no
     * vector.
     */
    private boolean movingAverage;

    private float[] vector;

    Partial(BlockLayout layout) {
      this.layout = layout;
    }

    void add(PublishedPart part) {
      checkRound(part.trigger(), part.round());
      if (part instanceof PublishedPart.Head newHead) {
        head = newHead;
      } else if (part instanceof PublishedPart.Block block) {
        checkValues(block);
        System.arraycopy(
            block.values(), 0, vector, layout.offset(block.block()), block.values().length);
        present.set(block.block());
      }
    }

    private void checkRound(PublicationTrigger trigger, long partRound) {
      if (round >= 0 && round != partRound) {
        throw new IllegalStateException(
            "Parts of the model of %s are of rounds %s and %s"
                .formatted(trigger, round, partRound));
      }
      round = partRound;
    }

    private void checkValues(PublishedPart.Block block) {
      if (vector == null) {
        movingAverage = block.movingAverage();
        vector = new float[movingAverage ? layout.parameters() : layout.length()];
      } else if (movingAverage != block.movingAverage()) {
        throw new IllegalStateException(
            "Parts of the model of %s are of the newest values and of the moving average: block %s is"
                    .formatted(block.trigger(), block.block())
                + (movingAverage ? " of the newest values" : " of the average"));
      }
    }

    boolean isComplete() {
      int blocks = movingAverage ? layout.parameterBlocks() : layout.count();
      return head != null && vector != null && present.cardinality() == blocks;
    }

    GlobalModel model(ModelSpec spec) {
      return new GlobalModel(
          spec,
          head.version(),
          head.iteration(),
          vector,
          head.learned(),
          head.ledger(),
          head.prequential(),
          head.lineage(),
          ServerOptimizerState.NONE,
          movingAverage);
    }
  }
}
