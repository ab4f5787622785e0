package dev.millrace.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.job.options.InvalidOptionsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProductionTest {

  private static final List<String> TARGET =
      List.of("--kafka.bootstrap.servers", "localhost:9092", "--input.topics", "t");

  @TempDir Path directory;

  @Test
  void tablesAreWrittenAsLinesUnlessAskedOtherwise() throws IOException {
    Path table = Files.writeString(directory.resolve("t.csv"), "a,b,c\n1,2,x\n3,4,y\n");

    assertThat(firstRecord(Production.of("csv:" + table, TARGET))).isEqualTo("1.0,2.0,0");
    assertThat(firstRecord(Production.of("csv:" + table, with("--input.format", "json"))))
        .contains("\"features\"");
    assertThat(firstRecord(Production.of("csv:" + table, with("--input.csv.classes", "x,y"))))
        .isEqualTo("1.0,2.0,x");
  }

  @Test
  void classesInAnotherOrderThanTheTablesAreRefused() throws IOException {
    Path table = Files.writeString(directory.resolve("t.csv"), "1,DOWN\n2,UP\n");

    assertThatThrownBy(() -> Production.of("csv:" + table, with("--input.csv.classes", "UP,DOWN")))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("input.csv.classes", "'UP;DOWN'", "'DOWN;UP'");
    assertThat(firstRecord(Production.of("csv:" + table, with("--input.csv.classes", "DOWN,UP"))))
        .isEqualTo("1.0,DOWN");
  }

  @Test
  void linesOfJsonCanBeWrittenInAnotherFormat() throws IOException {
    Path lines =
        Files.writeString(
            directory.resolve("e.jsonl"), "\n{\"features\":[1,2],\"label\":1}\nnot json\n");
    Production production =
        Production.of(
            "json:" + lines,
            with("--input.features", "2", "--input.outputs", "2", "--input.format", "csv"));

    assertThat(firstRecord(production)).isEqualTo("1.0,2.0,1");
    try (ExampleSequence examples = production.open()) {
      Example example = new Example(production.shape());
      assertThat(examples.next(example)).isTrue();
      assertThatThrownBy(() -> examples.next(example))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("e.jsonl, line 3: ");
    }
  }

  @Test
  void everythingThatIsMissingIsNamed() {
    assertThatThrownBy(() -> Production.of("digits:10", List.of()))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll(
            "kafka.bootstrap.servers is missing", "input.topics names 0 topics");
    assertThatThrownBy(() -> Production.of("json:some.jsonl", TARGET))
        .hasMessageContainingAll("input.features is missing", "input.outputs is missing");
    assertThatThrownBy(() -> Production.of("xml:some", TARGET))
        .hasMessageContainingAll("--data is 'xml:some'", "idx:DIR");
    assertThatThrownBy(() -> Production.of("csv:/no/such.csv", TARGET))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("/no/such.csv");
  }

  private static List<String> with(String... more) {
    List<String> all = new ArrayList<>(TARGET);
    all.addAll(List.of(more));
    return all;
  }

  private static String firstRecord(Production production) throws IOException {
    Example example = new Example(production.shape());
    try (ExampleSequence examples = production.open()) {
      assertThat(examples.next(example)).isTrue();
      return new String(production.format().write(example), StandardCharsets.UTF_8);
    }
  }
}
