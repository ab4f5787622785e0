package dev.millrace.cli.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.SchemaField;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.setup.OptionReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProposalTest {

  @TempDir Path directory;

  @Test
  void eachColumnIsWhatItsValuesAre() throws IOException {
    StringBuilder table =
        new StringBuilder("amount,bytes,proto,service,agent,ok,at,note,same,label\n");
    for (int i = 0; i < 2000; i++) {
      table.append(
          String.format(
              Locale.ROOT,
              "%s,%s,%s,s%s,agent-%s,%s,2024-01-%02d 10:00:00,\"some words, number %s\",1,%s\n",
              i % 10 == 0 ? "" : "%s.5".formatted(i % 7),
              i % 100 == 0 ? 1_000_000 : i % 5,
              i % 2 == 0 ? "tcp" : "udp",
              i % 40,
              i % 900,
              i % 3 == 0,
              1 + i % 28,
              i,
              i % 3 == 0 ? "bad" : "good"));
    }
    SampledFile sampled = sampled(write(table), 10_000);
    String yaml = text(sampled, null, List.of("csv.columns: " + Yaml.list(sampled.columns())));

    assertThat(yaml)
        .contains("- {path: amount, kind: number}", "10.0 % missing")
        .contains("- {path: bytes, kind: number, scale: logarithm}")
        .contains("- {path: proto, kind: category, values: [tcp, udp]}")
        .contains("- {path: service, kind: category, words: 50}")
        .contains("- {path: agent, kind: id, dimension: 16}")
        .contains("model:\n  name: deepfm\n", "rows.topic or rows.files")
        .contains("- {path: ok, kind: boolean}")
        .contains("- {path: at, kind: time, parts: [hour-of-day, day-of-week]}")
        .contains("- {path: note, kind: text, ngrams: 3, buckets: 512}")
        .contains("# same: 1 to 1, 1 values, constant; left out")
        .contains("- {path: label, role: label}", "classes: [bad, good]");
    Configuration options = OptionReader.parse(yaml);
    assertThat(InputOptions.shapeIfGiven(options).orElseThrow().outputs()).isEqualTo(2);
  }

  /** The hour would be 0 in all of them. */
  @Test
  void datesHaveNoHour() throws IOException {
    StringBuilder table = new StringBuilder("due,midnight,at,label\n");
    for (int i = 0; i < 28; i++) {
      table.append(
          String.format(
              Locale.ROOT,
              "2026-02-%02d,2026-02-%02d 00:00:00,2026-02-%02d %02d:00:00,%s\n",
              1 + i,
              1 + i,
              1 + i,
              i % 24,
              i % 2 == 0 ? "a" : "b"));
    }

    assertThat(text(sampled(write(table), 100), null, List.of()))
        .contains("- {path: due, kind: time, parts: [day-of-week]}")
        .contains("- {path: midnight, kind: time, parts: [day-of-week]}")
        .contains("- {path: at, kind: time, parts: [hour-of-day, day-of-week]}");
  }

  @ParameterizedTest
  @CsvSource({"MILLISECONDS, 1000", "MICROSECONDS, 1000000", "NANOSECONDS, 1000000000"})
  void datesThatAreNumbersHaveNoHour(SchemaField.Kind kind, long second) {
    FieldProfile times = new FieldProfile("at", Set.of(), 10);
    times.declare(new SchemaField(FieldPath.of("at"), kind, false));
    long midnight = Instant.parse("2026-02-03T00:00:00Z").getEpochSecond() * second;

    times.number((double) midnight, Long.toString(midnight));
    assertThat(times.haveHours()).isFalse();
    times.number((double) (midnight + second), Long.toString(midnight + second));
    assertThat(times.haveHours()).isTrue();
  }

  /** Some write the greatest number for a time that isn't known, and training takes it. */
  @Test
  void theGreatestNumberIsNoTimeWithAnHour() {
    FieldProfile times = new FieldProfile("at", Set.of(), 10);
    times.declare(new SchemaField(FieldPath.of("at"), SchemaField.Kind.MILLISECONDS, false));

    times.number((double) Long.MAX_VALUE, Long.toString(Long.MAX_VALUE));
    assertThat(times.haveHours()).isFalse();
  }

  @Test
  void columnsWithoutNamesAreMeantByTheirPlaces() throws IOException {
    SampledFile sampled = sampled(write("1,tcp,0\n2,udp,1\n3,\"a: #b\",2\n"), 10);
    FieldsDescription fields = fields(text(sampled, null, List.of()));

    assertThat(sampled.columns()).isEmpty();
    assertThat(fields.names()).startsWith("[0]", "[1] (other)").contains("[1]=a: #b");
    assertThat(fields.labels().get(0).source().path()).hasToString("[2]");
  }

  /** As pandas writes a table by default. */
  @Test
  void oneNameOfAHeaderMayBeMissing() throws IOException {
    SampledFile indexed = sampled(write(",size,kind\n0,1.5,a\n1,2.5,b\n"), 10);

    assertThat(indexed.columns()).containsExactly("column_1", "size", "kind");
    assertThat(fields(text(indexed, "kind", List.of())).names()).containsExactly("size");
    assertThat(text(indexed, "kind", List.of())).contains("a column without a name; left out");
    assertThat(sampled(write("7,tcp,up\n8,udp,down\n"), 10).columns()).isEmpty();
    assertThatThrownBy(() -> sampled(write(",,x\n1,2,3\n"), 10))
        .hasMessageContaining("line 1: it may name the columns or be a row");
  }

  @ParameterizedTest
  @ValueSource(strings = {";", "\t", "|"})
  void aTableOfOneColumnIsAskedForItsSeparator(String separator) throws IOException {
    Path file = write("a,b\n1,2\n".replace(",", separator));

    assertThatThrownBy(() -> sampled(file, 10))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("t.csv has one column", "--input.csv.separator");
  }

  @Test
  void fieldsOfObjectsAreFoundByTheirPaths() {
    Sample sample = new Sample();
    sample.json(
        "{\"o\":{\"price\":1.5,\"target\":true},\"tags\":[1],\"x\":null,\"z\":1}".getBytes(UTF_8),
        "a record");
    sample.json("{\"o\":{\"price\":2,\"target\":false},\"z\":2}".getBytes(UTF_8), "a record");
    sample.json("nothing".getBytes(UTF_8), "a record");
    String yaml =
        new Proposal(sample, "a topic", null)
            .text(List.of("kafka.bootstrap.servers: b:1"), "t", "json", List.of());

    assertThat(yaml)
        .contains("- {path: o.price, kind: number}", "- {path: o.target, role: label}")
        .contains("# tags: an array or an object; left out", "# x: always missing; left out")
        .contains(
            "classes: [\"false\", \"true\"]",
            "# 1 more are no records; the first is a record: it is no JSON");
    assertThat(fields(yaml).names()).containsExactly("o.price", "z");
  }

  @Test
  void anObjectAmongLinesIsNoRow() {
    Sample sample = new Sample();
    sample.csv("1,x,0".getBytes(UTF_8), ',', List.of(), "a record");
    sample.csv("2,\"y, z\",1".getBytes(UTF_8), ',', List.of(), "a record");
    sample.csv("{\"a\":1,\"label\":2}".getBytes(UTF_8), ',', List.of(), "a record");

    assertThat(sample.rows()).isEqualTo(2);
    assertThat(sample.unreadable()).isEqualTo(1);
    assertThat(sample.fields()).extracting(FieldProfile::path).containsExactly("[0]", "[1]", "[2]");
  }

  @Test
  void aNameWithPointsIsInQuotes() throws IOException {
    Sample sample = new Sample();
    sample.json("{\"http.status\":200,\"o\":{\"a.b\":1},\"label\":0}".getBytes(UTF_8), "a record");
    sample.json("{\"http.status\":404,\"o\":{\"a.b\":2},\"label\":1}".getBytes(UTF_8), "a record");
    FieldsDescription ofJson =
        fields(
            new Proposal(sample, "a topic", null)
                .text(List.of("kafka.bootstrap.servers: b:1"), "t", "json", List.of()));
    SampledFile table = sampled(write("a.b,c[0],y\n1,2,0\n3,4,1\n"), 9);

    assertThat(ofJson.features())
        .extracting(field -> field.source().path().steps())
        .containsExactly(List.of("http.status"), List.of("o", "a.b"));
    assertThat(fields(text(table, null, List.of("csv.columns: [a.b, \"c[0]\", y]"))).features())
        .extracting(field -> field.source().path().steps())
        .containsExactly(List.of("a", "b"), List.of("c[0]"));
  }

  @Test
  void classesThatAreWrittenWithAPointAreNumbersStill() {
    Sample sample = new Sample();
    sample.json("{\"a\":1,\"label\":0.0}".getBytes(UTF_8), "a record");
    sample.json("{\"a\":2.5,\"label\":1.0}".getBytes(UTF_8), "a record");

    assertThat(new Proposal(sample, "a topic", null).input()).contains("outputs: 2");
  }

  @Test
  void ofManyNumbersOnlySomeAreKept() throws IOException {
    StringBuilder table = new StringBuilder("a,b,y\n");
    for (int i = 0; i < 3000; i++) {
      table.append(i).append(i % 3 == 0 ? ",w" : ",").append(i % 1500).append(",x\n");
    }
    SampledFile sampled = sampled(write(table), 5000);
    FieldProfile numbers = sampled.sample().fields().get(0);

    assertThat(numbers.words()).hasSize(FieldProfile.MOST_NUMBERS);
    assertThat(text(sampled, "y", List.of()))
        .contains("- {path: a, kind: number}", "0 to 2,999, more than 1,000 values")
        .contains("- {path: b, kind: id, dimension: 16}");
  }

  @Test
  void wordsAreNeverForRegression() throws IOException {
    StringBuilder table = new StringBuilder("a,b,c\n");
    for (int i = 0; i < 1100; i++) {
      table.append(i).append(",w").append(i).append(",same\n");
    }
    SampledFile sampled = sampled(write(table), 2000);

    assertThat(text(sampled, "b", List.of()))
        .contains("# the label has more than 1,000 words")
        .doesNotContain("regression");
    assertThat(text(sampled, "c", List.of()))
        .contains("# only one class was seen, \"same\"; add the others", "classes: [same]")
        .doesNotContain("regression");
  }

  @Test
  void aLabelOfManyNumbersIsForRegression() throws IOException {
    StringBuilder table = new StringBuilder("a,b\n");
    for (int i = 0; i < 100; i++) {
      table.append(i % 9).append(',').append(i * 0.5).append('\n');
    }
    SampledFile sampled = sampled(write(table), 1000);

    assertThat(text(sampled, null, List.of("csv.columns: [a, b]"))).contains("target: regression");
    assertThat(text(sampled, "a", List.of("csv.columns: [a, b]"))).contains("outputs: 9");
    assertThatThrownBy(() -> new Proposal(sampled.sample(), "t.csv", "c"))
        .hasMessage("t.csv has no field \"c\"");
  }

  @Test
  void onlyATableOfWordsHasWords() throws IOException {
    assertThat(sampled(write("a,b,c\n1,2,x\n3,?,y\n4,5,y\n"), 9).hasWords(false)).isFalse();
    assertThat(sampled(write("1,x,0\n2,y,1\n"), 9).hasWords(false)).isTrue();
  }

  private static SampledFile sampled(Path file, long most) throws IOException {
    return SampledFile.table(file, ',', List.of(), new Sample(), most);
  }

  private Path write(CharSequence table) throws IOException {
    return Files.writeString(directory.resolve("t.csv"), table);
  }

  private static String text(SampledFile sampled, String label, List<String> layout) {
    return new Proposal(sampled.sample(), "t.csv", label, sampled.remarks())
        .text(List.of("kafka.bootstrap.servers: b:1"), "t", "csv", layout);
  }

  private static FieldsDescription fields(String yaml) {
    return InputFields.description(OptionReader.parse(yaml)).orElseThrow();
  }
}
