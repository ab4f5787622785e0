package dev.millrace.fields;

import static dev.millrace.fields.Records.features;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.shape.WordColumn;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordFeaturesTest {

  private static final String NUMBER = "[{\"path\":\"a\",\"kind\":\"number\"}]";

  @Test
  void aNumberIsThereAsItCameAndNotANumberWhereItIsMissing() throws Exception {
    assertThat(features(NUMBER, "{\"a\":-2.5}").features()).containsExactly(-2.5f);
    assertThat(features(NUMBER, "{\"a\":null}").features()).containsExactly(Float.NaN);
    assertThat(features(NUMBER, "{}").features()).containsExactly(Float.NaN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":\"abc\"} | field \"a\": a number expected, \"abc\" found",
        "{\"a\":\"1,5\"} | field \"a\": a number expected, \"1,5\" found",
        "{\"a\":\" 1\"} | field \"a\": a number expected, \" 1\" found",
        "{\"a\":\"NaN\"} | field \"a\": a number expected, \"NaN\" found",
        "{\"a\":\"0x1p3\"} | field \"a\": a number expected, \"0x1p3\" found",
        "{\"a\":\"1e400\"} | field \"a\": a finite number expected, Infinity found",
        "{\"a\":true} | field \"a\": a number expected, true found",
        "{\"a\":[1]} | field \"a\": a number expected, an array found",
        "{\"a\":{}} | field \"a\": a number expected, an object found",
        "{\"a\":1e308} | field \"a\": 1.0E308 is beyond the range of float; clip it, or take its"
            + " logarithm",
        "{\"a\":1e400} | field \"a\": a finite number expected, Infinity found",
      })
  void whatIsNoNumberIsRejectedByName(String record, String reason) {
    assertThatThrownBy(() -> features(NUMBER, record))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage(reason);
  }

  @Test
  void clippedAndLogarithmicNumbersTakeAnyFiniteValue() throws Exception {
    String clipped = "[{\"path\":\"a\",\"kind\":\"number\",\"clip\":[-1,\"5\"]}]";
    String logarithm = "[{\"path\":\"a\",\"kind\":\"number\",\"scale\":\"logarithm\"}]";

    assertThat(features(clipped, "{\"a\":1e308}").features()).containsExactly(5f);
    assertThat(features(clipped, "{\"a\":-7}").features()).containsExactly(-1f);
    assertThat(features(clipped, "{}").features()).containsExactly(Float.NaN);
    assertThat(features(logarithm, "{\"a\":-9}").features()[0])
        .isCloseTo((float) -Math.log(10), within(1e-6f));
    assertThat(features(logarithm, "{\"a\":1e308}").features()[0])
        .isCloseTo((float) Math.log(1e308), within(1e-3f));
  }

  @Test
  void aMissingNumberIsWhatItsFieldSays() throws Exception {
    String fields =
        "[{\"path\":\"a\",\"kind\":\"number\",\"missing\":3,\"indicator\":true},"
            + "{\"path\":\"b\",\"kind\":\"number\",\"scale\":\"none\"}]";

    assertThat(features(fields, "{\"b\":1}").features()).containsExactly(3, 1, 1);
    assertThat(features(fields, "{\"a\":7,\"b\":1}").features()).containsExactly(7, 0, 1);
    assertThatThrownBy(() -> features(fields, "{\"a\":7}")).hasMessage("field \"b\" is missing");
  }

  @Test
  void aGivenVocabularyHasPlacesForOtherAndMissingWords() throws Exception {
    String fields =
        "[{\"path\":\"p\",\"kind\":\"category\",\"values\":[\"tcp\",\"udp\",\"1\",\"true\"]}]";

    assertThat(features(fields, "{\"p\":\"gre\"}").features()).containsExactly(1, 0, 0, 0, 0, 0);
    assertThat(features(fields, "{\"p\":\"\"}").features()).containsExactly(1, 0, 0, 0, 0, 0);
    assertThat(features(fields, "{}").features()).containsExactly(0, 1, 0, 0, 0, 0);
    assertThat(features(fields, "{\"p\":\"udp\"}").features()).containsExactly(0, 0, 0, 1, 0, 0);
    assertThat(features(fields, "{\"p\":1.0}").features()).containsExactly(0, 0, 0, 0, 1, 0);
    assertThat(features(fields, "{\"p\":true}").features()).containsExactly(0, 0, 0, 0, 0, 1);
  }

  @Test
  void aLearnedWordIsCarriedAndItsFeaturesAreLeftToTheModel() throws Exception {
    String fields =
        "[{\"path\":\"n\",\"kind\":\"number\"},{\"path\":\"s\",\"kind\":\"category\",\"words\":2},"
            + "{\"path\":\"t\",\"kind\":\"category\",\"words\":9,\"encode\":\"id\"}]";
    FieldsDescription description = FieldsDescription.parse(fields, null);
    Example example = features(fields, "{\"n\":1,\"s\":\"\uD83D\uDE00\"}");

    assertThat(example.features()).containsExactly(1, 0, 0, 0, 0, 0);
    assertThat(example.words()).containsExactly("\uD83D\uDE00", null);
    assertThat(description.columns().words())
        .containsExactly(new WordColumn("s", 2, 1, true), new WordColumn("t", 9, 5, false));
    assertThat(description.columns().numbers()).containsExactly(new IndexRange(0, 1));
    assertThat(RecordFeatures.of(description).names())
        .containsExactly("n", "s (other)", "s (missing)", "s #0", "s #1", "t");
    assertThatThrownBy(() -> features(fields, "{\"s\":\"\\ud83d\"}"))
        .hasMessageContaining("field \"s\": a text expected, half of a surrogate pair");
    assertThatThrownBy(() -> features(fields, "{\"s\":\"" + "x".repeat(257) + "\"}"))
        .hasMessageContaining("at most 256 characters expected, 257 found");
  }

  /** The hashes of "hello" and "foo" are those of other implementations of murmur3. */
  @Test
  void wordsAreHashedByMurmur3() throws Exception {
    String fields = "[{\"path\":\"u\",\"kind\":\"category\",\"buckets\":1000,\"encode\":\"id\"}]";

    assertThat(features(fields, "{\"u\":\"hello\"}").features())
        .containsExactly((float) (1 + 0x248bfa47L % 1000));
    assertThat(features(fields, "{\"u\":\"foo\"}").features())
        .containsExactly((float) (1 + 0xf6a5c420L % 1000));
    assertThat(features(fields, "{}").features()).containsExactly(0);
  }

  @Test
  void timesBecomePlacesOnCircles() throws Exception {
    String fields =
        "[{\"path\":\"at\",\"kind\":\"time\",\"parts\":[\"hour-of-day\",\"day-of-week\"]}]";
    // A Tuesday.
    float[] six = features(fields, "{\"at\":\"2024-01-02T06:30:00Z\"}").features();

    assertThat(six[0]).isEqualTo(1f);
    assertThat(six[1]).isCloseTo(0f, within(1e-7f));
    assertThat(six[2]).isEqualTo((float) StrictMath.sin(2 * Math.PI / 7));
    for (String same :
        new String[] {
          "1704177000000", "\"2024-01-02T07:30:00+01:00\"", "\"2024-01-02 06:30:00\""
        }) {
      assertThat(features(fields, "{\"at\":" + same + "}").features()).containsExactly(six);
    }
    assertThat(features(fields, "{}").features()).containsExactly(0, 0, 0, 0);
    assertThatThrownBy(() -> features(fields, "{\"at\":\"noon\"}"))
        .hasMessageContaining("field \"at\": a time, as milliseconds since the epoch");
  }

  @ParameterizedTest
  @CsvSource({
    "days, 19724",
    "seconds, 1704177000",
    "microseconds, 1704177000000000",
    "nanoseconds, 1704177000000000000",
    "days, 19724.27083333333334",
  })
  void timesCountUnitsSinceTheEpoch(String unit, String number) throws Exception {
    String fields =
        "[{\"path\":\"at\",\"kind\":\"time\",\"parts\":[\"day-of-month\",\"hour-of-day\"],\"unit\":\"%s\"}]";
    String day = unit.equals("days") && !number.contains(".") ? "2024-01-02" : "2024-01-02T06:30Z";

    assertThat(features(fields.formatted(unit), "{\"at\":%s}".formatted(number)).features())
        .containsExactly(
            features(fields.formatted("days"), "{\"at\":\"%s\"}".formatted(day)).features());
  }

  @Test
  void textsBecomeNormalizedCountsOfNgrams() throws Exception {
    String fields = "[{\"path\":\"m\",\"kind\":\"text\",\"ngrams\":3,\"buckets\":64}]";
    float[] features = features(fields, "{\"m\":\"aaaab\"}").features();

    // aaa, aaa, aab
    assertThat(squares(features)).isCloseTo(1, within(1e-6));
    assertThat(features).contains((float) (2 / Math.sqrt(5)), (float) (1 / Math.sqrt(5)));
    assertThat(features(fields, "{\"m\":\"\uD83D\uDE00\"}").features()).contains(1f);
    assertThat(squares(features(fields, "{\"m\":\"\"}").features())).isZero();
    assertThat(squares(features(fields, "{}").features())).isZero();
  }

  private static double squares(float[] features) {
    double sum = 0;
    for (float feature : features) {
      sum += feature * feature;
    }
    return sum;
  }

  @Test
  void booleansAreOneAndZero() throws Exception {
    String fields = "[{\"path\":\"f.urgent\",\"kind\":\"boolean\",\"indicator\":\"true\"}]";

    assertThat(features(fields, "{\"f\":{\"urgent\":true}}").features()).containsExactly(1, 0);
    assertThat(features(fields, "{\"f\":{\"urgent\":0}}").features()).containsExactly(0, 0);
    assertThat(features(fields, "{\"f\":{}}").features()).containsExactly(0, 1);
    assertThatThrownBy(() -> features(fields, "{\"f\":{\"urgent\":2}}"))
        .hasMessage("field \"f.urgent\": true or false expected, 2 found");
  }

  @Test
  void theFirstAliasThatIsThereCounts() throws Exception {
    String fields = "[{\"path\":\"new\",\"aliases\":[\"old\",\"older\"],\"kind\":\"number\"}]";

    assertThat(features(fields, "{\"new\":1,\"old\":2}").features()).containsExactly(1);
    assertThat(features(fields, "{\"older\":3,\"old\":2}").features()).containsExactly(2);
    assertThat(features(fields, "{\"older\":3}").features()).containsExactly(3);
  }

  @Test
  void stepsOfASequenceHaveTheRecordsFieldsToo() throws Exception {
    FieldsDescription description =
        FieldsDescription.parse(
            "[{\"path\":\"customer\",\"kind\":\"category\",\"words\":5},"
                + "{\"path\":\"items.price\",\"kind\":\"number\"},"
                + "{\"path\":\"items.good\",\"role\":\"label\"}]",
            new SequenceFields(FieldPath.of("items"), 3, true));
    ExampleShape shape = description.shape(Target.CLASSIFICATION, 2);
    RecordFeatures features = RecordFeatures.labelled(description, shape, List.of());
    Example example =
        Records.read(
            "json",
            Map.of(),
            features,
            "{\"items\":[{\"price\":1,\"good\":1},{\"good\":false}],\"customer\":\"c\"}");

    assertThat(shape.width()).isEqualTo(8);
    assertThat(example.steps()).isEqualTo(2);
    assertThat(example.features()[7]).isEqualTo(1);
    assertThat(example.features()[15]).isNaN();
    assertThat(example.features()[23]).isZero();
    assertThat(example.words()).containsExactly("c", "c", null);
    assertThat(example.labels()).containsExactly(0, 1, 1, 0, 0, 0);
    assertThatThrownBy(
            () -> Records.read("json", Map.of(), features, "{\"items\":[],\"customer\":\"c\"}"))
        .hasMessage("sequence \"items\": 1 to 3 steps expected, 0 found");
    assertThatThrownBy(
            () -> Records.read("json", Map.of(), features, "{\"items\":[{},{},{},{},{}]}"))
        .hasMessage("sequence \"items\": 1 to 3 steps expected, 5 found");
    assertThatThrownBy(
            () -> Records.read("json", Map.of(), features, "{\"items\":[{\"price\":\"x\"}]}"))
        .hasMessage("step 0, field \"items.price\": a number expected, \"x\" found");
  }

  @Test
  void elementsThatAreValuesThemselvesAreSteps() throws Exception {
    FieldsDescription description =
        FieldsDescription.parse(
            "[{\"path\":\"load\",\"kind\":\"number\"}]",
            new SequenceFields(FieldPath.of("load"), 4, false));
    Example example =
        Records.read("json", Map.of(), RecordFeatures.of(description), "{\"load\":[1,2.5,3]}");

    assertThat(example.features()).containsExactly(1, 2.5f, 3, 0);
    assertThat(example.steps()).isEqualTo(3);
  }

  /** A reader fills the same values and the same example again and again. */
  @Test
  void nothingOfAnEarlierRecordStays() throws Exception {
    FieldsDescription description =
        FieldsDescription.parse(
            "[{\"path\":\"n\",\"kind\":\"number\",\"indicator\":true},"
                + "{\"path\":\"s.w\",\"kind\":\"category\",\"words\":3},"
                + "{\"path\":\"s.t\",\"kind\":\"text\",\"ngrams\":2,\"buckets\":4},"
                + "{\"path\":\"id\",\"role\":\"id\"}]",
            new SequenceFields(FieldPath.of("s"), 3, false));
    RecordFeatures features = RecordFeatures.of(description);
    FieldFormat format =
        new FieldFormat(RecordFormats.named("json", features.plan(), Map.of()), features);
    Example example = new Example(features.shape());
    for (String record :
        List.of(
            "{\"n\":1,\"id\":\"x\",\"s\":[{\"w\":\"a\",\"t\":\"ab\"},{\"w\":\"b\"},{\"w\":\"c\",\"t\":\"c\"}]}",
            "{\"s\":[{}]}")) {
      example.reset();
      format.read(record.getBytes(UTF_8), example);
    }

    assertThat(example.steps()).isEqualTo(1);
    assertThat(example.words()).containsOnlyNulls();
    assertThat(example.id()).isNull();
    assertThat(example.features()[0]).isNaN();
    assertThat(example.features()[1]).isEqualTo(1);
    for (int i = 2; i < example.features().length; i++) {
      assertThat(example.features()[i]).isZero();
    }
  }
}
