package dev.millrace.exchange.publication;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Locale;

/**
 * Why the model is handed to the publisher. The coordinator and every block hand over their part of
 * it at the same trigger, so parts of one trigger are of one version.
 *
 * @param id number of the round or of the checkpoint; 0 at the end
 */
public record PublicationTrigger(Kind kind, long id) implements Serializable {

  /** Kinds of triggers. */
  public enum Kind {
    /** The coordinator chose this round. */
    ROUND,
    /** The model is part of this checkpoint. */
    CHECKPOINT,
    /** The input has ended. */
    END
  }

  public static PublicationTrigger round(long round) {
    return new PublicationTrigger(Kind.ROUND, round);
  }

  public static PublicationTrigger checkpoint(long checkpointId) {
    return new PublicationTrigger(Kind.CHECKPOINT, checkpointId);
  }

  public static PublicationTrigger end() {
    return new PublicationTrigger(Kind.END, 0);
  }

  void write(DataOutput out) throws IOException {
    out.writeUTF(kind.name());
    out.writeLong(id);
  }

  static PublicationTrigger read(DataInput in) throws IOException {
    return new PublicationTrigger(Kind.valueOf(in.readUTF()), in.readLong());
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + " " + id;
  }
}
