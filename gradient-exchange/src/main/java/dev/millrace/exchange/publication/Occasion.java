package dev.millrace.exchange.publication;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Locale;

/**
 * Why the model is handed to the publisher. The roster and every block hand over their part of it
 * at the same occasion, so parts of one occasion are of one version.
 *
 * @param id number of the round or of the checkpoint; 0 at the end
 */
public record Occasion(Kind kind, long id) implements Serializable {

  /** Kinds of occasions. */
  public enum Kind {
    /** The roster chose this round. */
    ROUND,
    /** The model is part of this checkpoint. */
    CHECKPOINT,
    /** The input has ended. */
    END
  }

  public static Occasion round(long round) {
    return new Occasion(Kind.ROUND, round);
  }

  public static Occasion checkpoint(long checkpointId) {
    return new Occasion(Kind.CHECKPOINT, checkpointId);
  }

  public static Occasion end() {
    return new Occasion(Kind.END, 0);
  }

  void write(DataOutput out) throws IOException {
    out.writeUTF(kind.name());
    out.writeLong(id);
  }

  static Occasion read(DataInput in) throws IOException {
    return new Occasion(Kind.valueOf(in.readUTF()), in.readLong());
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + " " + id;
  }
}
