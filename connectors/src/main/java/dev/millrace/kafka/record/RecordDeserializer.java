package dev.millrace.kafka.record;

import dev.millrace.example.Prerequisites;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Hands every record of a topic to a {@link RecordReader}. */
public final class RecordDeserializer<T>
    implements KafkaRecordDeserializationSchema<T>, Preparing, Placing {

  private final RecordReader<T> reader;
  private final TypeInformation<T> type;

  private transient PartitionPool partitions;
  private transient Map<String, String> topicIds;

  public RecordDeserializer(RecordReader<T> reader, TypeInformation<T> type) {
    this.reader = Objects.requireNonNull(reader, "reader");
    this.type = Objects.requireNonNull(type, "type");
  }

  @Override
  public Prerequisites prerequisites() {
    return reader.prerequisites();
  }

  @Override
  public void place(Map<String, String> ids) {
    topicIds = ids;
  }

  @Override
  public void open(DeserializationSchema.InitializationContext context) {
    partitions = new PartitionPool(topicIds == null ? Map.of() : topicIds);
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> message, Collector<T> out) {
    out.collect(
        reader.read(
            new RawRecord(
                partitions.get(message.topic(), message.partition()),
                message.offset(),
                message.timestamp(),
                message.key(),
                message.value())));
  }

  @Override
  public TypeInformation<T> getProducedType() {
    return type;
  }
}
