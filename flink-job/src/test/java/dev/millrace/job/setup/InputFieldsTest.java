package dev.millrace.job.setup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options of named fields, from a file or a command line to what reads a record. */
class InputFieldsTest {

  private static final String FIELDS =
      """
        - {path: amount, kind: number, clip: [0, 010]}
        - {path: word, kind: category, values: [no, 1.10]}
        - path: status
          role: label
          rule: 'status == "fraud"'
      """;

  @TempDir Path directory;

  /** YAML takes them for the end of a line, and a list of fields is read twice. */
  @Test
  void nameMayHaveCharactersThatEndLinesElsewhere() {
    Configuration options =
        OptionReader.parse(
            "input.fields: [{path: \"\\u0085z\", kind: number}, {path: \"a\\u2028Größe\"}]");

    assertThat(options.get(InputOptions.FIELDS))
        .isEqualTo("[{\"path\":\"\\u0085z\",\"kind\":\"number\"},{\"path\":\"a\\u2028Größe\"}]");
  }

  @Test
  void fieldsInAFileDecideFeaturesAndOutputs() throws Exception {
    Configuration options = training(FIELDS, List.of());
    ExampleShape shape = InputOptions.shape(options);
    Example example = new Example(shape);
    InputOptions.exampleFormat(options, shape)
        .read("{\"amount\":99,\"word\":\"1.10\",\"status\":\"fraud\"}".getBytes(UTF_8), example);

    assertThat(options.get(InputOptions.FEATURES)).isEqualTo(5);
    assertThat(options.get(InputOptions.OUTPUTS)).isEqualTo(2);
    assertThat(example.features()).containsExactly(10, 0, 0, 0, 1);
    assertThat(example.labels()).containsExactly(0, 1);
  }

  @Test
  void aCommandLineHasAListOrAFile() throws IOException {
    Path file = Files.writeString(directory.resolve("fields.yaml"), FIELDS.indent(-2));
    String listed =
        OptionReader.read(List.of("--input.fields", file.toString())).get(InputOptions.FIELDS);
    Configuration inline =
        OptionReader.read(List.of("--input.fields=[{path: a, kind: number, clip: [1, 2]}]"));

    assertThat(listed).startsWith("[{\"path\":\"amount\"");
    assertThat(inline.get(InputOptions.FIELDS))
        .isEqualTo("[{\"path\":\"a\",\"kind\":\"number\",\"clip\":[\"1\",\"2\"]}]");
    assertThatThrownBy(() -> OptionReader.read(List.of("--input.fields", "no-such.yaml")))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("no-such.yaml can't be read: there is no such file");
  }

  @Test
  void recordsAreReadWithTheWordsAndTheSignOfTheOptions() throws Exception {
    Configuration options =
        training(FIELDS, List.of("--input.missing", "NA,?", "--input.decimal", ","));
    ExampleShape shape = InputOptions.shape(options);
    Example example = new Example(shape);
    InputOptions.exampleFormat(options, shape)
        .read("{\"amount\":\"9,5\",\"word\":\"?\",\"status\":\"ok\"}".getBytes(UTF_8), example);

    assertThat(example.features()).containsExactly(9.5f, 0, 1, 0, 0);
    refused(
        FIELDS, "The word \"NA\" for a missing value is there twice", "--input.missing", "NA,NA");
    refused(FIELDS, "input.decimal is ';'", "--input.decimal", ";");
  }

  @Test
  void whatDisagreesWithTheFieldsIsRefused() {
    refused(FIELDS, "input.features is '7', and input.fields become 5", "--input.features", "7");
    refused(
        FIELDS,
        "input.outputs is '3', and the labels in input.fields have 2",
        "--input.outputs",
        "3");
    refused(
        FIELDS,
        "input.format is 'float32', which holds no named fields",
        "--input.format",
        "float32");
    refused(
        FIELDS,
        "The columns of csv have no names, so \"amount\" isn't found",
        "--input.format",
        "csv");
    refused(
        FIELDS,
        "input.sequence.path is set, and input.sequence.steps is missing",
        "--input.sequence.path",
        "items");
    refused("  - {path: a, kind: numer}\n", "input.fields: Field \"a\": kind is 'numer'");
    refused(
        "  - {path: a, kind: number}\n  - {path: c, role: label}\n",
        "input.outputs is missing, and neither the rule of a label nor input.classes gives it");
    refused("  - {path: a, kind: number}\n", "No field has the role label", "--input.outputs", "3");
  }

  /** Its jar may not be there yet, as where the command runs. */
  @Test
  void aFormatOfOnesOwnJudgesItsOptions() {
    assertThatThrownBy(
            () -> training(FIELDS, List.of("--input.format", "xml", "--input.xml.x", "1")))
        .hasMessageContaining("input.format is 'xml'")
        .hasMessageNotContaining("input.xml.x is not an option");
    refused(FIELDS, "input.csv.x is not an option", "--input.format", "csv", "--input.csv.x", "1");
    refused(FIELDS, "input.xml.x is not an option", "--input.xml.x", "1");
  }

  private void refused(String fields, String message, String... arguments) {
    assertThatThrownBy(() -> training(fields, List.of(arguments)))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining(message);
  }

  private Configuration training(String fields, List<String> arguments) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("train.yaml"),
            "kafka.bootstrap.servers: b:1\ninput:\n  topics: [t]\n  fields:\n"
                + fields.indent(2)
                + "model.name: mlp\n");
    List<String> all = new ArrayList<>(List.of("--config", file.toString()));
    all.addAll(arguments);
    return JobOptions.check(JobKind.TRAINING, OptionReader.read(all), new Configuration()).values();
  }
}
