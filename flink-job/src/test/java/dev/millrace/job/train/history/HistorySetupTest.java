package dev.millrace.job.train.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.common.InputSetup;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HistorySetupTest {

  private static final String FIELDS =
      "[{\"path\":\"amount\",\"kind\":\"number\"},{\"path\":\"fraud\",\"role\":\"label\"}]";

  @TempDir Path directory;

  private final List<String> unread = new ArrayList<>();

  /** Whatever the format of topics is, files have JSON or rows. */
  @ParameterizedTest
  @CsvSource({
    "json, rows.csv",
    "csv, rows.csv",
    "json-confluent, rows.csv",
    "json, lines.jsonl",
    "csv, lines.jsonl",
    "json-confluent, lines.jsonl"
  })
  void filesHaveTheFieldsOfTopics(String format, String file) throws Exception {
    write("rows.csv", "amount,fraud\n1,yes\n");
    write("lines.jsonl", "{\"amount\":1,\"fraud\":\"yes\"}\n");
    Map<String, String> options = new TreeMap<>(Map.of("input.format", format));
    if (format.equals("csv")) {
      options.put("input.csv.columns", "amount;fraud");
    }

    assertThat(named(file, options))
        .contains("1 file, %s, before the topics".formatted(size(file)));
  }

  /** A table of rows is no stream of changes, whatever topics are. */
  @Test
  void rowsHaveNoEnvelope() throws Exception {
    write("rows.csv", "amount,fraud\n1,yes\n");
    write("lines.jsonl", "{\"op\":\"c\",\"after\":{\"amount\":1,\"fraud\":\"yes\"}}\n");

    for (String file : List.of("rows.csv", "lines.jsonl")) {
      assertThat(named(file, Map.of("input.envelope", "debezium"))).isPresent();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"float32", "json"})
  void linesOfArraysAreRead(String format) throws Exception {
    write("lines.jsonl", "{\"features\":[1],\"label\":0}\n");

    assertThat(arrays("lines.jsonl", format)).isPresent();
  }

  @Test
  void whatCannotBeLearnedIsRefusedBeforehand() throws Exception {
    write("rows.csv", "1,2\n");
    write("bad.jsonl", "{\"features\":[1,2],\"label\":0}\n{}\n");

    assertThatThrownBy(() -> arrays("nothing-*.jsonl", "json"))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("input.history is '")
        .hasMessageContaining("nothing-*.jsonl. Correct the path");
    assertThatThrownBy(() -> arrays("bad.jsonl", "json"))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("None of the first 2 records of file:")
        .hasMessageContaining("Line 1: ");
    assertThatThrownBy(() -> arrays("rows.csv", "json"))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("rows.csv is a table, and records are arrays");
    assertThatThrownBy(() -> named("rows.csv", Map.of()))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("rows.csv");
    assertThat(arrays("nosuch://place/*.jsonl", "json")).isEmpty();
    assertThat(unread).singleElement().asString().contains("can't be looked at from here");
  }

  @Test
  void aSavepointKnowsTheFiles() throws Exception {
    Configuration options = new Configuration();
    options.set(HistoryOptions.PATH, directory.resolve("gone.jsonl").toString());
    options.set(InputOptions.FEATURES, 1).set(InputOptions.OUTPUTS, 2);

    assertThat(
            setup(options)
                .check(
                    new Configuration().set(StateRecoveryOptions.SAVEPOINT_PATH, "file:///some"),
                    unread::add))
        .isEmpty();
    assertThat(unread).isEmpty();
  }

  private Optional<String> named(String file, Map<String, String> more) {
    Configuration options = Configuration.fromMap(more);
    options.set(InputOptions.FIELDS, FIELDS).set(InputOptions.CLASSES, List.of("no", "yes"));
    options.set(HistoryOptions.PATH, directory.resolve(file).toString());
    return setup(InputFields.complete(options)).check(new Configuration(), unread::add);
  }

  private Optional<String> arrays(String file, String format) {
    Configuration options = new Configuration();
    options.set(InputOptions.FORMAT, format);
    options.set(InputOptions.FEATURES, 1).set(InputOptions.OUTPUTS, 2);
    options.set(
        HistoryOptions.PATH, file.contains("://") ? file : directory.resolve(file).toString());
    return setup(options).check(new Configuration(), unread::add);
  }

  private static HistorySetup setup(Configuration options) {
    return HistorySetup.of(options, new InputSetup(options, InputOptions.shape(options)))
        .orElseThrow();
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(directory.resolve(file), text);
  }

  private String size(String file) throws IOException {
    return Files.size(directory.resolve(file)) + " bytes";
  }
}
