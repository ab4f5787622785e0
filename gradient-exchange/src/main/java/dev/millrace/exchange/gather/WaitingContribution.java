package dev.millrace.exchange.gather;

import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.round.ContributionId;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A contribution that waits in a gatherer, block by block.
 *
 * <p>Not thread-safe.
 */
final class WaitingContribution {

  private static final int FORMAT = 1;

  private final ContributionId id;
  private final double weight;

  /** The payloads by block; null where one has yet to come, or was taken. */
  private final Payload[] payloads;

  private int taken;

  /** {@code weight} is the sum of the weights of the examples behind it. */
  WaitingContribution(ContributionId id, double weight, int blocks) {
    this(id, weight, new Payload[blocks]);
  }

  private WaitingContribution(ContributionId id, double weight, Payload[] payloads) {
    this.id = id;
    this.weight = weight;
    this.payloads = payloads;
  }

  ContributionId id() {
    return id;
  }

  double weight() {
    return weight;
  }

  int blocks() {
    return payloads.length;
  }

  boolean has(int block) {
    return payloads[block] != null;
  }

  /**
   * Keeps the change of a block.
   *
   * @throws IllegalStateException if there is one
   */
  void put(int block, Payload payload) {
    if (payloads[block] != null) {
      throw new IllegalStateException(
          "Contribution %s of replica %s came twice for block %s"
              .formatted(id.sequence(), id.replica(), block));
    }
    payloads[block] = payload;
  }

  /** Lets go of the change of a block, which is here. */
  Payload take(int block) {
    Payload payload = payloads[block];
    payloads[block] = null;
    taken++;
    return payload;
  }

  /** Whether nothing is left, nor to come. */
  boolean isOver() {
    return taken == payloads.length;
  }

  /** Copies the contribution as it is now, whatever happens to this one. */
  WaitingContribution copy() {
    return new WaitingContribution(id, weight, payloads.clone());
  }

  /**
   * Writes it, for {@link #read}.
   *
   * @throws IllegalStateException if a block's change isn't here
   */
  void write(DataOutput out) throws IOException {
    out.writeByte(FORMAT);
    id.write(out);
    out.writeDouble(weight);
    out.writeInt(payloads.length);
    for (int block = 0; block < payloads.length; block++) {
      if (payloads[block] == null) {
        throw new IllegalStateException(
            "Contribution %s of replica %s lacks block %s"
                .formatted(id.sequence(), id.replica(), block));
      }
      payloads[block].write(out);
    }
  }

  static WaitingContribution read(DataInput in) throws IOException {
    WireFormat.readVersion(in, FORMAT, WaitingContribution.class);
    ContributionId id = ContributionId.read(in);
    double weight = in.readDouble();
    Payload[] payloads = new Payload[in.readInt()];
    for (int block = 0; block < payloads.length; block++) {
      payloads[block] = Payload.read(in);
    }
    return new WaitingContribution(id, weight, payloads);
  }
}
