package dev.millrace.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.fields.FieldFormat;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.IdHash;
import dev.millrace.fields.RecordFormats;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CSV files whose columns are described fields: as examples, and as records. */
class FieldTableTest {

  private static final String NAMED =
      "[{\"path\":\"a\",\"kind\":\"number\"},{\"path\":\"b.c\",\"kind\":\"category\",\"words\":3},"
          + "{\"path\":\"ok\",\"kind\":\"boolean\"},{\"path\":\"y\",\"role\":\"label\"}]";

  private static final String ROWS = "1.50,x,true,q\n,\"x, \"\"y\"\"\",0,r\n3,z,1,q\n";

  @TempDir Path directory;

  @Test
  void rowsAreExamplesUnderAHeaderOrWithout() throws IOException {
    String header = "a,b.c,ok,y\n";
    List<String> names = List.of("a", "b.c", "ok", "y");

    assertThat(words(header + ROWS, List.of(), 1)).containsExactly("x", "x, \"y\"", "z");
    assertThat(words(header + ROWS, names, 0)).containsExactly("x", "x, \"y\"", "z");
    assertThat(words(ROWS, names, 0)).containsExactly("x", "x, \"y\"", "z");
    assertThatThrownBy(() -> words(ROWS, List.of(), 0))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("t.csv", "The columns of csv have no names");
  }

  private List<String> words(String content, List<String> columns, long holdOut)
      throws IOException {
    ExampleSet set = set(content, columns, holdOut);
    List<String> words = new ArrayList<>();
    for (ExampleSequence part : List.of(set.training(), set.holdOut())) {
      try (part) {
        Example example = new Example(part.shape());
        while (part.next(example)) {
          words.add(example.words()[0]);
        }
      }
    }
    return words;
  }

  @Test
  void aHeaderInAnotherOrderSaysWhereTheNamedColumnsAre() throws IOException {
    List<String> names = List.of("a", "b.c", "ok", "y");
    String content = "y,more,ok,b.c,a\nq,7,true,x,1.50\nr,8,0,z,3\n";
    Path file = Files.writeString(directory.resolve("t.csv"), content);

    assertThat(words(content, names, 1)).containsExactly("x", "z");
    assertThat(values(TableRecords.lines(file, table(names))))
        .containsExactly("1.50,x,true,q", "3,z,0,r");
    assertThat(values(TableRecords.objects(file, table(names))).get(0))
        .contains("\"a\":1.50", "\"more\":\"7\"");
  }

  @Test
  void aRowThatIsNoExampleIsToldByItsLine() throws IOException {
    ExampleSet set =
        set("a,b.c,ok,y\n1,x,true,q\nmany,x,true,q\n2,x,true,s\n3,x,1,r\n", List.of(), 0);
    try (ExampleSequence rows = set.training()) {
      Example example = new Example(rows.shape());

      assertThat(rows.next(example)).isTrue();
      assertThatThrownBy(() -> rows.next(example))
          .isInstanceOf(InvalidRowException.class)
          .hasMessageEndingWith("t.csv, line 3: field \"a\": a number expected, \"many\" found");
      assertThatThrownBy(() -> rows.next(example)).hasMessageContaining("label is no class name");
      assertThat(rows.next(example)).isTrue();
      assertThat(example.labels()).containsExactly(0, 1);
      assertThat(rows.next(example)).isFalse();
    }
  }

