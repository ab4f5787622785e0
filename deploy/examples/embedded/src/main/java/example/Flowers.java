package example;

import dev.millrace.api.Millrace;
import dev.millrace.api.Model;
import dev.millrace.api.ModelFeed;
import dev.millrace.api.TrainingOptions;
import java.time.Duration;
import java.util.Arrays;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.co.ProcessJoinFunction;
import org.apache.flink.util.Collector;

/**
 * Names the kind of each flower as soon as it is measured ({@code id,5.1,3.5,1.4,0.2}), and learns
 * from it when somebody has told its kind ({@code id,0}), up to an hour later: all in one job.
 */
public final class Flowers {

  private Flowers() {}

  /** Takes the brokers' addresses and a directory for models. */
  public static void main(String[] args) throws Exception {
    String brokers = args[0];
    String models = args[1];
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    Millrace.prepare(env);
    env.enableCheckpointing(1_000);
    KeyedStream<String, String> measured = lines(env, brokers, "measured");

    Millrace.train(
        measured
            .intervalJoin(lines(env, brokers, "told"))
            .between(Duration.ofHours(-1), Duration.ofHours(1))
            .process(new Join()),
        (line, to) -> to.features(measures(line)).label(Integer.parseInt(field(line, 6))),
        TrainingOptions.builder()
            .model(Model.mlp(4, 3).hidden(16))
            .publishTo(models, Duration.ofSeconds(1))
            .build());

    Millrace.score(measured, ModelFeed.latest(models), (line, to) -> to.features(measures(line)))
        .predictions()
        .map(one -> field(one.record(), 0) + "," + one.best() + "," + one.version())
        .returns(Types.STRING)
        .sinkTo(
            KafkaSink.<String>builder()
                .setBootstrapServers(brokers)
                .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                .setRecordSerializer(
                    KafkaRecordSerializationSchema.builder()
                        .setTopic("named")
                        .setValueSerializationSchema(new SimpleStringSchema())
                        .build())
                .build());
    env.execute("flowers");
  }

  private static KeyedStream<String, String> lines(
      StreamExecutionEnvironment env, String brokers, String topic) {
    return env.fromSource(
            KafkaSource.<String>builder()
                .setBootstrapServers(brokers)
                .setTopics(topic)
                .setGroupId("flowers")
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setValueOnlyDeserializer(new SimpleStringSchema())
                .build(),
            WatermarkStrategy.forBoundedOutOfOrderness(Duration.ofMinutes(1)),
            topic)
        .uid(topic)
        .keyBy(line -> field(line, 0));
  }

  private static double[] measures(String line) {
    return Arrays.stream(line.split(",", -1))
        .skip(1)
        .limit(4)
        .mapToDouble(Double::parseDouble)
        .toArray();
  }

  private static String field(String line, int number) {
    return line.split(",", -1)[number];
  }

  /** A measured line with that which tells its kind behind it. */
  private static final class Join extends ProcessJoinFunction<String, String, String> {

    @Override
    public void processElement(
        String measured, String told, Context context, Collector<String> out) {
      out.collect(measured + "," + told);
    }
  }
}
