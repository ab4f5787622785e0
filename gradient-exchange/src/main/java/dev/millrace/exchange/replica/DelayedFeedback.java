package dev.millrace.exchange.replica;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Keeps what comes of the round that has a replica's newest contribution, until the replica has
 * made as many local steps as its schedule's delay. So each step starts from the same values,
 * however fast messages are, and the same after a failure.
 *
 * <p>Keeps a newer model than the replica's at most. Belongs to one thread.
 */
final class DelayedFeedback {

  private final ReplicaParts replica;
  private final Pace pace;
  private final Map<Integer, BlockUpdate> blocks = new TreeMap<>();
  private RoundHead headOrNull;
  private Standing standing = Standing.NONE;

  /** The head that steps went by before a restore, until it is taken in again; else null. */
  private RoundHead resumedOrNull;

  /** Whether what is kept stays so, see {@link #keepForGood}. */
  private boolean forGood;

  /** The contribution whose round isn't kept back any more. */
  private long over;

  DelayedFeedback(ReplicaParts replica, Pace pace) {
    this.replica = replica;
    this.pace = pace;
  }

  /**
   * The input has ended. What would be kept now is never taken in: the last contribution doesn't
   * depend on whether it comes in time.
   */
  void keepForGood() {
    forGood = isOn();
  }

  /** Whether what comes of the newest contribution's round is to be kept now. */
  boolean isOn() {
    if (forGood) {
      return true;
    }
    AwaitedFeedback awaited = replica.contributions().awaited();
    return awaited.sequence() > over
        && awaited.standing().included() < awaited.sequence()
        && replica.progress().steps() < pace.delay()
        && replica.vector().isComplete();
  }

  /**
   * Returns the head that steps go by while this {@linkplain #isOn is on}, for a checkpoint: the
   * coordinator may have a newer one then.
   */
  Optional<RoundHead> before() {
    return isOn() ? pace.head() : Optional.empty();
  }

  /** Continues from what {@link #before} gave. */
  void resume(RoundHead before) {
    resumedOrNull = before;
    pace.resume(before);
  }

  /** Returns, once after a restore, the head to be taken in ahead of the first that comes. */
  Optional<RoundHead> resumed() {
    Optional<RoundHead> before = Optional.ofNullable(resumedOrNull);
    resumedOrNull = null;
    return before;
  }

  /** Keeps a block in place of an older one, if it {@linkplain #isOn is to be kept}. */
  boolean keeps(BlockUpdate update) {
    if (!isOn()) {
      return false;
    }
    if (update.round() > replica.vector().rounds().of(update.block())) {
      blocks.merge(
          update.block(), update, (one, other) -> one.round() > other.round() ? one : other);
    }
    return true;
  }

  /** Keeps a head, if it {@linkplain #isOn is to be kept}; one without the contribution isn't. */
  boolean keeps(RoundHead head, Standing ofReplica) {
    long awaited = replica.contributions().awaited().sequence();
    if (!isOn() || ofReplica.included() < awaited) {
      return false;
    }
    headOrNull = head;
    standing = ofReplica;
    return true;
  }

  /** Whether {@link #end} changes anything. */
  boolean hasAnEnd() {
    return replica.contributions().awaited().sequence() > over
        || !blocks.isEmpty()
        || headOrNull != null;
  }

  /** Hands out what was kept, and keeps nothing more of that round. */
  void end(Consumer<BlockUpdate> update, BiConsumer<RoundHead, Standing> head) {
    over = replica.contributions().awaited().sequence();
    blocks.values().forEach(update);
    blocks.clear();
    if (headOrNull != null) {
      head.accept(headOrNull, standing);
      headOrNull = null;
    }
  }
}
