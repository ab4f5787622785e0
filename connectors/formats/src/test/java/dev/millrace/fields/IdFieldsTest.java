package dev.millrace.fields;

import static dev.millrace.fields.Records.features;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IdColumn.Pooling;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.KeptFields;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields of the kinds id and ids. */
class IdFieldsTest {

  private static final String USER =
      "{\"path\":\"user\",\"kind\":\"id\",\"table\":\"users\",\"dimension\":3}";
  private static final String ITEMS = "{\"path\":\"items\",\"kind\":\"ids\",\"dimension\":2}";
  private static final String PIECES =
      "{\"path\":\"items\",\"kind\":\"ids\",\"dimension\":2,\"separator\":\"|\",\"most\":3}";

  private static Example items(String field, String json) throws InvalidExampleException {
    return features("[" + field + "]", json);
  }

  private static FieldsDescription parse(String... fields) {
    return FieldsDescription.parse("[" + String.join(",", fields) + "]", null);
  }

  @Test
  void idsStandBetweenOtherFeaturesInTheOrderOfTheFields() throws Exception {
    FieldsDescription description =
        parse(
            "{\"path\":\"n\",\"kind\":\"number\"}",
            USER,
            "{\"path\":\"c\",\"kind\":\"category\",\"words\":1,\"encode\":\"id\"}",
            "{\"path\":\"items\",\"kind\":\"ids\",\"dimension\":2,\"pooling\":\"sum\"}",
            "{\"path\":\"b\",\"kind\":\"boolean\"}");
    Example example =
        Records.read(
            "json",
            Map.of(),
            RecordFeatures.of(description),
            "{\"b\":true,\"items\":[\"x\",7,true],\"user\":5,\"n\":1.5,\"c\":\"w\"}");

    assertThat(example.features()).containsExactly(1.5f, 0, 0, 0, 0, 0, 0, 1);
    assertThat(example.words()).containsExactly("w");
    assertThat(Ids.of(example))
        .containsExactly(Ids.of("users", "5"), Ids.of("items", "x", "7", "true"));
    assertThat(description.columns().ids())
        .containsExactly(
            new IdColumn("user", "users", new IndexRange(1, 4), Pooling.SUM),
            new IdColumn("items", "items", new IndexRange(5, 7), Pooling.SUM));
    assertThat(description.columns().numbers()).containsExactly(new IndexRange(0, 1));
    assertThat(description.names())
        .containsExactly("n", "user #0", "user #1", "user #2", "c", "items #0", "items #1", "b");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"user\":\"5\"} | 5",
        "{\"user\":5.0} | 5",
        "{\"user\":98765432109876543210} | 98765432109876543210",
        "{\"user\":true} | true",
        "{\"user\":\"\"} | ''",
        "{\"user\":\"007\"} | 007",
      })
  void aValueIsTheWordThatItIsAsACategory(String record, String word) throws Exception {
    assertThat(Ids.of(items(USER, record))).containsExactly(Ids.of("users", word));
  }

  @Test
  void whatIsMissingHasNoIds() throws Exception {
    String both = "[%s,%s]".formatted(USER, ITEMS);

    assertThat(Ids.of(features(both, "{}"))).containsExactly(List.of(), List.of());
    assertThat(Ids.of(features(both, "{\"user\":null,\"items\":null}")))
        .containsExactly(List.of(), List.of());
    assertThat(Ids.of(features(both, "{\"items\":[]}"))).containsExactly(List.of(), List.of());
    assertThat(Ids.of(features(both, "{\"items\":[null,1,null]}")))
        .containsExactly(List.of(), Ids.of("items", "1"));
    assertThatThrownBy(() -> items(USER.replace("}", ",\"missing\":\"reject\"}"), "{}"))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("field \"user\" is missing");
    assertThatThrownBy(() -> items(ITEMS.replace("}", ",\"missing\":\"reject\"}"), "{}"))
        .hasMessage("field \"items\" is missing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "{\"user\":[1]} ~ field \"user\": a word expected, an array found",
        "{\"user\":{}} ~ field \"user\": a word expected, an object found",
        "{\"user\":\"\\ud83d\"} ~ field \"user\": a text expected, half of a surrogate pair found at"
            + " character 0",
        "{\"items\":[1,{\"a\":[2]}]} ~ element 1, field \"items\": a word expected, an object found",
        "{\"items\":[[]]} ~ element 0, field \"items\": a word expected, an array found",
        "{\"items\":[1e999]} ~ element 0, field \"items\": a finite number expected, Infinity found",
        "{\"items\":\"a|b\"} ~ field \"items\": a list expected, \"a|b\" found; the key separator"
            + " says how a text is one",
        "{\"items\":{\"a\":1}} ~ field \"items\": a list expected, an object found",
      })
  void whatIsNoIdIsRejectedByName(String record, String reason) {
    assertThatThrownBy(() -> features("[%s,%s]".formatted(USER, ITEMS), record))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage(reason);
  }

  @Test
  void aTextIsSplitAndItsPiecesAreWordsAsCellsAre() throws Exception {
    assertThat(Ids.of(items(PIECES, "{\"items\":\" a||5.0 | |b c\"}")))
        .containsExactly(Ids.of("items", "a", "5", "b c"));
    assertThat(Ids.of(items(PIECES, "{\"items\":\"|\"}"))).containsExactly(List.of());
    assertThat(Ids.of(items(PIECES, "{\"items\":\"\"}"))).containsExactly(List.of());
    assertThat(Ids.of(items(PIECES, "{\"items\":7}"))).containsExactly(Ids.of("items", "7"));
    assertThat(Ids.of(items(PIECES, "{\"items\":[\"a|b\"]}")))
        .containsExactly(Ids.of("items", "a|b"));
    assertThat(Ids.of(items(PIECES.replace("\"|\"", "\"::\""), "{\"items\":\"a::b:c\"}")))
        .containsExactly(Ids.of("items", "a", "b:c"));
    assertThatThrownBy(() -> items(PIECES, "{\"items\":{}}"))
        .hasMessage("field \"items\": a word expected, an object found");
  }

  @Test
  void wordsForMissingValuesAreLeftOut() throws Exception {
    FieldsDescription description =
        FieldsDescription.parse("[" + PIECES + "]", null, FieldTexts.of(List.of("NA"), ','));
    RecordFeatures features = RecordFeatures.of(description);

    assertThat(Ids.of(Records.read("json", Map.of(), features, "{\"items\":\"NA|1,50|x\"}")))
        .containsExactly(Ids.of("items", "1.5", "x"));
    assertThat(Ids.of(Records.read("json", Map.of(), features, "{\"items\":[\"NA\",\"x\"]}")))
        .containsExactly(Ids.of("items", "x"));
    assertThat(Ids.of(Records.read("json", Map.of(), features, "{\"items\":\"NA\"}")))
        .containsExactly(List.of());
  }

  @Test
  void moreIdsThanMostAreRejected() throws Exception {
    String reason = "field \"items\": at most 3 ids expected, %s found; the key most allows more";

    assertThat(Ids.of(items(PIECES, "{\"items\":[1,2,3]}")).get(0)).hasSize(3);
    assertThat(Ids.of(items(PIECES, "{\"items\":\"1|2|3|\"}")).get(0)).hasSize(3);
    assertThatThrownBy(() -> items(PIECES, "{\"items\":[1,2,3,4,5,6]}"))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage(reason, 6);
    assertThatThrownBy(() -> items(PIECES, "{\"items\":\"1|2|3|4|5\"}")).hasMessage(reason, 5);
    String many = "{\"items\":[%s]}";
    assertThat(Ids.of(items(ITEMS, many.formatted("1" + ",1".repeat(999)))).get(0)).hasSize(1000);
    assertThatThrownBy(() -> items(ITEMS, many.formatted("1" + ",1".repeat(1000))))
        .hasMessageContaining("at most 1000 ids expected, 1001 found");
  }

  @Test
  void noMoreElementsThanMostAreKept() {
    FieldValues list = RecordFeatures.of(parse(PIECES)).values().setList(0);
    for (int i = 0; i < 1000; i++) {
      list.addStep().setLong(0, i);
    }

    assertThat(list.steps()).isEqualTo(1000);
    assertThat(list.step(2).longAt(0)).isEqualTo(2);
    assertThatThrownBy(() -> list.step(4)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** Each field has its own limit, of the same array. */
  @Test
  void twoFieldsMayReadOneArray() throws Exception {
    String more =
        "{\"path\":\"items\",\"name\":\"more\",\"kind\":\"ids\",\"dimension\":1,\"most\":4}";

    assertThat(Ids.of(features("[%s,%s]".formatted(PIECES, more), "{\"items\":[1,2,3]}")))
        .containsExactly(Ids.of("items", "1", "2", "3"), Ids.of("more", "1", "2", "3"));
    assertThatThrownBy(() -> features("[%s,%s]".formatted(PIECES, more), "{\"items\":[1,2,3,4]}"))
        .hasMessageContaining("at most 3 ids expected, 4 found");
    assertThatThrownBy(() -> features("[%s,%s]".formatted(more, PIECES), "{\"items\":[1,2,3,4,5]}"))
        .hasMessageContaining("field \"more\": at most 4 ids expected, 5 found");
  }

  @Test
  void nothingOfAnEarlierRecordStays() throws Exception {
    RecordFeatures features = RecordFeatures.of(parse(USER, ITEMS));
    FieldFormat format =
        new FieldFormat(RecordFormats.named("json", features.plan(), Map.of()), features);
    Example example = new Example(features.shape());
    for (String record :
        List.of(
            "{\"user\":1,\"items\":[\"a\",\"b\",\"c\"]}",
            "{\"items\":[\"d\",null,\"e\"]}",
            "{\"items\":[null]}")) {
      example.reset();
      format.read(record.getBytes(UTF_8), example);
    }

    assertThat(Ids.of(example)).containsExactly(List.of(), List.of());
  }

  /** As it is sent to tasks, and around a row. */
  @Test
  void aFormatOfListsIsSerializedAndGoesIntoEnvelopes() throws Exception {
    RecordFeatures features = RecordFeatures.of(parse(USER, ITEMS));
    FieldFormat format =
        new FieldFormat(
            RecordFormats.named("json", Envelope.DEBEZIUM.around(features.plan()), Map.of()),
            features,
            Envelope.DEBEZIUM);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(format);
    }
    FieldFormat sent =
        (FieldFormat)
            new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    Example example = new Example(features.shape());

    sent.read("{\"op\":\"c\",\"after\":{\"items\":[1,2],\"user\":\"u\"}}".getBytes(UTF_8), example);

    assertThat(Ids.of(example)).containsExactly(Ids.of("users", "u"), Ids.of("items", "1", "2"));
  }

  @Test
  void theFirstAliasThatIsThereCounts() throws Exception {
    String field =
        "{\"path\":\"a.items\",\"aliases\":[\"b\"],\"name\":\"items\",\"kind\":\"ids\",\"dimension\":2}";

    assertThat(Ids.of(items(field, "{\"b\":[1]}"))).containsExactly(Ids.of("items", "1"));
    assertThat(Ids.of(items(field, "{\"b\":[1],\"a\":{\"items\":[2]}}")))
        .containsExactly(Ids.of("items", "2"));
    assertThat(Ids.of(items(field, "{\"b\":[1],\"a\":{\"items\":[]}}"))).containsExactly(List.of());
  }

  @Test
  void theCanonicalFormTellsAllKeysAndReadsBackAsTheSame() {
    FieldsDescription description = parse(USER, ITEMS, PIECES.replace("\"items\"", "\"other\""));
    FieldsDescription read = FieldsDescription.ofCanonical(description.canonical());

    assertThat(description.canonical())
        .isEqualTo(
            "{\"fields\":["
                + "{\"path\":\"user\",\"name\":\"user\",\"kind\":\"id\",\"table\":\"users\","
                + "\"dimension\":3},"
                + "{\"path\":\"items\",\"name\":\"items\",\"kind\":\"ids\",\"table\":\"items\","
                + "\"dimension\":2,\"pooling\":\"mean\",\"most\":1000},"
                + "{\"path\":\"other\",\"name\":\"other\",\"kind\":\"ids\",\"table\":\"other\","
                + "\"dimension\":2,\"pooling\":\"mean\",\"separator\":\"|\",\"most\":3}]}");
    assertThat(read.features()).isEqualTo(description.features());
    assertThat(read.canonical()).isEqualTo(description.canonical());
    assertThat(read.columns()).isEqualTo(description.columns());
  }

  @Test
  void howAListIsWrittenMayChangeAndWhatItIsMayNot() {
    String kept = parse(PIECES).canonical();

    assertThat(KeptFields.difference(kept, parse(ITEMS).canonical())).isEmpty();
    for (String other :
        List.of(
            PIECES.replace("\"dimension\":2", "\"dimension\":3"),
            PIECES.replace("}", ",\"pooling\":\"sum\"}"),
            PIECES.replace("}", ",\"table\":\"t\"}"),
            USER.replace("user\"", "items\""))) {
      assertThat(KeptFields.difference(kept, parse(other).canonical()).orElseThrow())
          .as(other)
          .startsWith("field 1 is \"items\" {");
    }
  }

  @Test
  void fieldsThatShareATableHaveItsDimension() throws Exception {
    String friends = "{\"path\":\"friends\",\"kind\":\"ids\",\"table\":\"users\",\"dimension\":%s}";

    assertThat(
            Ids.of(
                features(
                    "[%s,%s]".formatted(USER, friends.formatted(3)),
                    "{\"user\":1,\"friends\":[1,2]}")))
        .containsExactly(Ids.of("users", "1"), Ids.of("users", "1", "2"));
    assertThatThrownBy(() -> parse(USER, friends.formatted(4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Fields \"user\" and \"friends\" share the table \"users\" and have the dimensions 3 and"
                + " 4; give them the same dimension, or tables of their own");
  }

  @Test
  void aFieldThatSaysNoDimensionHasThatOfItsTable() {
    FieldsDescription fields =
        FieldsDescription.parse(
            "[{\"path\":\"a\",\"kind\":\"id\"},{\"path\":\"b\",\"kind\":\"ids\",\"dimension\":2}]",
            null,
            FieldTexts.DEFAULT,
            table -> table.equals("a") ? 5 : 7);
    assertThat(fields.width()).isEqualTo(5 + 2);
    assertThat(FieldsDescription.parse("[{\"path\":\"a\",\"kind\":\"id\"}]", null).width())
        .isEqualTo(TableDimensions.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "\"kind\":\"id\",\"dimension\":0 ~ dimension is '0'; it must be a whole number from 1 to 65536",
        "\"kind\":\"id\",\"dimension\":1,\"pooling\":\"sum\" ~ Field \"a\": pooling is no key here",
        "\"kind\":\"ids\",\"dimension\":1,\"pooling\":\"max\" ~ pooling is 'max'; it must be one of"
            + " mean, sum",
        "\"kind\":\"ids\",\"dimension\":1,\"separator\":\"\" ~ separator is ''; it must be a text",
        "\"kind\":\"ids\",\"dimension\":1,\"most\":0 ~ most is '0'; it must be a whole number from 1"
            + " to 100000",
        "\"kind\":\"ids\",\"dimension\":1,\"missing\":\"0\" ~ missing is '0'; it must be reject",
        "\"kind\":\"ids\",\"dimension\":1},{\"path\":\"a[0]\",\"role\":\"label\" ~ \"a\" is a list of"
            + " ids, and \"a[0]\" leads into it; leave one of them out",
        "\"kind\":\"ids\",\"dimension\":1},{\"path\":\"b\",\"aliases\":[\"a.c\"],\"kind\":\"number\" ~"
            + " \"a\" is a list of ids, and \"a.c\" leads into it",
      })
  void aMistakeIsToldByFieldKeyAndValue(String keys, String message) {
    assertThatThrownBy(() -> parse("{\"path\":\"a\"," + keys + "}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void sequencesHaveNoIds() {
    SequenceFields steps = new SequenceFields(FieldPath.of("s"), 3, false);
    for (String path : List.of("user", "s.user")) {
      assertThatThrownBy(
              () ->
                  FieldsDescription.parse(
                      "[{\"path\":\"s.x\",\"kind\":\"number\"},"
                          + USER.replace("\"path\":\"user\"", "\"path\":\"%s\"".formatted(path))
                          + "]",
                      steps))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Field \"%s\" has ids, which sequences can't have; make it a category, or leave the"
                  + " sequence \"s\" out",
              path);
    }
  }

  @Test
  void inputsOfAGraphHaveTheirIds() {
    FieldsDescription description =
        parse(
            "{\"path\":\"x\",\"kind\":\"boolean\",\"input\":\"deep\"}",
            USER.replace("}", ",\"input\":\"wide\"}"),
            ITEMS.replace("}", ",\"input\":\"deep\"}"));

    assertThat(description.inputs()).containsExactly(Map.entry("deep", 3), Map.entry("wide", 3));
    assertThat(description.columns().ids())
        .extracting(IdColumn::name, IdColumn::features)
        .containsExactly(tuple("items", new IndexRange(1, 3)), tuple("user", new IndexRange(3, 6)));
  }
}
