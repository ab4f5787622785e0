package dev.millrace.sql.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;
import org.apache.flink.table.types.utils.TypeConversions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with a table that trains is said before a job is submitted. */
class TrainingTableFactoryTest {

  private static final String FLOWERS = "features ARRAY<FLOAT>, label INT";

  @ParameterizedTest
  @ValueSource(
      strings = {
        FLOWERS,
        "label BIGINT, features ARRAY<DOUBLE NOT NULL> NOT NULL",
        "features ARRAY<FLOAT>, label ARRAY<FLOAT>",
        "a DOUBLE, b FLOAT, c INT, d DECIMAL(10, 2), e STRING, f BOOLEAN, label INT",
        "`a.b` DOUBLE, day DATE, at TIMESTAMP(3), there TIMESTAMP_LTZ(6), label SMALLINT",
      })
  void takesWhatCanBeLearned(String columns) {
    DynamicTableSink table = table(columns, Map.of());

    assertThat(table.asSummaryString()).isEqualTo("training by c.d.flowers");
    assertThat(table.getChangelogMode(ChangelogMode.all())).isEqualTo(ChangelogMode.insertOnly());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "features ARRAY<FLOAT>, kind INT | '' | 'label' is 'label', and the table has no such column, but"
            + " features, kind; declare it, or name another",
        "label INT | '' | The table has no column of features; declare features ARRAY<FLOAT>, or a column"
            + " for each feature",
        "features ARRAY<INT>, label INT | '' | Column 'features' has type ARRAY<INT>; declare it"
            + " ARRAY<FLOAT>, and CAST in the query",
        "x ARRAY<FLOAT>, label INT | '' | Column 'x' has type ARRAY<FLOAT>, and features are one array"
            + " called features, or columns of one value each; there are x. Name columns whose elements are ids in 'embed'",
        "x ARRAY<STRING>, label INT | embed=y | 'embed' is 'y', and the table has no such column, but x,"
            + " label; declare it, or name another",
        "x STRING, label INT | embed=x;label | 'embed' has 'label', which another option says to be no"
            + " feature; leave one of them out",
        "features ARRAY<FLOAT>, y INT, label INT | '' | Column 'features' has type ARRAY<FLOAT>, and"
            + " features are one array called features, or columns of one value each; there are features, y",
        "m MAP<STRING, INT>, label INT | '' | Column 'm' has type MAP<STRING, INT>, which can't be a"
            + " feature; declare a number, STRING, BOOLEAN, DATE or TIMESTAMP, or leave it out",
        "features ARRAY<FLOAT>, label STRING | '' | Column 'label' is a label of type STRING, and"
            + " 'input.classes' is missing; name the classes there, as a;b;c",
        "features ARRAY<FLOAT>, label ARRAY<BIGINT> | input.target=multi-label | Column 'label' has type"
            + " ARRAY<BIGINT>, which can't be a label; declare it DOUBLE, or one ARRAY<DOUBLE>, and CAST in the query",
        "features ARRAY<FLOAT>, label STRING | input.target=regression | type STRING, which can't be a label",
        "features ARRAY<FLOAT>, label BOOLEAN | input.target=regression | type BOOLEAN, which can't be a label",
        "features ARRAY<FLOAT>, label BOOLEAN | '' | Column 'label' has type BOOLEAN, which can't be a class;"
            + " declare it INT or STRING, and CAST in the query",
        "features ARRAY<FLOAT>, label ARRAY<INT> | '' | type ARRAY<INT>, which can't be a class",
        "features ARRAY<FLOAT>, a INT, b INT | label=a;b | 'label' names 2 columns, and a class is one",
        "features ARRAY<FLOAT>, w STRING, label INT | weight=w | type STRING, which can't be a weight; declare"
            + " it DOUBLE",
        "features ARRAY<FLOAT>, day DATE, label INT | timestamp=day | type DATE, which can't be a time; declare"
            + " it TIMESTAMP(3), or BIGINT of milliseconds since 1970",
        "features ARRAY<FLOAT>, name BYTES, label INT | id=name | type BYTES, which can't be an id; declare it"
            + " STRING",
        "features ARRAY<FLOAT>, label INT | most-parked=-1 | 'most-parked' is -1; give at least 0",
        "features ARRAY<FLOAT>, label INT | model.nam=mlp | model.nam",
        "features ARRAY<FLOAT>, label INT | input.topics=t | input.topics",
        "features ARRAY<FLOAT>, label INT | metrics.file=f | a table has one sink, so name a topic:"
            + " metrics.topic",
        "x INT, label INT | input.envelope=debezium | input.envelope has no effect here",
        "x INT, label INT | input.sequence.path=steps | input.sequence.path has no effect here",
        "x INT, label INT | input.sequence.steps=3 | input.sequence.steps has no effect here: it acts only where"
            + " features are one array",
        "features ARRAY<FLOAT>, label INT | dead-letter.topic=d | properties.bootstrap.servers",
        "features ARRAY<FLOAT>, label INT | kafka.bootstrap.servers=b:9092 | 'kafka.bootstrap.servers' is called"
            + " 'properties.bootstrap.servers' in SQL, as in Flink's Kafka tables; write that",
        "features ARRAY<FLOAT>, label INT | batch.size=0 | batch.size",
        "x INT, label INT | input.fields=[] | input.fields",
      })
  void saysWhatIsWrong(String columns, String option, String message) {
    Map<String, String> more = new TreeMap<>();
    if (!option.isEmpty()) {
      int equals = option.indexOf('=');
      more.put(option.substring(0, equals), option.substring(equals + 1));
    }

    assertThatThrownBy(() -> table(columns, more)).rootCause().hasMessageContaining(message);
  }

  @Test
  void columnsAreSaidOnce() {
    assertThatThrownBy(() -> table("x INT, y INT", Map.of("input.fields", "[]", "label", "y")))
        .rootCause()
        .hasMessage(
            "'label' says what columns are, and 'input.fields' does, too; leave one of them out");
  }

  /** Words that aren't features by their role alone. */
  @Test
  void columnsOfOtherRolesAreNoFeatures() {
    TableColumns columns =
        TableColumns.of(
            schema("x DOUBLE, w DOUBLE, name STRING, t BIGINT, a INT, b INT"),
            Configuration.fromMap(
                Map.of("label", "a;b", "weight", "w", "id", "name", "timestamp", "t")));

    assertThat(DerivedFields.json(columns, 7, 16))
        .isEqualTo(
            """
            [{"path":"x","kind":"number"},{"path":"a","role":"label"},{"path":"b","role":"label"},\
            {"path":"w","role":"weight"},{"path":"name","role":"id"},{"path":"t","role":"timestamp"}]""");
  }

  @Test
  void namedColumnsAreIds() {
    TableColumns columns =
        TableColumns.of(
            schema("who BIGINT, x DOUBLE, items ARRAY<STRING>, `a.b` ARRAY<INT>, label INT"),
            Configuration.fromMap(Map.of("embed", "who;items;a.b")));

    assertThat(columns.isArray()).isFalse();
    assertThat(DerivedFields.json(columns, 7, 8))
        .isEqualTo(
            """
            [{"path":"who","kind":"id","dimension":8},{"path":"x","kind":"number"},\
            {"path":"items","kind":"ids","dimension":8},\
            {"path":"[\\"a.b\\"]","kind":"ids","dimension":8},{"path":"label","role":"label"}]""");
  }

  @Test
  void theDimensionIsChecked() {
    assertThatThrownBy(
            () -> table("who BIGINT, label INT", Map.of("embed", "who", "dimension", "0")))
        .rootCause()
        .hasMessageContainingAll("input.fields", "dimension", "0");
    assertThatThrownBy(
            () -> table("who BIGINT, label INT", Map.of("input.fields", "[]", "embed", "who")))
        .rootCause()
        .hasMessageStartingWith("'embed' says what columns are");
  }

  private static DynamicTableSink table(String columns, Map<String, String> more) {
    Map<String, String> options =
        new TreeMap<>(
            Map.of("connector", "millrace", "model.name", "linear", "input.outputs", "3"));
    if (columns.contains("features ")) {
      options.put("input.features", "4");
    }
    options.putAll(more);
    ResolvedSchema schema = schema(columns);
    return FactoryUtil.createDynamicTableSink(
        null,
        ObjectIdentifier.of("c", "d", "flowers"),
        new ResolvedCatalogTable(
            CatalogTable.newBuilder()
                .schema(Schema.newBuilder().fromResolvedSchema(schema).build())
                .options(options)
                .build(),
            schema),
        Map.of(),
        new Configuration(),
        TrainingTableFactoryTest.class.getClassLoader(),
        false);
  }

  /** Of columns as SQL declares them. */
  private static ResolvedSchema schema(String columns) {
    List<Column> all = new ArrayList<>();
    for (String column : columns.split(",(?![^<(]*[>)]) *", -1)) {
      String[] nameAndType = column.strip().split(" ", 2);
      all.add(
          Column.physical(
              nameAndType[0].replace("`", ""),
              TypeConversions.fromLogicalToDataType(
                  LogicalTypeParser.parse(
                      nameAndType[1], TrainingTableFactoryTest.class.getClassLoader()))));
    }
    return ResolvedSchema.of(all);
  }
}
