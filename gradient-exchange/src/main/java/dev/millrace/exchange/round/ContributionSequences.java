package dev.millrace.exchange.round;

import dev.millrace.model.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;

/**
 * The newest contribution of each replica that something is true of: 0 where there is none.
 *
 * <p>Immutable.
 */
public final class ContributionSequences implements Serializable {

  public static final ContributionSequences NONE = new ContributionSequences(new long[0]);
  public static final WireFormat<ContributionSequences> WIRE = new SequencesWire();

  private final long[] byReplica;

  private ContributionSequences(long[] byReplica) {
    this.byReplica = byReplica;
  }

  public long of(int replica) {
    return replica < byReplica.length ? byReplica[replica] : 0;
  }

  /** These, with {@code sequence} for {@code replica} if it is newer. */
  public ContributionSequences with(int replica, long sequence) {
    if (sequence <= of(replica)) {
      return this;
    }
    long[] next = Arrays.copyOf(byReplica, Math.max(byReplica.length, replica + 1));
    next[replica] = sequence;
    return new ContributionSequences(next);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ContributionSequences sequences
        && Arrays.equals(byReplica, sequences.byReplica);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(byReplica);
  }

  @Override
  public String toString() {
    return Arrays.toString(byReplica);
  }

  private static final class SequencesWire
      implements WireFormat<ContributionSequences>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(ContributionSequences sequences, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(sequences.byReplica.length);
      for (long sequence : sequences.byReplica) {
        out.writeLong(sequence);
      }
    }

    @Override
    public ContributionSequences read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, ContributionSequences.class);
      long[] byReplica = new long[in.readInt()];
      for (int i = 0; i < byReplica.length; i++) {
        byReplica[i] = in.readLong();
      }
      return new ContributionSequences(byReplica);
    }
  }
}
