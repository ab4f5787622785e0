package dev.millrace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.millrace.example.Example;
import dev.millrace.example.FormatSettings;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvExamplesTest {

  @TempDir private Path directory;

  @Test
  void theHeaderIsSkippedAndTheClassIsLast() throws IOException {
    ExampleSet set = table("width,height,class\n1,2.5,0\n-3,1e2,1\n");

    assertThat(set.shape()).isEqualTo(new ExampleShape(2, 2, Target.CLASSIFICATION));
    assertThat(set.image()).isEmpty();
    List<Example> examples = Sequences.read(set.training());
    assertThat(examples.get(0).features()).containsExactly(1f, 2.5f);
    assertThat(examples.get(1).features()).containsExactly(-3f, 100f);
    assertThat(examples).extracting(Sequences::label).containsExactly(0, 1);
    assertThat(Sequences.read(set.holdOut())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(chars = {';', '\t', ' ', '#', '|'})
  void theClassMayBeFirstAndOtherSignsSeparate(char separator) throws IOException {
    Path file = write("class,w,h\nb,1,2\na,3,4\n".replace(',', separator));

    ExampleSet set = new DataSpec.Csv(file, 1).open(new FormatSettings(true, separator, List.of()));

    assertThat(set.shape()).isEqualTo(new ExampleShape(2, 2, Target.CLASSIFICATION));
    assertThat(set.classes()).containsExactly("a", "b");
    assertThat(Sequences.read(set.training()))
        .singleElement()
        .satisfies(
            example -> {
              assertThat(example.features()).containsExactly(1f, 2f);
              assertThat(Sequences.label(example)).isEqualTo(1);
            });
    assertThat(Sequences.read(set.holdOut()).get(0).features()).containsExactly(3f, 4f);
  }

  @ParameterizedTest
  @ValueSource(strings = {"label,1,2,3", "0,1,2,3", "1,2,3,4"})
  void theColumnsMayBeNumberedWithTheClassFirstToo(String header) throws IOException {
    Path file = write(header + "\na,0,1,2\nb,1,2,3\n");

    ExampleSet set = new DataSpec.Csv(file, 0).open(new FormatSettings(true, ',', List.of()));

    assertThat(set.classes()).containsExactly("a", "b");
  }

  @Test
  void aTableWithoutHeaderLosesNoRow() throws IOException {
    assertThat(Sequences.read(table("1,a\n2,b\n").training())).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0,1,2,3", "1,2,3,4", "0,1,2,label", "1, 2, 3,"})
  void aHeaderMayNumberTheColumns(String header) throws IOException {
    ExampleSet set = table(header + "\n0,1,2,b\n1,2,3,a\n");

    assertThat(set.classes()).containsExactly("a", "b");
    assertThat(Sequences.read(set.training())).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0,1,2,1", "0.0,1,2,a", "2,3,4,a", "0,1,3,a", "0,1,a", "1,2,3"})
  void otherNumbersAreAnExample(String row) throws IOException {
    ExampleSet set = table(row + "\n" + row.substring(0, row.length() - 1) + "5\n");

    assertThat(Sequences.read(set.training())).hasSize(2);
  }

  @Test
  void aTableMayHaveMoreColumnsThanASpreadsheet() throws IOException {
    String image = "0.25,".repeat(300 * 300);

    ExampleSet set = table(image + "a\n" + image + "b\n");

    assertThat(set.shape().features()).isEqualTo(300 * 300);
    assertThat(Sequences.read(set.training())).hasSize(2);
  }

  @Test
  void numericClassesAreNumberedByValue() throws IOException {
    ExampleSet set = table("0,10\n0,9\n0,-1\n");

    assertThat(set.classes()).containsExactly("-1", "9", "10");
    assertThat(Sequences.read(set.training()))
        .extracting(Sequences::label)
        .containsExactly(2, 1, 0);
  }

  @Test
  void aColumnOfFractionsIsNoColumnOfClasses() {
    assertThatIOException()
        .isThrownBy(() -> table("0,1.0\n0,0.25\n"))
        .withMessageContainingAll("line 2", "column 2", "expected a class", "0.25");
  }

  @Test
  void namedClassesAreNumberedByName() throws IOException {
    assertThat(table("0,up\n0,down\n0,10\n").classes()).containsExactly("10", "down", "up");
  }

  @Test
  void givenClassesKeepTheirNumbersAlsoWhereTheTableLacksSome() throws IOException {
    Path file = write("1,a\n2,c\n");
    FormatSettings settings = FormatSettings.defaults().withClassNames(List.of("c", "b", "a"));

    ExampleSet set = new DataSpec.Csv(file, 0).open(settings);

    assertThat(set.shape().outputs()).isEqualTo(3);
    assertThat(set.classes()).containsExactly("c", "b", "a");
    assertThat(Sequences.read(set.training())).extracting(Sequences::label).containsExactly(2, 0);
    assertThatIOException()
        .isThrownBy(
            () -> new DataSpec.Csv(file, 0).open(settings.withClassNames(List.of("a", "b"))))
        .withMessageContainingAll("line 2", "one of the classes [a, b]", "\"c\"");
  }

  @Test
  void quotedFieldsMayHoldCommasQuotesAndLineBreaks() throws IOException {
    ExampleSet set = table("\"a,b\",class\r\n\"1\",\"x, \"\"y\"\"\nz\"\r\n 2 ,w\r\n");

    assertThat(set.classes()).containsExactly("w", "x, \"y\"\nz");
    assertThat(Sequences.read(set.training()))
        .extracting(example -> example.features()[0])
        .containsExactly(1f, 2f);
  }

  @Test
  void theLastRowsAreHeldOutOnRequest() throws IOException {
    Path file = write("f,class\n1,a\n2,b\n3,a\n4,b\n5,a\n");
    DataSpec spec = DataSpec.parse("csv:" + file + ",holdout=2");

    assertThat(Sequences.read(spec.open().training()))
        .extracting(example -> example.features()[0])
        .containsExactly(1f, 2f, 3f);
    assertThat(Sequences.read(spec.open().holdOut()))
        .extracting(example -> example.features()[0])
        .containsExactly(4f, 5f);
  }

  @Test
  void aHoldOutOfEverythingIsRefused() throws IOException {
    Path file = write("1,a\n2,b\n");

    assertThatIOException()
        .isThrownBy(() -> DataSpec.parse("csv:" + file + ",holdout=2").open())
        .withMessageContainingAll("holdout=2", "2 rows");
  }

  @Test
  void aCompressedTableReadsLikeAPlainOneWhateverItsName() throws IOException {
    Path file = directory.resolve("table");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("\ufeff1,a\n2,b\n".getBytes(StandardCharsets.UTF_8));
    }

    assertThat(Sequences.read(new DataSpec.Csv(file, 0).open().training())).hasSize(2);
  }

  @Test
  void aTableThatIsNotUtf8IsRefused() throws IOException {
    Path file = directory.resolve("table.csv");
    Files.writeString(file, "f,class\n1,Zürich\n2,Genève\n", StandardCharsets.ISO_8859_1);

    assertThatIOException()
        .isThrownBy(() -> new DataSpec.Csv(file, 0).open())
        .withMessageContainingAll("table.csv, line 2, column 2", "not UTF-8; convert it");
    Files.writeString(file, "f,größe\n1,a\n2,b\n", StandardCharsets.ISO_8859_1);
    assertThatIOException()
        .isThrownBy(() -> new DataSpec.Csv(file, 0).open())
        .withMessageContaining("table.csv, line 1: the names of the columns are not UTF-8");
    Files.writeString(file, "1,\ufffd\n2,b\n");
    assertThat(new DataSpec.Csv(file, 0).open().classes()).as("is UTF-8").contains("\ufffd");
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "", "?", "NaN", "-Infinity", "1e39", "1f", "0x1", "1 2"})
  void aValueThatIsNoFiniteNumberIsReportedWithItsPlace(String value) throws IOException {
    ExampleSet set = table("width,height,class\n1,2,a\n1," + value + ",b\n");

    assertThatIOException()
        .isThrownBy(() -> Sequences.read(set.training()))
        .withMessageContainingAll(
            "table.csv", "line 3", "column 2 (height)", "number", '"' + value + '"');
  }

  @ParameterizedTest
  @ValueSource(strings = {"1,a", "1,2,3,a", "1"})
  void aRaggedRowIsReportedWithItsLine(String row) throws IOException {
    assertThatIOException()
        .isThrownBy(() -> table("1,2,a\n3,4,b\n" + row + "\n"))
        .withMessageContainingAll(
            "table.csv", "line 3", "expected 3 fields", "got " + row.split(",", -1).length);
  }

  @Test
  void aRowWithoutClassIsReported() throws IOException {
    assertThatIOException()
        .isThrownBy(() -> table("f,class\n1,a\n1, \n"))
        .withMessageContainingAll("line 3", "column 2 (class)", "expected a class");
  }

  @Test
  void aQuoteThatIsNeverClosedIsReported() {
    assertThatIOException()
        .isThrownBy(() -> table("1,a\n2,\"b\n"))
        .withMessageContainingAll("table.csv", "after line 1");
  }

  @Test
  void aTruncatedCompressedTableIsReported() throws IOException {
    Path file = directory.resolve("table.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("1,a\n2,b\n".getBytes(StandardCharsets.UTF_8));
    }
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 12));

    assertThatIOException()
        .isThrownBy(() -> new DataSpec.Csv(file, 0).open())
        .withMessageContainingAll("Can't read", "table.csv.gz");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n"})
  void anEmptyFileIsReported(String text) {
    assertThatIOException().isThrownBy(() -> table(text)).withMessageContaining("is empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"f,class\n", "f,class\n1,a\n2,a\n"})
  void fewerThanTwoClassesAreReported(String text) {
    assertThatIOException()
        .isThrownBy(() -> table(text))
        .withMessageContaining("at least two classes");
  }

  @Test
  void aTableOfOneColumnIsReported() {
    assertThatIOException()
        .isThrownBy(() -> table("1;2;a\n3;4;b\n"))
        .withMessageContainingAll("line 1", "with the separator \",\" between columns", "1;2;a");
  }

  @Test
  void aLastColumnOfMeasurementsIsNoClass() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i <= 10_000; i++) {
      text.append("1,").append(i).append('\n');
    }

    assertThatIOException()
        .isThrownBy(() -> table(text.toString()))
        .withMessageContainingAll("line 10001", "at most 10,000 classes");
  }

  @Test
  void aMissingFileIsNamed() {
    Path file = directory.resolve("nowhere.csv");

    assertThatIOException()
        .isThrownBy(() -> new DataSpec.Csv(file, 0).open())
        .withMessageContaining(file.toString());
  }

  @Test
  void aDirectoryIsNoTable() {
    assertThatIOException()
        .isThrownBy(() -> new DataSpec.Csv(directory, 0).open())
        .withMessageContaining("is not a file");
  }

  private ExampleSet table(String text) throws IOException {
    return new DataSpec.Csv(write(text), 0).open();
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("table.csv"), text);
  }
}
