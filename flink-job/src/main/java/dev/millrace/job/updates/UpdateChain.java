package dev.millrace.job.updates;

import dev.millrace.job.follow.ServedModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds updates to a whole model, each exactly once and in their order. Those of a model that isn't
 * there yet wait for it. What doesn't go on from the parameters that there are ends the chain: the
 * model that is served stays, and the next whole one begins another.
 *
 * <p>Not thread-safe.
 */
final class UpdateChain {

  private static final Logger LOG = LoggerFactory.getLogger(UpdateChain.class);

  /** How long a whole model that is older than what is served waits for its own updates. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final LongSupplier nanos;
  private final WaitingUpdates waiting = new WaitingUpdates();

  /** What was followed last; null before. */
  private ServedModel whole;

  /** Null where nothing is added to that: it is held, or its chain has ended. */
  private FollowedParameters followed;

  /** The next update so far. */
  private final List<ModelUpdate> pieces = new ArrayList<>();

  /** The update that was added last, if what it leads to wasn't given out yet. */
  private ModelUpdate newest;

  /** What was given out last; null before. */
  private ServedModel served;

  /** Whether an update led to it. */
  private boolean isUpdate;

  /**
   * Whether {@link #whole} waits for an update that leads beyond what is served; and since when.
   */
  private boolean withheld;

  private long since;

  /** {@code nanos} is a clock, as {@link System#nanoTime}. */
  UpdateChain(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** See {@link dev.millrace.job.follow.ModelUpdates#follow}. */
  Optional<ServedModel> follow(ServedModel model, boolean held) {
    boolean older =
        !held
            && isUpdate
            && model.version().compareTo(whole.version()) > 0
            && model.version().compareTo(served.version()) < 0;
    end();
    List<ModelUpdate> came = waiting.take(model.version());
    FollowedParameters parameters =
        held ? null : new FollowedParameters(model.parameters(), model.parameters().length);
    whole = model;
    followed = parameters;
    withheld = older;
    since = nanos.getAsLong();
    came.forEach(this::add);
    if (newest == null && !withheld) {
      served = model;
      isUpdate = false;
      return Optional.of(model);
    }
    return newest();
  }

  /** Takes the next piece of the topic. */
  void add(ModelUpdate update) {
    int order = whole == null ? 1 : update.whole().compareTo(whole.version());
    if (order > 0) {
      waiting.add(update);
    } else if (order == 0 && followed != null && update.origin() == followed.origin()) {
      collect(update);
    }
  }

  private void collect(ModelUpdate update) {
    if (update.number() <= followed.number()) {
      return;
    }
    if (update.piece() == 0) {
      // The topic may be read again from its beginning.
      pieces.clear();
    }
    if (update.number() != followed.number() + 1
        || update.piece() != pieces.size()
        || update.pieces() != followed.pieces()) {
      endSince(
          "piece %s of update %s comes, and piece %s of update %s is missing"
              .formatted(update.piece(), update.number(), pieces.size(), followed.number() + 1));
      return;
    }
    pieces.add(update);
    if (pieces.size() == followed.pieces()) {
      apply();
    }
  }

  private void apply() {
    ModelUpdate update = pieces.get(0);
    try {
      for (ModelUpdate piece : pieces) {
        followed.add(piece.piece(), piece.change());
      }
      followed.complete();
    } catch (IllegalArgumentException e) {
      endSince("update %s can't be read: %s".formatted(update.number(), e.getMessage()));
      return;
    }
    pieces.clear();
    if (followed.checksum() == update.checksum()) {
      newest = update;
    } else {
      endSince("update %s leads to other parameters than it says".formatted(update.number()));
    }
  }

  private void endSince(String why) {
    LOG.warn(
        "No more updates are added to model {}, and the next whole model is waited for: {}",
        whole.version(),
        why);
    end();
  }

  private void end() {
    followed = null;
    newest = null;
    pieces.clear();
  }

  /** Returns what is to be served now, once; empty where that is what was given out last. */
  Optional<ServedModel> newest() {
    boolean isLate = withheld && nanos.getAsLong() - since > PATIENCE.toNanos();
    boolean leadsBeyond =
        newest != null && (!withheld || newest.version().compareTo(served.version()) >= 0);
    if (!isLate && !leadsBeyond) {
      return Optional.empty();
    }
    isUpdate = newest != null;
    served =
        newest == null ? whole : whole.updated(newest.version(), followed.copy(), newest.made());
    newest = null;
    withheld = false;
    return Optional.of(served);
  }
}
