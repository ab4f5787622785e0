package dev.millrace.model;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Comparator;
import java.util.Objects;

/**
 * One partition of one topic: the unit in which records are ordered and counted.
 *
 * @param topic its name
 * @param topicId what tells it from another topic that has, or had, the same name; {@link #NO_ID}
 *     where nobody says it
 */
public record Partition(String topic, String topicId, int number)
    implements Comparable<Partition>, Serializable {

  /** Stands for an id that isn't known. */
  public static final String NO_ID = "";

  private static final Comparator<Partition> ORDER =
      Comparator.comparing(Partition::topic)
          .thenComparing(Partition::topicId)
          .thenComparingInt(Partition::number);

  public Partition {
    Objects.requireNonNull(topic, "topic");
    Objects.requireNonNull(topicId, "topicId");
  }

  /** Makes one of a topic whose id isn't known. */
  public Partition(String topic, int number) {
    this(topic, NO_ID, number);
  }

  /** Reads what {@link #write} wrote. */
  public static Partition read(DataInput in) throws IOException {
    return new Partition(in.readUTF(), in.readUTF(), in.readInt());
  }

  public void write(DataOutput out) throws IOException {
    out.writeUTF(topic);
    out.writeUTF(topicId);
    out.writeInt(number);
  }

  @Override
  public int compareTo(Partition other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return topic + "-" + number;
  }
}
