package dev.millrace.example;

import dev.millrace.model.ExampleShape;
import dev.millrace.model.InvalidModelException;
import dev.millrace.model.Partition;
import dev.millrace.model.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the labels of the records before features of an example, newest first: zeros where there is
 * none yet. What it knows belongs to partitions, which any reader may be given after a restart. So
 * each reader gets the state of all, and goes on with that of the partitions which it reads.
 *
 * <p>Nothing is allocated per example, but for a key that is new. Not thread-safe.
 */
public final class LabelLags {

  private static final int FORMAT = 1;

  /** Of examples that come from no topic. */
  private static final Partition NO_TOPIC = new Partition("", 0);

  private final ExampleShape shape;
  private final LagSettings settings;
  private final Map<Partition, PartitionLags> read = new HashMap<>();

  /** Of partitions that were restored, and of which no record has come since. */
  private final Map<Partition, Saved> waiting = new HashMap<>();

  private Partition lastPartition;
  private PartitionLags last;

  /**
   * @param offset of the newest record
   * @param bytes of all that is known of a partition
   */
  private record Saved(long offset, byte[] bytes) {}

  /** Knows of no record. */
  public LabelLags(ExampleShape shape, LagSettings settings) {
    this.shape = shape;
    this.settings = settings;
  }

  /** Whether there is anything to do. */
  public boolean areOn() {
    return shape.labelLags() > 0;
  }

  /** Completes the features of an example whose record is the next one of its partition. */
  public void complete(Example example) {
    if (areOn()) {
      lags(example.partition() == null ? NO_TOPIC : example.partition()).complete(example);
    }
  }

  private PartitionLags lags(Partition partition) {
    if (partition.equals(lastPartition)) {
      return last;
    }
    PartitionLags lags = read.get(partition);
    if (lags == null) {
      Saved saved = waiting.remove(partition);
      lags = saved == null ? new PartitionLags(shape, settings) : restored(saved);
      read.put(partition, lags);
    }
    lastPartition = partition;
    last = lags;
    return lags;
  }

  private PartitionLags restored(Saved saved) {
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved.bytes));
      PartitionLags lags = new PartitionLags(shape, settings);
      partitionOf(in);
      lags.read(in);
      return lags;
    } catch (IOException e) {
      throw new IllegalStateException("Labels of a checkpoint can't be read", e);
    }
  }

  /**
   * All that this reader has to keep, a byte string a partition. Of partitions that nobody reads
   * one reader keeps what is known.
   *
   * @param index number of the reader
   * @param readers how many there are
   */
  public List<byte[]> save(int index, int readers) throws IOException {
    List<byte[]> saved = new ArrayList<>();
    for (Map.Entry<Partition, PartitionLags> entry : read.entrySet()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeByte(FORMAT);
      out.writeUTF(entry.getKey().topic());
      out.writeInt(entry.getKey().number());
      entry.getValue().write(out);
      saved.add(bytes.toByteArray());
    }
    waiting.forEach(
        (partition, state) -> {
          int owner =
              Math.floorMod(partition.topic().hashCode() * 31 + partition.number(), readers);
          if (owner == index) {
            saved.add(state.bytes);
          }
        });
    return saved;
  }

  /**
   * Continues from what all readers had saved. Of a partition that several had, the one that read
   * last knows best.
   *
   * @throws InvalidModelException if it is of another shape
   */
  public void restore(List<byte[]> saved) throws IOException {
    for (byte[] bytes : saved) {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
      Partition partition = partitionOf(in);
      Saved found = new Saved(PartitionLags.offset(in, shape), bytes);
      waiting.merge(partition, found, (one, other) -> one.offset > other.offset ? one : other);
    }
  }

  private static Partition partitionOf(DataInputStream in) throws IOException {
    WireFormat.readVersion(in, FORMAT, LabelLags.class);
    return new Partition(in.readUTF(), in.readInt());
  }
}
