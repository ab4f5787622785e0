package dev.millrace.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.shape.Target;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Words for missing values, decimal commas and numbers in quotes, in json and in csv. */
class FieldTextsTest {

  private static final String FIELDS =
      "[{\"path\":\"a\",\"kind\":\"number\",\"indicator\":true},"
          + "{\"path\":\"w\",\"kind\":\"category\",\"values\":[\"x\",\"2.5\"]},"
          + "{\"path\":\"at\",\"kind\":\"time\",\"parts\":[\"hour-of-day\"],\"indicator\":true},"
          + "{\"path\":\"y\",\"role\":\"label\"}]";

  private static final FieldTexts TEXTS = FieldTexts.of(List.of("NA", "?", "n/a"), ',');

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,5 | x | 7200000 | 0 | 1.5 | 0 | 0 0 1 0 | 0",
        "-2e3 | ? | n/a | 1 | -2000 | 0 | 0 1 0 0 | 1",
        "NA | 2,5 | NA | 1 | NaN | 1 | 0 0 0 1 | 1",
        "+,5 | NAN | 1970-01-01T02:00 | 1 | 0.5 | 0 | 1 0 0 0 | 0",
      })
  void textsMeanTheSameInCsvAndInJson(
      String a,
      String w,
      String at,
      String y,
      float number,
      float missing,
      String word,
      float timeMissing)
      throws Exception {
    RecordFeatures features = features();
    String csv = "\"%s\",\"%s\",%s,%s".formatted(a, w, at, y);
    Example ofCsv = Records.read("csv", Map.of("csv.columns", "a\nw\nat\ny"), features, csv);
    String json =
        "{\"a\":\"%s\",\"w\":\"%s\",\"at\":\"%s\",\"y\":\"%s\"}"
            .formatted(a, w.replace("2,5", "2.5"), at, y);
    Example ofJson = Records.read("json", Map.of(), features, json);

    assertThat(ofCsv.features()[0]).isEqualTo(Float.valueOf(number));
    assertThat(ofCsv.features()[1]).isEqualTo(missing);
    assertThat(ofCsv.features()[8]).isEqualTo(timeMissing);
    String[] places = word.split(" ", -1);
    for (int i = 0; i < places.length; i++) {
      assertThat(ofCsv.features()[2 + i]).isEqualTo(Float.parseFloat(places[i]));
    }
    assertThat(ofJson.features()).isEqualTo(ofCsv.features());
    assertThat(ofJson.labels()).isEqualTo(ofCsv.labels());
  }

  @ParameterizedTest
  @ValueSource(strings = {"NA", "?"})
  void aLabelMayBeMissingByAWord(String label) {
    assertThatThrownBy(
            () ->
                Records.read(
                    "json", Map.of(), features(), "{\"a\":1,\"y\":\"%s\"}".formatted(label)))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("field \"y\" is missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "1.234,5", "1,2,3", "na", "1 000", "١"})
  void otherTextsAreNoNumbers(String text) {
    assertThatThrownBy(
            () ->
                Records.read(
                    "json", Map.of(), features(), "{\"a\":\"%s\",\"y\":0}".formatted(text)))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("field \"a\": a number expected, \"%s\" found".formatted(text));
  }

  /** Rules, labels and times take them, too. */
  @Test
  void aNumberInQuotesIsANumberWhereverOneIsWanted() throws Exception {
    String fields =
        "[{\"path\":\"a\",\"kind\":\"number\"},{\"role\":\"label\",\"rule\":\"b > 3\"}]";

    assertThat(
            Records.labelled(
                    fields,
                    Target.CLASSIFICATION,
                    2,
                    List.of(),
                    "{\"a\":\"12345678901234567890\",\"b\":\"3.5\"}")
                .labels())
        .containsExactly(0, 1);
  }

  /** Whatever the format and the way it is written, it is the number that somebody declared. */
  @Test
  void aNumberThatIsAWordIsMissing() throws Exception {
    FieldTexts texts = FieldTexts.of(List.of("-999", "nan", "0.5"), '.');
    FieldsDescription description =
        FieldsDescription.parse("[{\"path\":\"a\",\"kind\":\"number\"}]", null, texts);
    RecordFeatures features = RecordFeatures.of(description);
    for (String missing : List.of("-999", "-999.0", "-9.99e2", "0.50", "\"-999.00\"", "\"nan\"")) {
      assertThat(number(features, missing)).as(missing).isNaN();
    }
    assertThat(number(features, "-998.5")).isEqualTo(-998.5f);
    assertThat(number(features, "\"-998.5\"")).isEqualTo(-998.5f);

    FieldFormat avro =
        new FieldFormat(
            RecordFormats.named(
                "avro",
                features.plan(),
                Map.of(
                    "schema",
                    "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"double\"}]}")),
            features);
    for (double missing : new double[] {Double.NaN, -999, 0.5}) {
      Example example = new Example(features.shape());
      avro.read(
          ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(missing).array(),
          example);
      assertThat(example.features()).as("%s", missing).containsExactly(Float.NaN);
    }
  }

  private static float number(RecordFeatures features, String json) throws Exception {
    return Records.read("json", Map.of(), features, "{\"a\":%s}".formatted(json)).features()[0];
  }

  @Test
  void aDescriptionKeepsThem() {
    FieldsDescription description = FieldsDescription.parse(FIELDS, null, TEXTS);

    assertThat(description.canonical())
        .endsWith(",\"missing\":[\"?\",\"NA\",\"n/a\"],\"decimal\":\",\"}");
    assertThat(FieldsDescription.ofCanonical(description.canonical()).texts()).isEqualTo(TEXTS);
    assertThat(FieldsDescription.parse(FIELDS, null).canonical())
        .doesNotContain("decimal", "\"missing\":[");
  }

  @Test
  void whatIsNoWordOrSignIsRefused() {
    assertThatThrownBy(() -> FieldTexts.of(List.of("NA", "NA"), '.')).hasMessageContaining("twice");
    assertThatThrownBy(() -> FieldTexts.of(List.of(" "), '.')).hasMessageContaining("no space");
    assertThatThrownBy(() -> FieldTexts.of(List.of(), ';')).hasMessageContaining("\";\"");
  }

  private static RecordFeatures features() {
    FieldsDescription description = FieldsDescription.parse(FIELDS, null, TEXTS);
    return RecordFeatures.labelled(
        description, description.shape(Target.CLASSIFICATION, 2), List.of());
  }
}
