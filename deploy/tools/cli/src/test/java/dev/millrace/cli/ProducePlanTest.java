package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.file.RecordSequence;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.OptionReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProducePlanTest {

  private static final List<String> TARGET =
      List.of("--kafka.bootstrap.servers", "localhost:9092", "--input.topics", "t");

  @TempDir Path directory;

  @Test
  void tablesAreWrittenAsLinesUnlessAskedOtherwise() throws IOException {
    Path table = Files.writeString(directory.resolve("t.csv"), "a,b,c\n1,2,x\n3,4,y\n");
    Path numbers = Files.writeString(directory.resolve("n.csv"), "a,b,c\n1,2,1\n3,4,0\n");

    assertThat(firstRecord(production("csv:" + numbers, TARGET))).isEqualTo("1.0,2.0,1");
    assertThat(firstRecord(production("csv:" + numbers, with("--input.format", "json"))))
        .contains("\"features\"");
    assertThat(firstRecord(production("csv:" + table, with("--input.classes", "x,y"))))
        .isEqualTo("1.0,2.0,x");
    assertThat(firstRecord(production("csv:" + table, with("--input.classes", "y,x"))))
        .isEqualTo("1.0,2.0,x");
  }

  @Test
  void classesHaveTheNumbersOfTheJobWhateverTheTableHas() throws IOException {
    Path table = Files.writeString(directory.resolve("t.csv"), "1,DOWN\n2,DOWN\n");
    List<String> named = with("--input.classes", "UP,DOWN,FLAT");

    assertThat(firstRecord(production("csv:" + table, named))).isEqualTo("1.0,DOWN");
  }

  @Test
  void numbersOfClassesAreThemselvesWhereTheTableLacksSome() throws IOException {
    Path table = Files.writeString(directory.resolve("t.csv"), "1,0\n2,5\n3,2\n");
    Path stray = Files.writeString(directory.resolve("s.csv"), "1,1\n2,2\n3,NA\n");
    List<String> ten = with("--input.features", "1", "--input.outputs", "10");

    try (RecordSequence records = production("csv:" + table, ten).open()) {
      records.next();
      records.next();
      assertThat(records.value()).asString().isEqualTo("2.0,5");
    }
    assertThatThrownBy(() -> production("csv:" + stray, ten))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("s.csv has 3 classes", "[1, 2, NA]", "the input's classes");
  }

  @Test
  void tablesAreReadAsTheOptionsLayThemOut() throws IOException {
    Path table = Files.writeString(directory.resolve("t.csv"), "label;a;b\n1;7;8\n0;9;9\n");
    List<String> options = with("--input.csv.label", "first", "--input.csv.separator", ";");

    assertThat(firstRecord(production("csv:" + table, options))).isEqualTo("1;7.0;8.0");
    options.addAll(List.of("--input.outputs", "3"));
    assertThat(firstRecord(production("csv:" + table, options))).isEqualTo("1;7.0;8.0");
  }

  @Test
  void aClassThatIsNamedTwiceIsRefused() throws IOException {
    Path table = Files.writeString(directory.resolve("t.csv"), "1,a\n2,b\n");

    assertThatThrownBy(() -> production("csv:" + table, with("--input.classes", "a,b,a")))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("input.classes is", "have to differ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 2", "a c", "1 2 3", "0.0 1.0", "00 1"})
  void classesWhoseNumbersNothingSaysAreRefused(String classes) throws IOException {
    Path table =
        Files.writeString(directory.resolve("t.csv"), "1," + classes.replace(" ", "\n1,") + "\n");

    assertThatThrownBy(() -> production("csv:" + table, TARGET))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll(
            "t.csv", classes.replace(" ", ", "), "input.classes", "input.outputs");
  }

  @Test
  void labelsOfARegressionAreNumbersNotClasses() throws IOException {
    Path table = Files.writeString(directory.resolve("t.csv"), "1,20\n2,50\n3,10\n");
    List<String> regression =
        with("--input.features", "1", "--input.outputs", "1", "--input.target", "regression");

    assertThat(firstRecord(production("csv:" + table, regression))).isEqualTo("1.0,20.0");
    assertThatThrownBy(() -> production("csv:" + table, with("--input.target", "regression")))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("input.outputs is missing");
  }

  @Test
  void dataOfAnotherShapeThanTheJobsIsRefused() {
    assertThatThrownBy(
            () -> production("digits:10", with("--input.features", "54", "--input.outputs", "7")))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll(
            "input.features is '54', and --data has '784'",
            "input.outputs is '7', and --data has '10'");
  }

  @Test
  void linesOfJsonCanBeWrittenInAnotherFormat() throws IOException {
    Path lines =
        Files.writeString(
            directory.resolve("e.jsonl"), "\n{\"features\":[1,2],\"label\":1}\nnot json\n");
    ProducePlan production =
        production(
            "json:" + lines,
            with("--input.features", "2", "--input.outputs", "2", "--input.format", "csv"));

    assertThat(firstRecord(production)).isEqualTo("1.0,2.0,1");
    try (RecordSequence records = production.open()) {
      assertThat(records.next()).isTrue();
      assertThatThrownBy(records::next)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("e.jsonl, line 3: ");
    }
  }

  @Test
  void linesThatNoOptionSpeaksOfAreSentAsTheyAre() throws IOException {
    Path lines = Files.writeString(directory.resolve("e.jsonl"), "{\"a\": {\"b\": 1}}\nnot json\n");

    try (RecordSequence records = production("json:" + lines, TARGET).open()) {
      assertThat(records.next()).isTrue();
      assertThat(records.value()).asString().isEqualTo("{\"a\": {\"b\": 1}}");
      assertThat(records.next()).isTrue();
    }
  }

  @Test
  void rowsOfNamedFieldsAreSentWithoutTheHoldOut() throws IOException {
    Path table = Files.writeString(directory.resolve("t.csv"), "a,y\n1,0\n2,1\n3,0\n");
    List<String> fields =
        with(
            "--input.format",
            "json",
            "--input.outputs",
            "2",
            "--input.fields",
            "[{\"path\":\"a\",\"kind\":\"number\"},{\"path\":\"y\",\"role\":\"label\"}]");

    try (RecordSequence records = production("csv:" + table + ",holdout=2", fields).open()) {
      assertThat(records.next()).isTrue();
      assertThat(records.value()).asString().isEqualTo("{\"a\":1,\"y\":0}");
      assertThat(records.next()).isFalse();
    }
    assertThatThrownBy(() -> production("csv:" + table + ",holdout=4", fields).open())
        .hasMessageContaining("asks for more than the 3 rows");
    assertThatThrownBy(() -> production("digits:10", fields))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("has no named fields");
    assertThatThrownBy(() -> production("t.csv", fields)).hasMessageContaining("Data must be");
  }

  @Test
  void everythingThatIsMissingIsNamed() {
    assertThatThrownBy(() -> production("digits:10", List.of()))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll(
            "kafka.bootstrap.servers is missing", "input.topics names 0 topics");
    assertThatThrownBy(() -> production("json:some.jsonl", with("--input.format", "csv")))
        .hasMessageContainingAll("input.format is 'csv'", "input.features", "input.outputs");
    assertThatThrownBy(() -> production("xml:some", TARGET))
        .hasMessageContainingAll("--data is 'xml:some'", "idx:DIR");
    assertThatThrownBy(() -> production("csv:/no/such.csv", TARGET))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("/no/such.csv");
  }

  private static List<String> with(String... more) {
    List<String> all = new ArrayList<>(TARGET);
    all.addAll(List.of(more));
    return all;
  }

  private static String firstRecord(ProducePlan production) throws IOException {
    try (RecordSequence records = production.open()) {
      assertThat(records.next()).isTrue();
      return new String(records.value(), StandardCharsets.UTF_8);
    }
  }

  private static ProducePlan production(String data, List<String> arguments) {
    return ProducePlan.of(data, OptionReader.read(arguments));
  }
}
