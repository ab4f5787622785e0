package dev.millrace.exchange.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.OptionalLong;

/**
 * What people are told of a contribution. Nothing is decided by it.
 *
 * @param bytes of its encoded changes
 * @param staleness of the replica's newest contribution in the global model: rounds made between
 *     the model that it started from and the round that includes it; -1 where it isn't known
 * @param pending records that wait behind those that the replica's source has read; -1 where it
 *     isn't known
 */
public record ContributionFacts(long bytes, long staleness, long pending) implements Serializable {

  public static final long UNKNOWN = -1;

  /** Where nothing is known. */
  public static final ContributionFacts NONE = new ContributionFacts(0, UNKNOWN, UNKNOWN);

  /** Returns the same facts with as many records pending. */
  ContributionFacts with(OptionalLong records) {
    return new ContributionFacts(bytes, staleness, records.orElse(UNKNOWN));
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(bytes);
    out.writeLong(staleness);
    out.writeLong(pending);
  }

  static ContributionFacts read(DataInput in) throws IOException {
    return new ContributionFacts(in.readLong(), in.readLong(), in.readLong());
  }
}
