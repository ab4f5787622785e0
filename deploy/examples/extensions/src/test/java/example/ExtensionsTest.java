package example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.api.Millrace;
import dev.millrace.api.Model;
import dev.millrace.api.TrainingOptions;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.Encoder;
import dev.millrace.exchange.schedule.Schedule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each extension by itself, and all of them in a job that fails once. */
class ExtensionsTest {

  private static final int RECORDS = 4_000;
  private static final AtomicBoolean FAILED = new AtomicBoolean();

  @TempDir Path directory;

  @Test
  void noMemberMovesFurtherThanTheBound() {
    float[] result = new float[2];

    new Clamped()
        .create(Map.of("clamped.bound", "1"))
        .aggregate(new float[][] {{9, 0.5f}, {0, 0.5f}}, new double[] {1, 1}, 0, 2, result);

    assertArrayEquals(new float[] {0.5f, 0.5f}, result);
  }

  @Test
  void whatIsLeftOutIsSentNextTime() {
    Codec codec = new Halves().create(Map.of());
    Encoder encoder = codec.encoder(List.of());
    float[] change = {1, 2, 3};
    float[] sent = new float[3];

    codec.decode(encoder.encode(0, change, 3), sent, 3);
    assertArrayEquals(new float[] {1, 0, 3}, sent);
    assertArrayEquals(new float[] {0, 2, 0}, change);
    encoder.complete();
    codec.decode(encoder.encode(0, change, 3), sent, 3);
    assertArrayEquals(new float[] {0, 2, 0}, sent);
    assertThrows(IllegalArgumentException.class, () -> codec.decode(new byte[3], sent, 3));
  }

  @Test
  void theOptimizerKeepsItsSpeed() {
    ServerOptimizer optimizer = new HeavyBall().create(Map.of());
    float[] values = {0};
    float[] velocity = new float[optimizer.stateShape().length(1)];

    optimizer.apply(values, new float[] {1}, 1, 1, velocity);
    optimizer.apply(values, new float[] {0}, 1, 1, velocity);

    assertArrayEquals(new float[] {1.5f}, values);
  }

  @Test
  void contributionsBecomeRarer() {
    Schedule schedule = new Slowing().create(Map.of("slowing.most", "3"));

    assertEquals(1, schedule.localSteps(0, null));
    assertEquals(3, schedule.localSteps(1_000, null));
  }

  @Test
  void aJobWithAllOfThemLearnsEachRecordOnceOverAFailure() throws Exception {
    Configuration flink = new Configuration();
    flink.setString("restart-strategy.type", "fixed-delay");
    flink.setString("execution.checkpointing.interval", "50 ms");
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(2, flink);
    Millrace.prepare(environment);
    Path models = directory.resolve("models");

    Millrace.train(
        environment
            .fromSource(
                new NumberSequenceSource(0, RECORDS - 1), WatermarkStrategy.noWatermarks(), "n")
            .map(ExtensionsTest::failOnce)
            .returns(Types.LONG),
        (n, to) -> to.features(n % 10, n % 7).label(n % 10 < 5 ? 0 : 1),
        TrainingOptions.builder()
            .model(Model.mlp(2, 2).hidden(8))
            .batchSize(16)
            .publishTo("noted://" + models, Duration.ZERO)
            .option("exchange.aggregator", "example.Clamped")
            .option("exchange.server-optimizer", "example.HeavyBall")
            .option("exchange.schedule", "example.Slowing")
            .option("exchange.codec.contributions", "example.Halves")
            .option("extension.options.clamped.bound", "0.5")
            .build());
    environment.execute();

    assertTrue(FAILED.get());
    ObjectMapper json = new ObjectMapper();
    JsonNode latest = json.readTree(models.resolve("latest.json").toFile());
    JsonNode model = json.readTree(models.resolve(latest.get("description").asText()).toFile());
    long learned = 0;
    for (JsonNode partition : model.get("ledger")) {
      learned += partition.get("learned").get("count").asLong();
    }
    assertEquals(RECORDS, learned);
    assertTrue(
        Files.readAllLines(directory.resolve("models.noted")).contains("latest.json"),
        "models went through the store");
  }

  private static Long failOnce(Long n) {
    if (n == RECORDS / 3 && FAILED.compareAndSet(false, true)) {
      throw new IllegalStateException("planned");
    }
    return n;
  }
}
