package dev.millrace.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  @Test
  void aLineThatIsNoJsonIsARecordAmongLines() throws IOException {
    assertThat(records("{\"a\":1}~nothing~{\"a\":2~"))
        .containsExactly("{\"a\":1}", "nothing", "{\"a\":2");
    assertThat(records("{a}~{b")).containsExactly("{a}", "{b");
    assertThat(records("")).isEmpty();
    assertThat(records("[]")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[{\"a\":1},~{\"a\":}]", "[~{\"a\":1", "{~\"a\":1}~{\"a\" 2}"})
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

  private RecordTexts open(String text) throws IOException {
    return RecordTexts.open(
        Files.writeString(directory.resolve("t.json"), text.replace('~', '\n')));
  }
}
