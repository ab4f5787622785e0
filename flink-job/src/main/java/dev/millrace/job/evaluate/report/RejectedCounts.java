package dev.millrace.job.evaluate.report;

import dev.millrace.example.RejectedRecord;
import dev.millrace.model.Partition;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * How many records were no examples, and what was wrong with the first {@value #KEPT} of them, in
 * the order of partitions and offsets: the same, whoever read which.
 *
 * <p>Not thread-safe.
 */
public final class RejectedCounts {

  static final int KEPT = 5;

  public static final WireFormat<RejectedCounts> WIRE = new Wire();

  private long count;
  private final NavigableSet<Rejection> first =
      new TreeSet<>(
          Comparator.comparing(Rejection::partition).thenComparingLong(Rejection::offset));

  /** One record that was no example. */
  public record Rejection(Partition partition, long offset, String reason) {}

  public void add(RejectedRecord record) {
    count++;
    keep(new Rejection(record.partition(), record.offset(), record.reason()));
  }

  /** Takes in what another has, which stays as it is. */
  public void merge(RejectedCounts other) {
    count += other.count;
    other.first.forEach(this::keep);
  }

  public long count() {
    return count;
  }

  public List<Rejection> first() {
    return List.copyOf(first);
  }

  private void keep(Rejection rejection) {
    first.add(rejection);
    if (first.size() > KEPT) {
      first.pollLast();
    }
  }

  private static final class Wire implements WireFormat<RejectedCounts> {

    private static final int VERSION = 1;

    @Override
    public void write(RejectedCounts metadata, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(metadata.count);
      out.writeInt(metadata.first.size());
      for (Rejection rejection : metadata.first) {
        rejection.partition.write(out);
        out.writeLong(rejection.offset);
        out.writeUTF(rejection.reason);
      }
    }

    @Override
    public RejectedCounts read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, RejectedCounts.class);
      RejectedCounts metadata = new RejectedCounts();
      metadata.count = in.readLong();
      for (int left = in.readInt(); left > 0; left--) {
        Partition partition = Partition.read(in);
        metadata.first.add(new Rejection(partition, in.readLong(), in.readUTF()));
      }
      return metadata;
    }
  }
}
