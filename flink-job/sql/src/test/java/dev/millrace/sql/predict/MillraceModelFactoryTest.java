package dev.millrace.sql.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.follow.RowPlace;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.CatalogModel;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogModel;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.ml.ModelProvider;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;
import org.apache.flink.table.types.utils.TypeConversions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong is said before a query runs, by names that the user has typed. */
class MillraceModelFactoryTest {

  private static final String INPUT = "features ARRAY<FLOAT>";
  private static final String OUTPUT = "class STRING, version STRING";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "features ARRAY<FLOAT>",
        "features ARRAY<DOUBLE NOT NULL> NOT NULL",
        "a DOUBLE, b FLOAT, c INT, d BIGINT, e SMALLINT, f TINYINT, g DECIMAL(10, 2)",
        "a STRING, b VARCHAR(10), c CHAR(3), d BOOLEAN, e DATE, f TIMESTAMP(3), g TIMESTAMP_LTZ(6)",
        "user BIGINT, items ARRAY<STRING>, pages ARRAY<BIGINT>",
        "items ARRAY<STRING>"
      })
  void takesWhatCanBeFeatures(String input) {
    assertThat(provider(input, OUTPUT, Map.of())).isInstanceOf(MillraceModelProvider.class);
  }

  @Test
  void readsModelsOfAnEngineAndOfKeysThatAreNamed() {
    assertThat(provider(INPUT, OUTPUT, Map.of("engine", "torch")))
        .isInstanceOf(MillraceModelProvider.class);
    assertRefused(
        INPUT,
        OUTPUT,
        Map.of("trusted-keys", "absent.pub;others"),
        "'trusted-keys' can't be read: There is no file of keys absent.pub");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class STRING, probabilities ARRAY<FLOAT>, version STRING",
        "class INT, probabilities ARRAY<DOUBLE>",
        "class BIGINT",
        "scores ARRAY<FLOAT>",
        "value FLOAT, values ARRAY<DOUBLE>",
        "value DOUBLE",
        "version STRING"
      })
  void givesWhatModelsGive(String output) {
    assertThat(provider(INPUT, output, Map.of())).isInstanceOf(MillraceModelProvider.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "f ARRAY<INT>| Input column 'f' has type ARRAY<INT>, which no model takes; declare it"
            + " ARRAY<FLOAT>, and give ML_PREDICT CAST(f AS ARRAY<FLOAT>)",
        "t TIME| Input column 't' has type TIME(0), which no model takes; declare it STRING, and"
            + " give ML_PREDICT CAST(t AS STRING)",
        "m MAP<STRING, INT>| Input column 'm' has type MAP<STRING, INT>, which no model takes;"
            + " declare it STRING, and give ML_PREDICT CAST(m AS STRING)",
        "b BYTES| Input column 'b' has type BYTES, which no model takes; give numbers, words or"
            + " times",
        "a DOUBLE, f ARRAY<FLOAT>"
            + "| Input column 'f' has type ARRAY<FLOAT>, and is one of 2; give all features in one"
            + " array, or each in a column of its own",
      })
  void refusesWhatCannotBeFeatures(String input, String message) {
    assertRefused(input, OUTPUT, Map.of(), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "label STRING"
            + "| Output column 'label' is none of class, probabilities, scores, value, values,"
            + " version; rename it, or say what it holds with 'outputs' = 'label:…'",
        "class VARCHAR(5)"
            + "| Output column 'class' has type VARCHAR(5), and class is STRING, INT or BIGINT;"
            + " declare it so, and CAST it in the query",
        "class DOUBLE| Output column 'class' has type DOUBLE, and class is STRING, INT or BIGINT;"
            + " declare it so, and CAST it in the query",
        "probabilities ARRAY<INT>| Output column 'probabilities' has type ARRAY<INT>, and"
            + " probabilities is ARRAY<FLOAT> or ARRAY<DOUBLE>; declare it so, and CAST it in the"
            + " query",
        "value DECIMAL(5, 2)| Output column 'value' has type DECIMAL(5, 2), and value is FLOAT or"
            + " DOUBLE; declare it so, and CAST it in the query",
        "version BIGINT"
            + "| Output column 'version' has type BIGINT, and version is STRING; declare it so, and"
            + " CAST it in the query",
        "version STRING NOT NULL| Output column 'version' is NOT NULL, and a row without a"
            + " prediction has NULL there; leave NOT NULL out, or set 'invalid-rows' = 'fail'",
        "class STRING, value DOUBLE| Output column 'class' holds class, which models for"
            + " classification have, and 'value' holds value, which those for regression have;"
            + " declare one of them",
      })
  void refusesWhatNoModelGives(String output, String message) {
    assertRefused(INPUT, output, Map.of(), message);
  }

  @Test
  void aRowThatFailsLeavesNoNull() {
    assertThat(
            provider(
                INPUT,
                "value DOUBLE NOT NULL, version STRING NOT NULL",
                Map.of("invalid-rows", "fail")))
        .isNotNull();
    assertRefused(
        INPUT,
        "class STRING NOT NULL",
        Map.of("invalid-rows", "fail"),
        "Output column 'class' is NOT NULL, and a row without a prediction has NULL there; leave"
            + " NOT NULL out");
  }

  @Test
  void columnsMayBeCalledOtherwise() {
    assertThat(
            provider(
                INPUT,
                "kind STRING, `made by` STRING",
                Map.of("outputs", "kind:class,made by:version")))
        .isNotNull();
    assertRefused(
        INPUT,
        OUTPUT,
        Map.of("outputs", "kind:class"),
        "'outputs' names 'kind', which is no column of OUTPUT; there are class, version");
    assertRefused(
        INPUT,
        "kind STRING",
        Map.of("outputs", "kind:label"),
        "Output column 'kind' is none of class, probabilities, scores, value, values, version;"
            + " rename it, or say what it holds with 'outputs' = 'kind:…'");
  }

  @Test
  void refusesAModelWithoutColumns() {
    assertRefused(
        "",
        OUTPUT,
        Map.of(),
        "The model has no INPUT; declare INPUT (features ARRAY<FLOAT>), or a column for each"
            + " feature");
    assertRefused(
        INPUT,
        "",
        Map.of(),
        "The model has no OUTPUT; declare what you want of class, probabilities, scores, value,"
            + " values, version, such as OUTPUT (class STRING, version STRING)");
  }

  @Test
  void rowsAreInATopic() {
    assertThat(rows(Map.of())).isEmpty();
    assertThat(rows(Map.of("rows.topic", "r", "properties.bootstrap.servers", "broker:9092")))
        .hasValueSatisfying(place -> assertThat(place).hasToString("the topic r"));
    assertRefused(
        INPUT,
        OUTPUT,
        Map.of("rows.topic", "r"),
        "'properties.bootstrap.servers' is missing, and 'rows.topic' is given; name the brokers,"
            + " as host:port");
  }

  private static Optional<RowPlace> rows(Map<String, String> options) {
    return ((MillraceModelProvider) provider(INPUT, OUTPUT, options)).settings().models().rows();
  }

  @Test
  void modelsAreInOnePlace() {
    assertRefused(
        INPUT,
        OUTPUT,
        Map.of("models", ""),
        "'models' and 'models-topic' are both missing; name the directory or the topic that models"
            + " are published in");
    assertRefused(
        INPUT,
        OUTPUT,
        Map.of("models-topic", "t"),
        "'models' and 'models-topic' are both given; name the directory or the topic that models"
            + " are published in");
    assertRefused(
        INPUT,
        OUTPUT,
        Map.of("models", "", "models-topic", "t"),
        "'properties.bootstrap.servers' is missing, and 'models-topic' is given; name the brokers,"
            + " as host:port");
    Map<String, String> topic =
        Map.of(
            "models", "",
            "models-topic", "t",
            "properties.bootstrap.servers", "broker:9092",
            "properties.security.protocol", "SSL");
    assertThat(((MillraceModelProvider) provider(INPUT, OUTPUT, topic)).settings().models())
        .hasToString("the topic t");
    Map<String, String> committed = new HashMap<>(topic);
    committed.put("serve", "committed");
    assertRefused(
        INPUT,
        OUTPUT,
        committed,
        "'serve' is 'committed', and a topic has the latest models; follow the directory with"
            + " 'models'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "batch-size | 0 | 'batch-size' is 0; give at least 1",
        "kafka.bootstrap.servers | b:9092 | 'kafka.bootstrap.servers' is called"
            + " 'properties.bootstrap.servers' in SQL, as in Flink's Kafka tables; write that",
        "poll-interval | 1 ms | 'poll-interval' is 1 ms; give at least 10 ms",
        "first-model-wait | soon | Invalid value for option 'first-model-wait'.",
        "device | tpu | Invalid value for option 'device'.",
        "invalid-rows | skip | Invalid value for option 'invalid-rows'.",
        "serve | newest | Invalid value for option 'serve'."
      })
  void refusesAWrongValue(String key, String value, String message) {
    assertRefused(INPUT, OUTPUT, Map.of(key, value), message);
  }

  /** As Flink's own factories do. */
  @Test
  void refusesAnUnknownOptionAndNamesThoseThatThereAre() {
    assertThatThrownBy(() -> provider(INPUT, OUTPUT, Map.of("model", "x")))
        .hasRootCauseInstanceOf(ValidationException.class)
        .rootCause()
        .hasMessageContaining("Unsupported options found for 'millrace'")
        .hasMessageContaining("model\n")
        .hasMessageContaining("first-model-wait");
  }

  private static void assertRefused(
      String input, String output, Map<String, String> options, String message) {
    assertThatThrownBy(() -> provider(input, output, options))
        .isInstanceOf(ValidationException.class)
        .hasMessageContaining("Unable to create a model provider for model 'c.d.m'")
        .cause()
        .hasMessageContaining(message);
  }

  /** As Flink makes it when a query uses the model. */
  private static ModelProvider provider(String input, String output, Map<String, String> more) {
    Map<String, String> options = new HashMap<>(Map.of("provider", "millrace", "models", "/m"));
    options.putAll(more);
    ResolvedSchema inputs = schema(input);
    ResolvedSchema outputs = schema(output);
    CatalogModel model =
        CatalogModel.of(
            Schema.newBuilder().fromResolvedSchema(inputs).build(),
            Schema.newBuilder().fromResolvedSchema(outputs).build(),
            options,
            null);
    return FactoryUtil.createModelProvider(
        null,
        ObjectIdentifier.of("c", "d", "m"),
        ResolvedCatalogModel.of(model, inputs, outputs),
        new Configuration(),
        MillraceModelFactoryTest.class.getClassLoader(),
        false);
  }

  private static ResolvedSchema schema(String columns) {
    if (columns.isEmpty()) {
      return ResolvedSchema.of();
    }
    DataType row =
        TypeConversions.fromLogicalToDataType(
            LogicalTypeParser.parse(
                "ROW<" + columns + ">", MillraceModelFactoryTest.class.getClassLoader()));
    return ResolvedSchema.of(
        DataType.getFields(row).stream()
            .<Column>map(field -> Column.physical(field.getName(), field.getDataType()))
            .toList());
  }
}
