package dev.millrace.example;

import dev.millrace.model.Partition;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.WireFormat;
import dev.millrace.model.shape.ExampleShape;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes the labels of the records before features of an example, newest first: zeros where there is
 * none yet. What it knows belongs to partitions, which any reader may be given after a restart: it
 * is saved and restored partition by partition, by whoever reads them.
 *
 * <p>Nothing is allocated per example, but for a key that is new. Not thread-safe.
 */
public final class LabelLags {

  private static final int FORMAT = 1;

  /** The partition of examples that come from no topic. */
  private static final Partition NO_TOPIC = new Partition("", 0);

  private final ExampleShape shape;
  private final LagSettings settings;
  private final Map<Partition, PartitionLags> read = new HashMap<>();

  private Partition lastPartition;
  private PartitionLags last;

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
    last = read.computeIfAbsent(partition, any -> new PartitionLags(shape, settings));
    lastPartition = partition;
    return last;
  }

  /** All that is known of a partition; no bytes where that is nothing. */
  public byte[] save(Partition partition) throws IOException {
    PartitionLags lags = read.get(partition);
    if (lags == null) {
      return new byte[0];
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(FORMAT);
    lags.write(out);
    return bytes.toByteArray();
  }

  /**
   * Continues in a partition from what was saved of it.
   *
   * @throws InvalidModelException if it is of another shape
   */
  public void restore(Partition partition, byte[] saved) throws IOException {
    if (saved.length > 0) {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved));
      WireFormat.readVersion(in, FORMAT, LabelLags.class);
      lags(partition).read(in);
    }
  }
}
