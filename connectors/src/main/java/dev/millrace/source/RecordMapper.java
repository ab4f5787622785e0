package dev.millrace.source;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleAssembly;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Makes of every record exactly one {@link Received}: an example, or a rejected record that has the
 * record's bytes and says why it is none. No record makes it throw.
 *
 * <p>The example is the same object each time. Not thread-safe.
 *
 * @param <T> the record
 */
public final class RecordMapper<T> {

  private static final int SOME_BYTES = 128;
  private static final long NO_TIMESTAMP = -1;

  private final RecordMapping<T> mapping;
  private final TypeSerializer<T> serializer;
  private final ExampleAssembly assembly;

  /**
   * @param labelled whether an example has labels
   * @param serializer writes the records that are rejected
   */
  public RecordMapper(
      RecordMapping<T> mapping,
      ExampleShape shape,
      boolean labelled,
      TypeSerializer<T> serializer) {
    this.mapping = Objects.requireNonNull(mapping, "mapping");
    this.serializer = Objects.requireNonNull(serializer, "serializer");
    this.assembly = new ExampleAssembly(shape, labelled);
  }

  /**
   * Maps one record.
   *
   * @param place where it is from, unless the mapping says it
   * @param index in that place
   * @param time of the record, {@link Example#NO_TIMESTAMP} for none
   */
  public Received map(T record, Partition place, long index, long time) {
    assembly.begin();
    try {
      mapping.map(record, assembly);
    } catch (StackOverflowError e) {
      assembly.reject("nested too deep");
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      assembly.reject("not mapped: " + e);
    }
    Received received = assembly.end(place, index, time);
    return received instanceof RejectedRecord rejected
        ? withBytes(record, time == Example.NO_TIMESTAMP ? NO_TIMESTAMP : time, rejected)
        : received;
  }

  /** Gives a record that is rejected its bytes, and its time: -1 for none. */
  public RejectedRecord withBytes(T record, long time, RejectedRecord rejected) {
    return new RejectedRecord(
        rejected.partition(), rejected.offset(), time, null, bytes(record), rejected.reason());
  }

  /** None where the record can't be written: it is rejected all the same. */
  private byte[] bytes(T record) {
    DataOutputSerializer out = new DataOutputSerializer(SOME_BYTES);
    try {
      serializer.serialize(record, out);
      return out.getCopyOfBuffer();
    } catch (IOException | RuntimeException | StackOverflowError e) {
      return new byte[0];
    }
  }
}
