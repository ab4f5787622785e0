package example;

import dev.millrace.api.ExampleWriter;
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
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Learns lines such as {@code 5.1,3.5,1.4,0.2,0} of a topic, the class last, and names the class of
 * lines without it, of another topic, in the same job.
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

    Millrace.train(
        env,
        lines(brokers, "flowers"),
        (line, to) ->
            measures(line, to).label(Integer.parseInt(line.substring(line.lastIndexOf(',') + 1))),
        TrainingOptions.builder()
            .model(Model.mlp(4, 3).hidden(16))
            .publishTo(models, Duration.ofSeconds(1))
            .build());

    Millrace.score(
            env.fromSource(lines(brokers, "unknown"), WatermarkStrategy.noWatermarks(), "unknown"),
            ModelFeed.latest(models),
            Flowers::measures)
        .predictions()
        .map(one -> String.join(",", one.record(), "" + one.best(), one.version()))
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

  private static ExampleWriter measures(String line, ExampleWriter to) {
    return to.features(
        Arrays.stream(line.split(",", -1)).limit(4).mapToDouble(Double::parseDouble).toArray());
  }

  private static KafkaSource<String> lines(String brokers, String topic) {
    return KafkaSource.<String>builder()
        .setBootstrapServers(brokers)
        .setTopics(topic)
        .setGroupId("flowers")
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setValueOnlyDeserializer(new SimpleStringSchema())
        .build();
  }
}
