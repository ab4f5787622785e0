package dev.millrace.kafka.record;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.Prerequisites;
import dev.millrace.example.ReadingFaults;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.example.SkippedRecord;
import dev.millrace.example.SkippedRecordException;
import dev.millrace.example.UnavailableException;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Makes of every Kafka record exactly one {@link Received}: an example, or a rejected record that
 * says why it is none, or a skipped one. No record makes it throw: only what the format needs, and
 * can't have now, does ({@link UnavailableException}), and a source waits for that beforehand.
 *
 * <p>The example is the same object each time: it is valid until the next record.
 */
public final class ExampleDeserializer
    implements KafkaRecordDeserializationSchema<Received>, Preparing, Placing {

  private final ExampleShape shape;
  private final ExampleFormat format;
  private final MemorySize maxRecordSize;
  private final ReadingFaults faults = new ReadingFaults();

  private transient Example example;
  private transient PartitionPool partitions;
  private transient Map<String, String> topicIds;

  /**
   * Makes a deserializer for one job.
   *
   * @param maxRecordSize larger values are rejected unread
   */
  public ExampleDeserializer(ExampleShape shape, ExampleFormat format, MemorySize maxRecordSize) {
    this.shape = Objects.requireNonNull(shape, "shape");
    this.format = Objects.requireNonNull(format, "format");
    this.maxRecordSize = Objects.requireNonNull(maxRecordSize, "maxRecordSize");
  }

  @Override
  public void place(Map<String, String> ids) {
    topicIds = ids;
  }

  @Override
  public void open(DeserializationSchema.InitializationContext context) {
    open();
  }

  public void open() {
    example = new Example(shape);
    partitions = new PartitionPool(topicIds == null ? Map.of() : topicIds);
  }

  @Override
  public Prerequisites prerequisites() {
    return format.prerequisites();
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> message, Collector<Received> out) {
    out.collect(read(message));
  }

  /**
   * Reads a record of a file, as one of a topic is read.
   *
   * @param line where it begins
   */
  public Received read(String file, long line, byte[] value) {
    return read(new ConsumerRecord<>(file, 0, line, null, value));
  }

  public Received read(ConsumerRecord<byte[], byte[]> message) {
    Partition partition = partitions.get(message.topic(), message.partition());
    byte[] value = message.value();
    if (value == null) {
      return format.skipsTombstones()
          ? new SkippedRecord(partition, message.offset())
          : rejected(message, partition, "no value (a tombstone)");
    }
    if (value.length == 0) {
      return rejected(message, partition, "an empty value");
    }
    if (value.length > maxRecordSize.getBytes()) {
      return rejected(
          message,
          partition,
          "a value of %s bytes, where at most %s are allowed"
              .formatted(value.length, maxRecordSize.getBytes()));
    }
    example.reset();
    try {
      format.read(value, example);
    } catch (SkippedRecordException e) {
      return new SkippedRecord(partition, message.offset());
    } catch (InvalidExampleException e) {
      return rejected(message, partition, e.getMessage());
    } catch (UnavailableException e) {
      throw e;
    } catch (StackOverflowError e) {
      return rejected(message, partition, "nested too deep");
    } catch (RuntimeException e) {
      // A fault of the format, which must not stop the job: the record can be read again later.
      faults.tell(partition, message.offset(), e);
      return rejected(message, partition, ReadingFaults.REASON);
    }
    example.setOrigin(partition, message.offset());
    example.setKey(message.key());
    if (example.timestamp() == Example.NO_TIMESTAMP
        && message.timestamp() != ConsumerRecord.NO_TIMESTAMP) {
      example.setTimestamp(message.timestamp());
    }
    return example;
  }

  @Override
  public TypeInformation<Received> getProducedType() {
    return new ReceivedTypeInfo();
  }

  private static RejectedRecord rejected(
      ConsumerRecord<byte[], byte[]> message, Partition partition, String reason) {
    return new RejectedRecord(
        partition, message.offset(), message.timestamp(), message.key(), message.value(), reason);
  }
}
