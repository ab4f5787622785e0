package dev.millrace.job.join;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.example.UnavailableException;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.RecordObjects;
import dev.millrace.kafka.record.RawRecord;
import dev.millrace.model.Partition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From a record's bytes to what is joined, and from there to the bytes of the output. */
class JoinReaderTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long TIMESTAMP = 1_000_000;

  private final JoinReader labels =
      new JoinReader(
          value -> value,
          new ReadingRule(
              FieldPath.of("order.id"),
              FieldPath.of("at"),
              Duration.ofSeconds(10),
              FieldPath.of("verdicts[1].fraud"),
              List.of()));

  private final JoinReader features =
      new JoinReader(
          value -> value,
          new ReadingRule(null, null, Duration.ZERO, null, List.of("label", "the \"weight\"")));

  private final Labelling labelling = new Labelling("label", "the \"weight\"");

  private static RawRecord raw(String key, long timestamp, String value) {
    return new RawRecord(
        new Partition("t", 0),
        0,
        timestamp,
        key == null ? null : key.getBytes(UTF_8),
        value == null ? null : value.getBytes(UTF_8));
  }

  private JoinRecord label(String id, String at, String label) {
    return labels.read(
        raw(
            null,
            TIMESTAMP,
            " {\"x\":[{}, {\"at\":9}] , \"order\" : {\"y\":1,\"id\": %s }, \"at\": %s,"
                    .formatted(id, at)
                + " \"verdicts\":[ 5 , {\"no\":[1,2] , \"fraud\" : %s } ,7] } ".formatted(label)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "-1.5e300",
        "0.10",
        "true",
        "false",
        "\"yes \\u00e9 \\\" ä\"",
        "\"\"",
        "[0, 1 ,0]"
      })
  void aLabelStaysAsItIsWritten(String label) {
    assertThat(label("17", "5", label).problem()).isNull();
    assertThat(label("17", "5", label).label()).isEqualTo(label);
  }

  /** The parser reads long texts by another way. */
  @Test
  void aLabelInALargeRecordStaysAsItIsWrittenToo() {
    String filler = "\"%s\"".formatted("ä".repeat(40_000));
    JoinRecord read =
        labels.read(
            raw(
                null,
                TIMESTAMP,
                "{\"f\":%s,\"order\":{\"id\":1},\"verdicts\":[%s,{\"fraud\":[1,2]}],\"at\":3}"
                    .formatted(filler, filler)));

    assertThat(read.problem()).isNull();
    assertThat(read.label()).isEqualTo("[1,2]");
  }

  @Test
  void keysOfTextsNumbersAndRecordsAreTheSame() {
    String ofText = label("\"17\"", "5", "1").key();

    assertThat(label("17", "5", "1").key()).isEqualTo(ofText);
    assertThat(features.read(raw("17", 5, "{}")).key()).isEqualTo(ofText);
    assertThat(JoinKey.bytes(label("\"ä€\"", "5", "1").key())).isEqualTo("ä€".getBytes(UTF_8));
  }

  @Test
  void aTimeIsMillisecondsOrATextWithAnOffset() {
    assertThat(label("1", "1000500", "1").time()).isEqualTo(1_000_500);
    assertThat(label("1", "\"1970-01-01T00:00:01Z\"", "1").time()).isEqualTo(1_000);
    assertThat(label("1", "\"1970-01-01T02:00:01+02:00\"", "1").time()).isEqualTo(1_000);
    assertThat(features.read(raw("k", 77, "{}")).time()).isEqualTo(77);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "1.5 | 5 | 1 | no key: \"order.id\" is a number, a text or a whole number expected",
        "null | 5 | 1 | no key: \"order.id\" is null, a text or a whole number expected",
        "\"\" | 5 | 1 | no key: \"order.id\" is empty",
        "1 | \"soon\" | 1 | no time: \"at\" is \"soon\", whole milliseconds",
        "1 | -4 | 1 | no time: \"at\" is \"-4\", whole milliseconds",
        "1 | 99999999999999999999 | 1 | no time: \"at\" is \"99999999999999999999\", whole",
        "1 | [] | 1 | no time: \"at\" is an array, whole milliseconds",
        "1 | 1010001 | 1 | no time: \"at\" is 10001 ms later than the record's timestamp",
        "1 | 5 | null | no label: \"verdicts[1].fraud\" is null, a number",
        "1 | 5 | {} | no label: \"verdicts[1].fraud\" is an object, a number",
        "1 | 5 | 01 | not JSON at byte 102, near ",
        "1 | 5 | 1, \"fraud\": 2 | \"verdicts[1].fraud\" is there twice"
      })
  void saysWhatIsWrong(String id, String at, String label, String problem) {
    assertThat(label(id, at, label).problem()).startsWith(problem);
  }

  @Test
  void aTimeMayBeAsFarAheadAsIsAllowed() {
    assertThat(label("1", "1010000", "1").problem()).isNull();
  }

  /** The time of a record itself, or in its value, may end the wait of a whole join. */
  @Test
  void noTimeMayBeFurtherAheadOfTheClock() {
    Clock clock = Clock.fixed(Instant.ofEpochMilli(TIMESTAMP), ZoneOffset.UTC);
    Duration ahead = Duration.ofSeconds(10);
    JoinReader ofRecords =
        new JoinReader(value -> value, new ReadingRule(null, null, ahead, null, List.of()), clock);
    JoinReader ofFields =
        new JoinReader(
            value -> value,
            new ReadingRule(null, FieldPath.of("at"), ahead, null, List.of()),
            clock);

    assertThat(ofRecords.read(raw("k", TIMESTAMP + 10_000, "{}")).problem()).isNull();
    assertThat(ofRecords.read(raw("k", TIMESTAMP + 10_001, "{}")).problem())
        .isEqualTo(
            "no time: the record's timestamp is 10001 ms later than the clock, where at most 10000"
                + " are allowed");
    assertThat(ofFields.read(raw("k", -1, "{\"at\":1010000}")).problem()).isNull();
    assertThat(ofFields.read(raw("k", -1, "{\"at\":1010001}")).problem())
        .startsWith("no time: \"at\" is 10001 ms later than the clock");
    assertThat(ofFields.read(raw("k", TIMESTAMP + 9_000, "{\"at\":1010001}")).problem())
        .startsWith("no time: \"at\" is 10001 ms later than the clock");
  }

  @Test
  void whatIsNoObjectIsRejected() {
    assertThat(problem("k", 1, null)).isEqualTo("no value (a tombstone)");
    assertThat(problem("k", 1, "")).isEqualTo("an empty value");
    assertThat(problem("k", 1, "[]")).startsWith("a JSON object expected");
    assertThat(problem("k", 1, "{} {}")).startsWith("nothing expected after the object");
    assertThat(problem("k", 1, "{\"a\":")).startsWith("not JSON");
    assertThat(problem("k", 1, "{\"a\":".repeat(70)))
        .isEqualTo("beyond a limit: nested deeper than 64 levels");
    assertThat(problem("k", 1, "{\"a\":\"" + "x".repeat(900_000) + "\"}"))
        .startsWith("a value of 900008 bytes");
    assertThat(problem(null, 1, "{}")).isEqualTo("no key: the record has none");
    assertThat(problem("", 1, "{}")).isEqualTo("no key: the record has none");
    assertThat(problem("k", -1, "{}")).isEqualTo("no time: the record has no timestamp");
    assertThat(problem("k", 1, "{\"label\":null}")).startsWith("the features have a field");
    assertThat(problem("k", 1, "{\"a\":{\"label\":null}}")).isNull();
    RawRecord latin1 =
        new RawRecord(new Partition("t", 0), 0, 1, new byte[] {1}, new byte[] {'"', -28, '"'});
    assertThat(features.read(latin1).problem()).isEqualTo("not UTF-8 at byte 1");
  }

  private String problem(String key, long timestamp, String value) {
    return features.read(raw(key, timestamp, value)).problem();
  }

  @Test
  void whatIsNoJsonIsJoinedAsTheObjectMadeOfItAndPutAsideAsItCame() {
    byte[] object = "{\"a\":1}".getBytes(UTF_8);
    JoinRecord read = made(value -> object);

    assertThat(read.problem()).isNull();
    assertThat(read.json()).isEqualTo(object);
    assertThat(read.raw().value()).isEqualTo("bytes".getBytes(UTF_8));
    assertThat(read.rejected("late").value()).isEqualTo("bytes".getBytes(UTF_8));
    assertThat(made(value -> "{\"label\":1}".getBytes(UTF_8)).problem())
        .startsWith("the features have a field \"label\"");
    assertThat(made(value -> ("{\"a\":\"" + "x".repeat(900_000) + "\"}").getBytes(UTF_8)).problem())
        .startsWith("a value that becomes 900008 bytes of JSON");
    assertThatThrownBy(
            () ->
                made(
                    value -> {
                      throw new UnavailableException("no registry");
                    }))
        .isInstanceOf(UnavailableException.class);
  }

  private static JoinRecord made(RecordObjects objects) {
    ReadingRule rule = new ReadingRule(null, null, Duration.ZERO, null, List.of("label"));
    return new JoinReader(objects, rule).read(raw("k", 1, "bytes"));
  }

  @Test
  void stateKeepsTheObject() throws Exception {
    JoinRecord read = made(value -> "{}".getBytes(UTF_8));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JoinRecord.WIRE.write(read, new DataOutputStream(bytes));
    JoinRecord again =
        JoinRecord.WIRE.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));

    assertThat(again.json()).isEqualTo(read.json());
    assertThat(again.raw().value()).isEqualTo(read.raw().value());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{}", " { \n} \r\n", "{\"a\":[{}]}", "\ufeff{\"a\":0.10 }\t", "{\"a\":{}}"})
  void whatTheFeaturesHoldStaysAsItIsWritten(String object) throws Exception {
    byte[] value = object.getBytes(UTF_8);

    String labelled = new String(labelling.add(value, "[1, 2]", 12.5), UTF_8);

    assertThat(features.read(raw("k", 1, object)).problem()).isNull();
    assertThat(labelled).startsWith(object.substring(0, object.lastIndexOf('}')).stripTrailing());
    JsonNode read = JSON.readTree(labelled.replace("\ufeff", ""));
    assertThat(read.get("label")).isEqualTo(JSON.readTree("[1,2]"));
    assertThat(read.get("the \"weight\"").doubleValue()).isEqualTo(12.5);
    assertThat(read.has("a")).isEqualTo(object.contains("a"));
    assertThat(new String(new Labelling("y", null).add(value, "1", 1), UTF_8)).endsWith("\"y\":1}");
  }

  @Test
  void aNegativeLabelIsWhatItLooksLike() {
    assertThat(Labelling.json("0")).isEqualTo("0");
    assertThat(Labelling.json("-1.5e3")).isEqualTo("-1.5e3");
    assertThat(Labelling.json("false")).isEqualTo("false");
    assertThat(Labelling.json("01")).isEqualTo("\"01\"");
    assertThat(Labelling.json("no \"x\"")).isEqualTo("\"no \\\"x\\\"\"");
  }

  @Test
  void theKeyAloneDecidesWhichNegativesAreTaken() {
    Negatives tenth = new Negatives("0", 0.1);
    long taken = 0;
    for (int i = 0; i < 100_000; i++) {
      taken += tenth.takes(String.valueOf(i).getBytes(UTF_8)) ? 1 : 0;
    }

    // Four standard deviations; and python3: int.from_bytes(sha256(b"5").digest()[:8]) / 2**64.
    assertThat(taken).isBetween(9_620L, 10_380L);
    assertThat(new Negatives("0", 0.9342).takes("5".getBytes(UTF_8))).isFalse();
    assertThat(new Negatives("0", 0.9343).takes("5".getBytes(UTF_8))).isTrue();
    assertThat(tenth.weight()).isEqualTo(10);
    assertThat(new Negatives("0", 1).takes(new byte[0])).isTrue();
  }
}