  @Test
  void rowsAreRecordsOfCsvAndJson() throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "a,b.c,ok,y\n" + ROWS);
    FieldTable table = table(List.of());

    assertThat(values(TableRecords.lines(file, table)))
        .containsExactly("1.50,x,true,q", ",\"x, \"\"y\"\"\",0,r", "3,z,1,q");
    assertThat(values(TableRecords.objects(file, table)))
        .containsExactly(
            "{\"a\":1.50,\"b\":{\"c\":\"x\"},\"ok\":true,\"y\":\"q\"}",
            "{\"b\":{\"c\":\"x, \\\"y\\\"\"},\"ok\":false,\"y\":\"r\"}",
            "{\"a\":3,\"b\":{\"c\":\"z\"},\"ok\":true,\"y\":\"q\"}");
  }

  @Test
  void idsOfRowsAreThoseOfTheirRecords() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("t.csv"), "user,items,y\n5.0,a|5.0| b,0\n007,,1\n,True,1\n");
    FieldsDescription fields =
        FieldsDescription.parse(
            "[{\"path\":\"user\",\"kind\":\"id\",\"dimension\":2},{\"path\":\"items\",\"kind\":"
                + "\"ids\",\"dimension\":2,\"separator\":\"|\"},{\"path\":\"y\",\"role\":\"label\"}]",
            null);
    FieldTable table =
        new FieldTable(fields, fields.shape(Target.CLASSIFICATION, 2), List.of(), ',', List.of());
    List<List<Long>> ofRows = new ArrayList<>();
    try (ExampleSequence rows = new DataSpec.Csv(file, 0).openFields(table).training()) {
      Example example = new Example(rows.shape());
      while (rows.next(example)) {
        ofRows.add(ids(example));
      }
    }
    List<String> records = values(TableRecords.objects(file, table));
    FieldFormat json =
        new FieldFormat(
            RecordFormats.named("json", table.features().plan(), Map.of()), table.features());

    assertThat(ofRows.get(0))
        .containsExactly(
            IdHash.of("user", "5"),
            IdHash.of("items", "a"),
            IdHash.of("items", "5"),
            IdHash.of("items", "b"));
    assertThat(ofRows.subList(1, 3))
        .containsExactly(List.of(IdHash.of("user", "007")), List.of(IdHash.of("items", "true")));
    for (int row = 0; row < records.size(); row++) {
      Example example = new Example(table.shape());
      json.read(records.get(row).getBytes(UTF_8), example);
      assertThat(ids(example)).as(records.get(row)).isEqualTo(ofRows.get(row));
    }
  }

  private static List<Long> ids(Example example) {
    return LongStream.of(Arrays.copyOf(example.ids().ids(), example.ids().size())).boxed().toList();
  }

  /** With names of classes, or without: the rule alone says what its label is. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "code == '007' | 007 | \"007\"",
        "code == 7 | 7 | 7",
        "code != true | True | true",
        "code != true | 1 | true",
      })
  void aLabelIsWrittenAsItsRuleReadsIt(String rule, String cell, String written)
      throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "a,code\n1," + cell + "\n");
    FieldsDescription fields =
        FieldsDescription.parse(
            "[{\"path\":\"a\",\"kind\":\"number\"},{\"role\":\"label\",\"rule\":\"%s\"}]"
                .formatted(rule),
            null);
    for (List<String> classes : List.of(List.<String>of(), List.of("no", "yes"))) {
      FieldTable table =
          new FieldTable(fields, fields.shape(Target.CLASSIFICATION, 2), classes, ',', List.of());

      assertThat(values(TableRecords.objects(file, table)))
          .containsExactly("{\"a\":1,\"code\":%s}".formatted(written));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Target.class,
      names = {"CLASSIFICATION", "MULTI_LABEL"})
  void aLabelMayBeTrueOrFalse(Target target) throws Exception {
    Path file = Files.writeString(directory.resolve("t.csv"), "a,y,z\n1,True,false\n2,0,TRUE\n");
    boolean classes = target == Target.CLASSIFICATION;
    FieldsDescription fields =
        FieldsDescription.parse(
            "[{\"path\":\"a\",\"kind\":\"number\"},{\"path\":\"y\",\"role\":\"label\"}%s]"
                .formatted(classes ? "" : ",{\"path\":\"z\",\"role\":\"label\"}"),
            null);
    FieldTable table = new FieldTable(fields, fields.shape(target, 2), List.of(), ',', List.of());
    try (ExampleSequence rows = new DataSpec.Csv(file, 0).openFields(table).training()) {
      Example example = new Example(rows.shape());

      assertThat(rows.next(example)).isTrue();
      assertThat(example.labels()).containsExactly(classes ? 0 : 1, classes ? 1 : 0);
      assertThat(rows.next(example)).isTrue();
      assertThat(example.labels()).containsExactly(classes ? 1 : 0, classes ? 0 : 1);
    }
    assertThat(values(TableRecords.objects(file, table)).get(0)).contains("\"y\":true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1,x,true", "1,x,true,q,extra"})
  void aRowOfOtherCellsIsNoRecord(String row) throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "a,b.c,ok,y\n" + row + "\n3,z,1,q\n");
    try (RecordSequence records = TableRecords.objects(file, table(List.of()))) {
      assertThatThrownBy(records::next)
          .isInstanceOf(InvalidRowException.class)
          .hasMessageContainingAll(
              "t.csv, line 2", "expected 4 fields", "got " + row.split(",").length);
      assertThat(records.next()).isTrue();
      assertThat(records.value()).asString().startsWith("{\"a\":3");
    }
  }

  private static List<String> values(RecordSequence records) throws IOException {
    List<String> values = new ArrayList<>();
    try (records) {
      while (records.next()) {
        values.add(new String(records.value(), UTF_8));
      }
    }
    return values;
  }

  private ExampleSet set(String content, List<String> columns, long holdOut) throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), content);
    return new DataSpec.Csv(file, holdOut).openFields(table(columns));
  }

  @Test
  void aCategoryIsWrittenAsTheWordThatItIs() throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "a,y\n5.0,q\nTrue,q\n007,q\n");
    FieldTable table =
        table(
            "[{\"path\":\"a\",\"kind\":\"category\",\"words\":3},{\"path\":\"y\",\"role\":\"label\"}]",
            List.of());

    assertThat(values(TableRecords.objects(file, table)))
        .containsExactly(
            "{\"a\":\"5\",\"y\":\"q\"}",
            "{\"a\":\"true\",\"y\":\"q\"}",
            "{\"a\":\"007\",\"y\":\"q\"}");
  }

  @Test
  void aHeaderMayHaveAnAlias() throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "old,y\n5,q\n7,r\n");
    FieldTable table =
        table(
            "[{\"path\":\"a\",\"aliases\":[\"old\"],\"kind\":\"number\"},{\"path\":\"y\",\"role\":\"label\"}]",
            List.of());
    try (ExampleSequence rows = new DataSpec.Csv(file, 0).openFields(table).training()) {
      Example example = new Example(rows.shape());

      assertThat(rows.next(example)).isTrue();
      assertThat(example.features()).containsExactly(5);
    }
    assertThat(values(TableRecords.objects(file, table)).get(0))
        .isEqualTo("{\"old\":5,\"y\":\"q\"}");
  }

  @Test
  void aNameWithPointsThatIsDescribedInQuotesIsOneMember() throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "a.b,y\n1,q\n");
    FieldTable table =
        table(
            "[{\"path\":\"[\\\"a.b\\\"]\",\"kind\":\"number\"},{\"path\":\"y\",\"role\":\"label\"}]",
            List.of());

    assertThat(values(TableRecords.objects(file, table)))
        .containsExactly("{\"a.b\":1,\"y\":\"q\"}");
  }

  private static FieldTable table(List<String> columns) {
    return table(NAMED, columns);
  }

  private static FieldTable table(String described, List<String> columns) {
    FieldsDescription fields = FieldsDescription.parse(described, null);
    return new FieldTable(
        fields, fields.shape(Target.CLASSIFICATION, 2), List.of("q", "r"), ',', columns);
  }
}
