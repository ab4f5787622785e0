package dev.millrace.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldsDescriptionTest {

  private static final String ALL =
      "[{\"path\":\"a\",\"kind\":\"number\",\"clip\":[null,5],\"indicator\":true},"
          + "{\"path\":\"b\",\"kind\":\"number\",\"scale\":\"none\",\"missing\":\"-1\"},"
          + "{\"path\":\"c\",\"name\":\"see\",\"kind\":\"category\",\"values\":[\"x\",\"\u00e9\"]},"
          + "{\"path\":\"d[0].e\",\"kind\":\"category\",\"words\":7,\"encode\":\"id\"},"
          + "{\"path\":\"f\",\"aliases\":[\"g\"],\"kind\":\"category\",\"buckets\":9,\"missing\":\"reject\"},"
          + "{\"path\":\"h\",\"kind\":\"boolean\"},"
          + "{\"path\":\"i\",\"kind\":\"time\",\"parts\":[\"month-of-year\"],\"unit\":\"seconds\"},"
          + "{\"path\":\"j\",\"kind\":\"text\",\"ngrams\":2,\"buckets\":8},"
          + "{\"path\":\"l\",\"role\":\"label\"}]";

  @Test
  void theCanonicalFormReadsBackAsTheSameFeatures() {
    FieldsDescription description = FieldsDescription.parse(ALL, null);
    FieldsDescription read = FieldsDescription.ofCanonical(description.canonical());

    assertThat(read.features()).isEqualTo(description.features());
    assertThat(read.canonical()).isEqualTo(description.canonical());
    assertThat(read.names()).isEqualTo(description.names()).hasSize(description.width());
    assertThat(read.labels()).isEmpty();
  }

  @Test
  void theCanonicalFormTellsDefaultsAndNoLabels() {
    assertThat(
            FieldsDescription.parse(
                    "[{\"kind\":\"number\",\"path\":\"a\"},{\"role\":\"label\",\"path\":\"l\"}]",
                    null)
                .canonical())
        .isEqualTo(
            "{\"fields\":[{\"path\":\"a\",\"name\":\"a\",\"kind\":\"number\","
                + "\"scale\":\"standardize\",\"missing\":\"mean\",\"indicator\":false}]}");
  }

  @Test
  void neighbouringNumbersAreOneRange() {
    FieldsDescription description =
        FieldsDescription.parse(
            "[{\"path\":\"a\",\"kind\":\"number\"},{\"path\":\"b\",\"kind\":\"number\"},"
                + "{\"path\":\"c\",\"kind\":\"boolean\"},{\"path\":\"d\",\"kind\":\"number\"}]",
            null);

    assertThat(description.columns().numbers())
        .containsExactly(new IndexRange(0, 2), new IndexRange(3, 4));
  }

  @Test
  void featuresOfOneInputStandTogether() {
    FieldsDescription description =
        FieldsDescription.parse(
            "[{\"path\":\"a\",\"kind\":\"number\",\"input\":\"x\"},"
                + "{\"path\":\"b\",\"kind\":\"category\",\"words\":3,\"input\":\"y\"},"
                + "{\"path\":\"c\",\"kind\":\"number\",\"input\":\"x\"}]",
            null);

    assertThat(description.names().subList(0, 2)).containsExactly("a", "c");
    assertThat(description.shape(Target.REGRESSION, 1).structure().inputs())
        .extracting(Object::toString)
        .containsExactly(
            "Input[name=x, features=IndexRange[from=0, to=2]]",
            "Input[name=y, features=IndexRange[from=2, to=7]]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | A list of fields is expected",
        "[{\"kind\":\"number\"}] | Field 1: path is missing",
        "[{\"path\":\"a\"}] | Field \"a\": kind is missing",
        "[{\"path\":\"a\",\"kind\":\"numer\"}] | Field \"a\": kind is 'numer'; it must be one of"
            + " number, category",
        "[{\"path\":\"a..b\",\"kind\":\"number\"}] | \"a..b\" is no path of a field",
        "[{\"path\":\"a\",\"kind\":\"number\",\"scal\":\"none\"}] | Field \"a\": scal is no key"
            + " here; did you mean scale?",
        "[{\"path\":\"a\",\"kind\":\"number\",\"words\":3}] | Field \"a\": words is no key here",
        "[{\"path\":\"a\",\"kind\":\"number\",\"clip\":[5,1]}] | Field \"a\": clip is '[5,1]'; it"
            + " must be a lowest",
        "[{\"path\":\"a\",\"kind\":\"number\",\"missing\":\"x\"}] | missing is 'x'; it must be"
            + " mean, reject or a number",
        "[{\"path\":\"a\",\"kind\":\"number\",\"scale\":\"none\",\"missing\":\"mean\"}] | no mean"
            + " is learned",
        "[{\"path\":\"a\",\"kind\":\"category\"}] | Field \"a\": a category has one of values",
        "[{\"path\":\"a\",\"kind\":\"category\",\"words\":0}] | words is '0'; it must be a whole"
            + " number from 1",
        "[{\"path\":\"a\",\"kind\":\"category\",\"values\":[\"x\",\"x\"]}] | values is"
            + " '[\"x\",\"x\"]'; it must be a list, each value once",
        "[{\"path\":\"a\",\"kind\":\"boolean\",\"missing\":\"0\"}] | missing is '0'; it must be"
            + " reject",
        "[{\"path\":\"a\",\"role\":\"label\",\"missing\":\"0\"}] | missing is '0'; it must be"
            + " reject",
        "[{\"rule\":\"a == 1\",\"role\":\"label\",\"missing\":\"0\"}] | missing is '0'; it must be"
            + " reject",
        "[{\"path\":\"a\",\"role\":\"weight\",\"missing\":1}] | missing is '1'; it must be reject",
        "[{\"path\":\"a\",\"role\":\"id\",\"missing\":\"x\"}] | missing is 'x'; it must be reject",
        "[{\"path\":\"a\",\"role\":\"timestamp\",\"missing\":0}] | missing is '0'; it must be"
            + " reject",
        "[{\"path\":\"a\",\"kind\":\"number\"},{\"path\":\"a\",\"kind\":\"number\"}] | Two fields"
            + " are called \"a\"",
        "[{\"path\":\"a\",\"role\":\"label\"}] | At least one field must become features",
        "[{\"path\":\"a\",\"kind\":\"number\",\"path\":\"b\"}] | It is no list of fields as JSON",
        "[{\"path\":\"a\",\"kind\":\"number\"},{\"path\":\"b\",\"role\":\"label\",\"rule\":\"c =="
            + " 1\"}] | path is 'b' and its rule is about 'c'",
        "[{\"path\":\"a\",\"kind\":\"number\",\"input\":\"x\"},{\"path\":\"b\",\"kind\":\"number\"}]"
            + " | \"b\" has no input",
      })
  void aMistakeIsToldByFieldKeyAndValue(String fields, String message) {
    assertThatThrownBy(() -> FieldsDescription.parse(fields, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aPlaceInStepsIsForStepsThatAreArrays() {
    SequenceFields items = new SequenceFields(FieldPath.of("items"), 3, false);
    String price = "{\"path\":\"items.price\",\"kind\":\"number\"}";
    String first = "{\"path\":\"items[0].price\",\"kind\":\"number\"}";

    assertThatThrownBy(() -> FieldsDescription.parse("[%s,%s]".formatted(price, first), items))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"items[0].price\" is a place in each step of \"items\"");
    assertThat(
            FieldsDescription.parse(
                    "[{\"path\":\"items[0]\",\"kind\":\"number\"},{\"path\":\"items[1]\",\"kind\":\"number\"}]",
                    items)
                .width())
        .isEqualTo(2);
  }
}
