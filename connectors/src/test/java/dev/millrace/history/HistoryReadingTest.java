package dev.millrace.history;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.fields.FieldFormat;
import dev.millrace.fields.FieldTexts;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.fields.RecordFormats;
import dev.millrace.file.FieldTable;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.model.Ledger.Span;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryReadingTest {

  private static final ExampleShape ARRAYS = new ExampleShape(1, 2, Target.CLASSIFICATION);

  @TempDir Path directory;

  @Test
  void aRecordIsAtTheLineThatItBeginsAt() throws Exception {
    Path file =
        write(
            "a.jsonl", "{\"features\":[1],\"label\":0}\n\nnone\n{\"features\":[2],\"label\":1}\n");

    List<Received> all = read(file, arrays());

    assertThat(offsets(all)).containsExactly(1L, 3L, 4L);
    assertThat(((Example) all.get(2)).features()).containsExactly(2);
    RejectedRecord bad = (RejectedRecord) all.get(1);
    assertThat(bad.partition()).isEqualTo(new Partition("file:" + file, 0));
    assertThat(bad.value()).asString(UTF_8).isEqualTo("none");
    assertThat(lines(file, 1, Long.MAX_VALUE)).isEqualTo(new Span(3, 8, 1, 4));
    assertThat(lines(file, 1, 3)).isEqualTo(new Span(2, 4, 1, 3));
  }

  @Test
  void documentsOfManyRecordsAndCompressedOnesAreRead() throws Exception {
    Path file = directory.resolve("all.json.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(
          "[\n{\"features\":[1],\n\"label\":0},\n{\"features\":[2],\"label\":1}]".getBytes(UTF_8));
    }

    assertThat(offsets(read(file, arrays()))).containsExactly(2L, 4L);
    assertThat(lines(file, 1, Long.MAX_VALUE)).isEqualTo(new Span(2, 6, 2, 4));
  }

  @Test
  void rowsOfATableAreRecords() throws Exception {
    Path file =
        write(
            "rows.csv", "amount,note,fraud\n1.5,\"two\nlines\",yes\n7,short\n2.5,,no\nmany,,no\n");

    List<Received> all = read(file, fields(true));

    assertThat(offsets(all)).containsExactly(2L, 4L, 5L, 6L);
    assertThat(((Example) all.get(0)).features()).containsExactly(1.5f);
    assertThat(((RejectedRecord) all.get(1)).reason()).contains("expected 3 fields");
    assertThat(((Example) all.get(2)).features()).containsExactly(2.5f);
    assertThat(((RejectedRecord) all.get(3)).reason()).contains("amount");
    assertThat(lines(file, 2, Long.MAX_VALUE)).isEqualTo(new Span(4, 17, 2, 6));
    assertThat(offsets(read(file, fields(false)))).containsExactly(2L, 4L, 5L, 6L);
  }

  @Test
  void recordsOnOneLineAreAtPlacesOfTheirOwn() throws Exception {
    String record = "{\"features\":[1],\"label\":0}";
    Path file = write("all.json", "[%s,%s,%s]".formatted(record, record, record));

    assertThat(offsets(read(file, arrays()))).containsExactly(1L, 2L, 3L);
    assertThat(lines(file, 1, Long.MAX_VALUE)).isEqualTo(new Span(3, 6, 1, 3));
  }

  @Test
  void aByteThatIsNotUtf8IsAMatterOfItsRecord() throws Exception {
    Path json = directory.resolve("a.jsonl");
    Files.write(
        json,
        "{\"features\":[1],\"label\":0}\n\u00e9\n{\"features\":[2],\"label\":1}\n"
            .getBytes(ISO_8859_1));
    Path table = directory.resolve("rows.csv");
    Files.write(table, "amount,fraud\n1,no\n\u00e9,no\n2,yes".getBytes(ISO_8859_1));

    List<Received> lines = read(json, arrays());
    List<Received> rows = read(table, fields(true));

    assertThat(offsets(lines)).containsExactly(1L, 2L, 3L);
    assertThat(((Example) lines.get(2)).features()).containsExactly(2);
    RejectedRecord bad = (RejectedRecord) lines.get(1);
    assertThat(bad.reason()).isEqualTo("not UTF-8 at byte 0");
    assertThat(bad.value()).containsExactly((byte) 0xe9);
    assertThat(lines(json, 1, Long.MAX_VALUE)).isEqualTo(new Span(3, 6, 1, 3));
    assertThat(offsets(rows)).containsExactly(2L, 3L, 4L);
    assertThat(((RejectedRecord) rows.get(1)).reason())
        .isEqualTo("column 1: it is not UTF-8; convert it");
    assertThat(((Example) rows.get(2)).features()).containsExactly(2);
  }

  @Test
  void aTableNeedsNamedFields() throws Exception {
    Path file = write("rows.csv", "1,2\n3,4\n");

    assertThatThrownBy(() -> read(file, arrays()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rows.csv is a table")
        .hasMessageContaining("Describe the fields");
  }

  @Test
  void aFileThatGrewIsRefused() throws Exception {
    Path file = write("a.jsonl", "{\"features\":[1],\"label\":0}\n");
    FileSourceSplit split = split(file);
    Files.writeString(file, "{}\n");

    assertThatThrownBy(() -> HistoryReading.open(split, arrays()))
        .isInstanceOf(ChangedHistoryException.class)
        .hasMessageContaining(
            "file:" + file + " had 27 bytes when the job found it, and has 3 now");
  }

  private static HistoryForms arrays() {
    ExampleFormat format = ExampleFormat.named("json", ARRAYS, FormatSettings.defaults());
    return new HistoryForms(deserializer(ARRAYS, format), null);
  }

  private static HistoryForms fields(boolean asObjects) {
    FieldsDescription description =
        FieldsDescription.parse(
            "[{\"path\":\"amount\",\"kind\":\"number\"},{\"path\":\"fraud\",\"role\":\"label\"}]",
            null,
            FieldTexts.of(List.of(), '.'));
    ExampleShape shape = description.shape(Target.CLASSIFICATION, 2, List.of());
    List<String> classes = List.of("no", "yes");
    RecordFeatures features = RecordFeatures.labelled(description, shape, classes);
    FieldTable table = new FieldTable(description, shape, classes, ',', List.of());
    return new HistoryForms(
        deserializer(shape, format("json", features)),
        new HistoryForms.Rows(
            table,
            asObjects,
            deserializer(
                shape,
                asObjects
                    ? format("json", features)
                    : new FieldFormat(
                        RecordFormats.named(
                            "csv", features.plan(), Map.of("csv.columns", "amount\nnote\nfraud")),
                        features))));
  }

  private static ExampleFormat format(String name, RecordFeatures features) {
    return new FieldFormat(RecordFormats.named(name, features.plan(), Map.of()), features);
  }

  private static ExampleDeserializer deserializer(ExampleShape shape, ExampleFormat format) {
    return new ExampleDeserializer(shape, format, MemorySize.ofMebiBytes(1));
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static FileSourceSplit split(Path file) throws IOException {
    return HistoryFiles.find(HistoryFiles.places(List.of(file.toString()))).get(0);
  }

  private static List<Received> read(Path file, HistoryForms forms) throws IOException {
    List<Received> all = new ArrayList<>();
    try (HistoryReading reading = HistoryReading.open(split(file), forms)) {
      for (Received next = reading.next(); next != null; next = reading.next()) {
        all.add(next);
      }
    }
    return all;
  }

  private static List<Long> offsets(List<Received> all) {
    return all.stream()
        .map(
            one ->
                one instanceof Example example ? example.offset() : ((RejectedRecord) one).offset())
        .toList();
  }

  private static Span lines(Path file, long first, long last) throws IOException {
    return HistoryLines.of(new Partition("file:" + file, 0), ',', first, last).orElseThrow();
  }
}
