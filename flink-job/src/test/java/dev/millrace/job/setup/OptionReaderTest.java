package dev.millrace.job.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.LearningOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.train.options.BatchOptions;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionReaderTest {

  @TempDir Path directory;

  @Test
  void readsNestedDottedAndMixedKeys() throws IOException {
    Configuration options =
        read(
            """
            kafka:
              bootstrap.servers: "one:9092,two:9092"
              group.id: trainers
              sasl:
                mechanism: PLAIN
            input.topics: [clicks, views]
            input:
              features: 12
              target: multi-label
              standardize: on
              max-record-size: 64kb
              classes: ["a;b", "it's", c]
            batch.max-wait: 250 ms
            model:
              learning-rate: 1e-2
              hidden: [128, 64]
            exchange.average-updater: false
            exchange.schedule: overlap
            flink.taskmanager.memory.network.max: 64mb
            """);

    assertThat(options.get(KafkaOptions.BOOTSTRAP_SERVERS)).isEqualTo("one:9092,two:9092");
    assertThat(options.get(InputOptions.TOPICS)).containsExactly("clicks", "views");
    assertThat(options.get(InputOptions.FEATURES)).isEqualTo(12);
    assertThat(options.get(InputOptions.TARGET)).isEqualTo(Target.MULTI_LABEL);
    assertThat(options.get(InputOptions.STANDARDIZE)).isEqualTo(InputOptions.Standardize.ON);
    assertThat(options.get(InputOptions.MAX_RECORD_SIZE)).isEqualTo(MemorySize.parse("64kb"));
    assertThat(options.get(InputOptions.CLASSES)).containsExactly("a;b", "it's", "c");
    assertThat(options.get(BatchOptions.MAX_WAIT)).isEqualTo(Duration.ofMillis(250));
    assertThat(options.get(LearningOptions.LEARNING_RATE)).isEqualTo(0.01);
    assertThat(options.get(ModelOptions.HIDDEN)).containsExactly(128, 64);
    assertThat(options.get(ExchangeOptions.AVERAGE_UPDATER)).isFalse();
    assertThat(options.get(ExchangeOptions.SCHEDULE)).isEqualTo("overlap");
    assertThat(KafkaOptions.cluster(options))
        .isEqualTo(
            new KafkaCluster("one:9092,two:9092", Map.of("sasl.mechanism", "PLAIN"), "kafka."));
    assertThat(FlinkOptions.clusterConfiguration(options).toMap())
        .containsOnly(Map.entry("taskmanager.memory.network.max", "64mb"));
  }

  /** YAML 1.1 takes some of these for octal or rounded numbers, or for true and false. */
  @Test
  void valuesAreTheTextThatIsWritten() throws IOException {
    Configuration options =
        read(
            """
            input.classes: [01, 010, 08, 1_000, 1.10, 0x1F, 1:30, yes, off, true, ~a]
            kafka.ssl.key.password: 0123456
            kafka.sasl.password: 1e6
            """);

    assertThat(options.get(InputOptions.CLASSES))
        .containsExactly(
            "01", "010", "08", "1_000", "1.10", "0x1F", "1:30", "yes", "off", "true", "~a");
    assertThat(
            KafkaOptions.cluster(options.set(KafkaOptions.BOOTSTRAP_SERVERS, "h:1")).properties())
        .containsEntry("ssl.key.password", "0123456")
        .containsEntry("sasl.password", "1e6");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a, b", "[0]", "a;b", "it's", "'a'", "a\nb,c;d", "[a, b]", "', ;", "- x", "-1"})
  void anElementOfAListMayHoldWhatSeparatesElements(String element) throws IOException {
    String written = "\"%s\"".formatted(element.replace("\n", "\\n"));

    assertThat(read("input.classes: [%s]".formatted(written)).get(InputOptions.CLASSES))
        .containsExactly(element);
    assertThat(read("input.classes: [%s, x]".formatted(written)).get(InputOptions.CLASSES))
        .containsExactly(element, "x");
  }

  @Test
  void theCommandLineOverridesTheFileInBothForms() throws IOException {
    Configuration options =
        read(
            "batch.size: 8\nmodel.seed: 3\n",
            "--batch.size",
            "16",
            "--model.seed=-5",
            "--input.topics",
            "a,b",
            "--model.image=8,8,1");

    assertThat(options.get(BatchOptions.SIZE)).isEqualTo(16);
    assertThat(options.get(ModelOptions.SEED)).isEqualTo(-5);
    assertThat(options.get(InputOptions.TOPICS)).containsExactly("a", "b");
    assertThat(options.get(ModelOptions.IMAGE)).containsExactly(8, 8, 1);
  }

  @Test
  void aCommaSeparatorIsNotAList() {
    Configuration options = OptionReader.read(List.of("--input.csv.separator", ","));

    assertThat(options.get(CsvOptions.SEPARATOR)).isEqualTo(",");
  }

  /** YAML makes a tab of the first, and leaves the others as they are. */
  @ParameterizedTest
  @ValueSource(strings = {"\"\\t\"", "'\\t'", "\\t"})
  void aTabSeparatesHoweverItIsWritten(String written) throws IOException {
    Configuration options = read("input.csv.separator: " + written + "\ninput.format: csv\n");

    JobOptions.checkEach(options);
    ExampleShape shape = new ExampleShape(1, 1, Target.REGRESSION);
    byte[] line = InputOptions.exampleFormat(options, shape).write(new Example(shape));
    assertThat(new String(line, StandardCharsets.UTF_8)).isEqualTo("0.0\t0.0");
  }

  @Test
  void anEmptyFileHoldsNoOptions() throws IOException {
    assertThat(read("# nothing yet\n").toMap()).isEmpty();
  }

  @Test
  void argumentsThatAreNoOptionsAreAllNamed() {
    assertThatThrownBy(() -> OptionReader.read(List.of("stray", "--batch.size", "--model.seed")))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll(
            "'stray' is not an option", "--batch.size has no value", "--model.seed has no value");
  }

  @Test
  void filesThatCantBeReadSayWhy() {
    assertThatThrownBy(() -> OptionReader.read(List.of("--config", directory + "/absent.yaml")))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("absent.yaml", "no such file");
    assertThatThrownBy(() -> read("a: [1\nb: 2")).hasMessageContainingAll("options.yaml", "line ");
    assertThatThrownBy(() -> read("- just\n- a list\n")).hasMessageContaining("keys and values");
    assertThatThrownBy(() -> read("a.b: 1\na:\n  b: 2\n")).hasMessageContaining("a.b is set twice");
    assertThatThrownBy(() -> read("batch.size: 1\nbatch.size: 2\n"))
        .hasMessageContaining("is there twice");
    assertThatThrownBy(() -> read("batch:\n  size:\n"))
        .hasMessageContaining("batch.size has no value");
    assertThatThrownBy(() -> read("input.topics: [a, ~]\n"))
        .hasMessageContaining("input.topics has an element without a value");
    assertThatThrownBy(() -> read("model.seed: ''\n"))
        .hasMessageContaining("model.seed has no value");
  }

  private Configuration read(String yaml, String... overrides) throws IOException {
    Path file = Files.writeString(directory.resolve("options.yaml"), yaml);
    List<String> arguments = new ArrayList<>(List.of("--config", file.toString()));
    arguments.addAll(List.of(overrides));
    return OptionReader.read(arguments);
  }
}
