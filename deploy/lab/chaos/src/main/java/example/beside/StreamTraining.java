package example.beside;

import dev.millrace.api.ExampleMapper;
import dev.millrace.api.Millrace;
import dev.millrace.api.Model;
import dev.millrace.api.TrainingOptions;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Trains on a topic of digits by a program, from a source or from a stream. */
final class StreamTraining {

  private StreamTraining() {}

  static void submit(Way way, String servers, String topic, String models) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    Millrace.prepare(env);
    KafkaSource<Tuple3<Integer, Long, byte[]>> source =
        KafkaSource.<Tuple3<Integer, Long, byte[]>>builder()
            .setBootstrapServers(servers)
            .setTopics(topic)
            .setGroupId(way.toString())
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setDeserializer(new Placed())
            .build();
    ExampleMapper<Tuple3<Integer, Long, byte[]>> mapper =
        (digit, to) ->
            to.features(Digit.pixels(digit.f2))
                .label(Digit.label(digit.f2))
                .position(topic, digit.f0, digit.f1);
    TrainingOptions options =
        TrainingOptions.builder()
            .model(Model.mlp(Digit.PIXELS, Digit.CLASSES).hidden(64))
            .option("model.updater", "adam")
            .option("model.learning-rate", "0.002")
            .publishTo(models, Duration.ofSeconds(2))
            .build();
    if (way == Way.SOURCE) {
      Millrace.train(env, source, mapper, options);
    } else {
      Millrace.train(
          env.fromSource(source, WatermarkStrategy.noWatermarks(), "digits").uid("digits"),
          mapper,
          options);
    }
    env.execute("trains beside, from a " + way);
  }

  /** A record's value, with its partition and its offset. */
  private static final class Placed
      implements KafkaRecordDeserializationSchema<Tuple3<Integer, Long, byte[]>> {

    private static final long serialVersionUID = 1;

    @Override
    public void deserialize(
        ConsumerRecord<byte[], byte[]> message, Collector<Tuple3<Integer, Long, byte[]>> out) {
      out.collect(Tuple3.of(message.partition(), message.offset(), message.value()));
    }

    @Override
    public TypeInformation<Tuple3<Integer, Long, byte[]>> getProducedType() {
      return Types.TUPLE(Types.INT, Types.LONG, Types.PRIMITIVE_ARRAY(Types.BYTE));
    }
  }
}
