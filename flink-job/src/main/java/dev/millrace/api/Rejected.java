package dev.millrace.api;

import dev.millrace.example.RejectedRecord;
import java.util.Map;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * A record that can't be learned from, or predicted for.
 *
 * @param record the record; null where the model refused the example that was made of it, and the
 *     record was gone by then
 * @param topic of its place: the id of its split, unless the mapper said another
 * @param partition of its place; 0 of a split
 * @param offset of its place: the record's number in the split
 * @param reason what was expected and what came
 * @param <T> the record
 */
@PublicEvolving
public record Rejected<T>(T record, String topic, int partition, long offset, String reason) {

  static <T> DataStream<Rejected<T>> of(
      DataStream<RejectedRecord> rejected,
      TypeInformation<T> type,
      TypeSerializer<T> serializer,
      String uid) {
    return rejected.map(new Reader<>(serializer)).returns(type(type)).name(uid).uid(uid);
  }

  /** Makes the stream of rejected records whose bytes are themselves. */
  static DataStream<Rejected<byte[]>> ofBytes(
      DataStream<RejectedRecord> rejected, TypeInformation<byte[]> type, String uid) {
    return rejected
        .map(record -> of(record, record.value()))
        .returns(type(type))
        .name(uid)
        .uid(uid);
  }

  private static <T> Rejected<T> of(RejectedRecord rejected, T record) {
    return new Rejected<>(
        record,
        rejected.partition().topic(),
        rejected.partition().number(),
        rejected.offset(),
        rejected.reason());
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // A class has no type arguments.
  private static <T> TypeInformation<Rejected<T>> type(TypeInformation<T> record) {
    return (TypeInformation)
        Types.POJO(
            Rejected.class,
            Map.of(
                "record", record,
                "topic", Types.STRING,
                "partition", Types.INT,
                "offset", Types.LONG,
                "reason", Types.STRING));
  }

  private record Reader<T>(TypeSerializer<T> serializer)
      implements MapFunction<RejectedRecord, Rejected<T>> {

    @Override
    public Rejected<T> map(RejectedRecord rejected) throws Exception {
      byte[] bytes = rejected.value();
      return of(
          rejected,
          bytes == null || bytes.length == 0
              ? null
              : serializer.deserialize(new DataInputDeserializer(bytes)));
    }
  }
}
