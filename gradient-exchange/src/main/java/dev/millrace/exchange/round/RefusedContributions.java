package dev.millrace.exchange.round;

import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Objects;

/**
 * The contributions that replicas have refused to make, as far as the global model's ledger has
 * their records. It is part of the same state, so it counts each of them once, whatever fails.
 *
 * @param contributions how many
 * @param records that were dropped with them
 * @param lastReason why the newest was refused, and what to do; empty while there is none
 */
public record RefusedContributions(long contributions, long records, String lastReason)
    implements Serializable {

  public static final RefusedContributions NONE = new RefusedContributions(0, 0, "");

  public RefusedContributions {
    Objects.requireNonNull(lastReason, "lastReason");
  }

  RefusedContributions plus(Refusal refusal) {
    return new RefusedContributions(
        contributions + 1, records + refusal.dropped(), refusal.reason());
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(contributions);
    out.writeLong(records);
    out.writeUTF(lastReason);
  }

  static RefusedContributions read(DataInput in) throws IOException {
    return new RefusedContributions(in.readLong(), in.readLong(), in.readUTF());
  }
}
