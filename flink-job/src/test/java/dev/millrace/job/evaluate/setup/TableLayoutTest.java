package dev.millrace.job.evaluate.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.train.setup.HoldOutSetup;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That tables are laid out as the options say where models are measured, in any process. */
class TableLayoutTest {

  private static final ExampleShape SHAPE = new ExampleShape(2, 3, Target.CLASSIFICATION);

  @TempDir Path directory;

  private String table;

  @BeforeEach
  void writeATable() throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "2;0.5;1.5\n0;2.5;3.5\n");
    table = "csv:" + file;
  }

  @Test
  void aHoldOutTableIsLaidOutAsTheInput() throws Exception {
    Configuration options = options("evaluation.holdout", table);

    var holdOut = HoldOutSetup.of(options, new InputSetup(options, SHAPE));

    assertThat(InstantiationUtil.clone(holdOut).read().size()).isEqualTo(2);
  }

  @Test
  void aTableThatAModelIsEvaluatedOnIsLaidOutAsTheInput() throws Exception {
    EvaluationData data =
        EvaluationData.of(DataChoice.parse(table), SHAPE, List.of(), options("model.name", "mlp"));

    Example example = new Example(SHAPE);
    try (ExampleSequence examples = InstantiationUtil.clone(data.files()).open()) {
      assertThat(examples.next(example)).isTrue();
    }
    assertThat(example.features()).containsExactly(0.5f, 1.5f);
    assertThat(example.labels()).containsExactly(0, 0, 1);
  }

  private static Configuration options(String key, String value) {
    return OptionReader.configuration(
        Map.of(
            "kafka.bootstrap.servers",
            "localhost:9092",
            "input.csv.label",
            "first",
            "input.csv.separator",
            ";",
            key,
            value));
  }
}
