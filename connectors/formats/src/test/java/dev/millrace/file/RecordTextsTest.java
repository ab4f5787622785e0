package dev.millrace.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordTextsTest {

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1.50,\"b\":\"[\"}~{\"a\":1e400,\"b\":null}~",
        "~{\"a\":1.50,\"b\":\"[\"}~~{\"a\":1e400,\"b\":null}",
        "[{\"a\":1.50,\"b\":\"[\"},{\"a\":1e400,\"b\":null}]",
        "\ufeff[~  {\"a\": 1.50, \"b\": \"[\"},~ {\"a\":1e400, \"b\":null}~]~",
        "{~\"a\": 1.50,~\"b\": \"[\"~}~~{ \"a\": 1e400,~ \"b\": null }",
      })
  void oneALineOrOneArrayOrOverSeveralLinesTheRecordsAreTheSame(String text) throws IOException {
    assertThat(records(text)).hasSize(2).first().isEqualTo("{\"a\":1.50,\"b\":\"[\"}");
    assertThat(records(text).get(1)).matches("\\{\"a\":1[eE]\\+?400,\"b\":null}");
  }

  @Test
  void whereARecordBeginsIsKnown() throws IOException {
    try (RecordTexts texts = open("[~{\"a\":1},~~{~\"a\":2}]")) {
      assertThat(texts.next()).isTrue();
      assertThat(texts.line()).isEqualTo(2);
      assertThat(texts.next()).isTrue();
      assertThat(texts.line()).isEqualTo(4);
      assertThat(texts.next()).isFalse();
    }
  }

  /** Places in a ledger differ, so lines are counted on where a line has several. */
  @Test
  void elementsOnOneLineAreAtOneLineEach() throws IOException {
    assertThat(lines("[{},{},{}]")).containsExactly(1L, 2L, 3L);
    assertThat(lines("[{},{},~{},~~{}]")).containsExactly(1L, 2L, 3L, 4L);
    assertThat(lines("[~~~{},{},~{}]")).containsExactly(4L, 5L, 6L);
  }

  /** The file ends early, which is only found out where somebody reads on to that place. */
  @Test
  void anArrayOnOneLineIsReadAsFarAsItIsAskedFor() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write('[');
      for (int i = 0; i < 500_000; i++) {
        out.write("{\"a\":%s},".formatted(i).getBytes(UTF_8));
      }
    }
    Path file = directory.resolve("t.json.gz");
    Files.write(file, Arrays.copyOf(bytes.toByteArray(), bytes.size() / 2));

    try (RecordTexts texts = RecordTexts.open(file)) {
      for (int i = 0; i < 1000; i++) {
        assertThat(texts.next()).isTrue();
        assertThat(texts.record()).asString(UTF_8).isEqualTo("{\"a\":%s}".formatted(i));
      }
    }
  }

  @Test
  void aLineIsGivenAsItIs() throws IOException {
    Path file = directory.resolve("t.json");
    byte[] manyBytes = "x".repeat(100_000).getBytes(UTF_8);
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(new byte[] {'{', '}', '\r', '\n', ' ', '\t', '\n', (byte) 0xe9, '\r', '\n'});
      out.write(manyBytes);
    }

    try (RecordTexts texts = RecordTexts.open(file)) {
      assertThat(texts.next()).isTrue();
      assertThat(texts.record()).asString(UTF_8).isEqualTo("{}");
      assertThat(texts.next()).isTrue();
      assertThat(texts.line()).isEqualTo(3);
      assertThat(texts.record()).containsExactly((byte) 0xe9);
      assertThat(texts.next()).isTrue();
      assertThat(texts.record()).isEqualTo(manyBytes);
      assertThat(texts.next()).isFalse();
    }
  }

  @Test
  void anArrayThatIsNotUtf8IsRefusedAndNotReadAsLines() throws IOException {
    Path file = directory.resolve("t.json");
    Files.writeString(file, "[\n{\"a\":\"é\"}\n]", StandardCharsets.ISO_8859_1);

    try (RecordTexts texts = RecordTexts.open(file)) {
      assertThatIOException()
          .isThrownBy(texts::next)
          .withMessageContainingAll("t.json is not UTF-8", "convert it");
    }
  }

  @Test
  void aLineThatIsNoJsonIsARecordAmongLines() throws IOException {
    assertThat(records("{\"a\":1}~nothing~{\"a\":2~"))
        .containsExactly("{\"a\":1}", "nothing", "{\"a\":2");
    assertThat(records("{a}~{b")).containsExactly("{a}", "{b");
    assertThat(records("{\"a\":~{\"b\":1}~{}")).containsExactly("{\"a\":", "{\"b\":1}", "{}");
    assertThat(records("")).isEmpty();
    assertThat(records("[]")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[{\"a\":1},~{\"a\":}]", "[~{\"a\":1", "{~\"a\":1}~{\"a\" 2}", "{~\"a\":~}~{}"})
  void whatIsNoJsonInsideIsRefusedWithItsLine(String text) {
    assertThatIOException()
        .isThrownBy(() -> records(text))
        .withMessageMatching("(?s).*t.json, line [23]: it is no JSON: .*");
  }

  @Test
  void whatComesAfterTheArrayIsRefused() {
    assertThatIOException()
        .isThrownBy(() -> records("[{\"a\":1}]~{\"a\":2}"))
        .withMessageContaining("nothing expected after the array");
  }

  private List<String> records(String text) throws IOException {
    List<String> records = new ArrayList<>();
    try (RecordTexts texts = open(text)) {
      while (texts.next()) {
        records.add(new String(texts.record(), UTF_8));
      }
    }
    return records;
  }

  private List<Long> lines(String text) throws IOException {
    List<Long> lines = new ArrayList<>();
    try (RecordTexts texts = open(text)) {
      while (texts.next()) {
        lines.add(texts.line());
      }
    }
    return lines;
  }

  private RecordTexts open(String text) throws IOException {
    return RecordTexts.open(
        Files.writeString(directory.resolve("t.json"), text.replace('~', '\n')));
  }
}
