package dev.millrace.exchange.feedback;

import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Handover;
import dev.millrace.exchange.codec.Payload;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a replica and the tasks of its process hand to each other in memory, instead of through
 * Flink's network: feedback to the replica, and to the exchange, or to a gatherer, the payloads of
 * contributions.
 *
 * <p>A contribution's place among a channel's messages, before or behind a barrier, is what makes
 * it part of a checkpoint or not. So a message goes that way all the same, without the payload.
 *
 * <p>Thread-safe for the replica's thread and any number of others.
 */
public final class ReplicaLink {

  private record Key(int block, long sequence) {}

  private final String home;
  private final FeedbackChannel feedback = new FeedbackChannel();
  private final HookMail mail = new HookMail();
  private final Set<Integer> blocksHere = ConcurrentHashMap.newKeySet();
  private volatile int gatherer = HeadDelivery.NO_GATHERER;
  private volatile boolean gathererHere;
  private final Map<Key, Payload> payloads = new ConcurrentHashMap<>();

  public ReplicaLink(String home) {
    this.home = home;
  }

  /** Its name, see {@link ReplicaLinks}. */
  public String home() {
    return home;
  }

  public FeedbackChannel feedback() {
    return feedback;
  }

  /** The way back to the replica's hooks, from their own parts of the job. */
  public HookMail mail() {
    return mail;
  }

  /** The exchange has this block in this process: payloads for it need go no further. */
  public void isHere(int block) {
    blocksHere.add(block);
  }

  /** The replica's contributions go to that gatherer; {@link HeadDelivery#NO_GATHERER} to none. */
  public void gatherAt(int number) {
    gatherer = number;
  }

  /** The gatherer that contributions go to, or {@link HeadDelivery#NO_GATHERER}. */
  public int gatherer() {
    return gatherer;
  }

  /** The gatherer is in this process, and has this link: payloads for it need go no further. */
  public void gathererIsHere() {
    gathererHere = true;
  }

  /**
   * Leaves the payload here if whoever takes the contribution is in this process: its block, or the
   * gatherer if there is one.
   *
   * @return what to send
   */
  public BlockMessage handOver(Contribution contribution) {
    boolean here =
        gatherer == HeadDelivery.NO_GATHERER
            ? blocksHere.contains(contribution.block())
            : gathererHere;
    if (!here) {
      return contribution;
    }
    payloads.put(new Key(contribution.block(), contribution.sequence()), contribution.payload());
    return new Handover(
        contribution.block(),
        contribution.replica(),
        contribution.sequence(),
        contribution.weight());
  }

  /**
   * The contribution whose payload was left here.
   *
   * @throws IllegalStateException if it wasn't, or was taken before
   */
  public Contribution take(Handover handover) {
    Payload payload = payloads.remove(new Key(handover.block(), handover.sequence()));
    if (payload == null) {
      throw new IllegalStateException(
          "Contribution %s of replica %s to block %s isn't in this process"
              .formatted(handover.sequence(), handover.replica(), handover.block()));
    }
    return new Contribution(
        handover.block(), handover.replica(), handover.sequence(), handover.weight(), payload);
  }
}
