package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.file.DataSpec;
import dev.millrace.snapshot.LatestSnapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A real data set, over stops and changes of parallelism: {@code mvn -Pnightly verify
 * -Dmillrace.fashion-mnist=DIR}, with the four files of Fashion-MNIST.
 */
@EnabledIfSystemProperty(named = "millrace.fashion-mnist", matches = ".+")
class FashionMnistIT {

  @ParameterizedTest
  @ValueSource(strings = {"dl4j", "torch"})
  void aModelIsAsGoodOverStopsAndOtherParallelisms(String engine) throws Exception {
    DataSpec data = DataSpec.parse("idx:" + System.getProperty("millrace.fashion-mnist"));
    try (TestCluster cluster = TestCluster.start("fashion-" + engine, 3, false)) {
      Topic topic = Topic.of(cluster.bootstrapServers(), "fashion", 6, data);
      Path directory = cluster.directory().resolve("run");
      TrainingRun run =
          new TrainingRun(
              cluster.flink(),
              topic,
              directory,
              Map.of(
                  "model.engine",
                  engine,
                  "execution.checkpointing.interval",
                  "10 s",
                  "evaluation.holdout",
                  data.toString()));

      String first = run.submit(2);
      run.awaitExamples(20_000);
      String atTwo = run.stop(first);
      String second = run.submit(Distribution.jobJar(), 3, List.of("-s", atTwo));
      run.awaitExamples(40_000);
      String atThree = run.stop(second);
      String third = run.submit(Distribution.jobJar(), 1, List.of("-s", atThree));
      run.awaitEnd(third);

      LatestSnapshot last = run.awaitWhole();
      double accuracy = last.description().holdOut().accuracy();
      Figures.tell(
          String.format(
              Locale.ROOT,
              "Fashion-MNIST, %s, 2, 3 and 1 replicas: hold-out accuracy %.4f",
              engine,
              accuracy));
      double local = localAccuracy(engine, data, cluster.directory());
      Figures.tell(
          String.format(
              Locale.ROOT,
              "Fashion-MNIST, %s, millrace demo: hold-out accuracy %.4f",
              engine,
              local));
      // Better by more is no fault: one replica at the end makes more optimizer steps than two.
      assertThat(accuracy).isGreaterThan(local - 0.005);
    }
  }

  /** Of two replicas in one process, from the beginning to the end. */
  private static double localAccuracy(String engine, DataSpec data, Path directory)
      throws Exception {
    Path summary = directory.resolve("local.json");
    ProcessBuilder demo =
        new ProcessBuilder(
                Distribution.script("millrace").toString(),
                "demo",
                "--data",
                data.toString(),
                "--model.engine",
                engine,
                "--work-dir",
                directory.resolve("local").toString(),
                "--summary",
                summary.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("local.log").toFile());
    demo.environment().put("MILLRACE_BUILD", "never");
    assertThat(demo.start().waitFor()).isZero();
    return new ObjectMapper().readTree(summary.toFile()).get("holdout_accuracy").asDouble();
  }
}
