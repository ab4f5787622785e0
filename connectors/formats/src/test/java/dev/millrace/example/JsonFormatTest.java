package dev.millrace.example;

import static dev.millrace.example.Shapes.CLASSES;
import static dev.millrace.example.Shapes.NUMBER;
import static dev.millrace.example.Shapes.NUMBERS;
import static dev.millrace.example.Shapes.SUBSETS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.shape.ExampleShape;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonFormatTest {

  @Test
  void readsEveryFieldInAnyOrderAndSkipsOthers() throws Exception {
    Example example =
        read(
            CLASSES,
            """
            {"id":"a-7","weight":2.5,"extra":{"deep":[1,{"features":[9,9]}]},"label":2,
             "timestamp":1700000000123,"features":[1,-2.5e-3]}
            """);

    assertThat(example.features()).containsExactly(1f, -0.0025f);
    assertThat(example.labels()).containsExactly(0f, 0f, 1f);
    assertThat(example.weight()).isEqualTo(2.5f);
    assertThat(example.timestamp()).isEqualTo(1_700_000_000_123L);
    assertThat(example.id()).isEqualTo("a-7");
  }

  @Test
  void passesOverAByteOrderMark() throws Exception {
    assertThat(read(CLASSES, "\ufeff{'features':[1,2],'label':1}").features())
        .containsExactly(1, 2);
  }

  @Test
  void refusesTextThatIsNoUtf8AlsoWhereNobodyReadsIt() {
    byte[] surrogate = bytes("{'other':'???','features':[0,0],'label':1}");
    surrogate[10] = (byte) 0xed;
    surrogate[11] = (byte) 0xa0;
    surrogate[12] = (byte) 0x80;

    ExampleFormat format = ExampleFormat.named("json", CLASSES, FormatSettings.defaults());
    assertThatThrownBy(() -> format.read(surrogate, new Example(CLASSES)))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("not UTF-8 at byte 10");
  }

  @Test
  void readsEachKindOfLabel() throws Exception {
    assertThat(read(CLASSES, "{'features':[0,0],'label':1.0}").labels()).containsExactly(0, 1, 0);
    assertThat(read(CLASSES, "{'features':[0,0],'labels':[0,0,1]}").labels())
        .containsExactly(0, 0, 1);
    assertThat(read(SUBSETS, "{'features':[0,0],'labels':[1,0.5,1]}").labels())
        .containsExactly(1, 0.5f, 1);
    assertThat(read(NUMBERS, "{'features':[0,0],'labels':[-7,1e9,0]}").labels())
        .containsExactly(-7, 1e9f, 0);
    assertThat(read(NUMBER, "{'features':[0,0],'label':-7.5}").labels()).containsExactly(-7.5f);
  }

  @Test
  void readsClassesByName() throws Exception {
    FormatSettings named = new FormatSettings(false, ',', List.of("cat", "dog", "größer"));
    ExampleFormat format = ExampleFormat.named("json", CLASSES, named);
    Example example = new Example(CLASSES);

    format.read(bytes("{'features':[0,0],'label':'größer'}"), example);

    assertThat(example.labels()).containsExactly(0, 0, 1);
    assertThatThrownBy(() -> format.read(bytes("{'features':[0,0],'label':'cow'}"), example))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("label is no class name: \"cow\"; classes are cat, dog, größer");
    format.read(bytes("{'features':[0,0],'label':1.0}"), example);
    assertThat(example.labels()).containsExactly(0, 1, 0);
  }

  @Test
  void aMemberThatIsNullIsAbsent() throws Exception {
    Example example =
        read(
            CLASSES,
            "{'features':[1,2],'label':1,'labels':null,'id':null,'weight':null,'timestamp':null}");

    assertThat(example.features()).containsExactly(1, 2);
    assertThat(example.labels()).containsExactly(0, 1, 0);
    assertThat(example.id()).isNull();
    assertThat(example.weight()).isEqualTo(1);
    assertThat(example.timestamp()).isEqualTo(Example.NO_TIMESTAMP);
  }

  @Test
  void saysInPlainWordsWhatIsNoJson() {
    assertReason(
        "{'features':[1,NaN],'label':0}",
        "not JSON at byte 18, near \"ures\":[1,NaN],\"label\":0}\"");
    assertReason(
        "{'features':[1,2],'label':0", "not JSON at byte 27: it ends before the object does");
    assertReason(
        "\0\0\0\0\7{'features':[1,2],'label':0}",
        "it begins as a schema registry's serializer writes it, with a byte 0 and the schema id 7;"
            + " its format is json-confluent");
    assertReason(
        "\0\1\2", "not JSON in UTF-8: a byte 0 at byte 0, as in binary values, UTF-16 and UTF-32");
    assertReason(
        "{\0'\0", "not JSON in UTF-8: a byte 0 at byte 1, as in binary values, UTF-16 and UTF-32");
    assertReason("{'x':'\0'}", "not JSON at byte 6, near \"{\"x\":\" \"}\"");
  }

  private static void assertReason(String value, String reason) {
    assertThatThrownBy(() -> read(CLASSES, value))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage(reason);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource({"1, 0", "1.0, 0", "1e0, 0", "'\"1\"', 0", "3, 1", "0.5, 2", "0, -1", "2, -1"})
  void whereNamesAreNumbersANumberIsAName(String label, int expected) throws Exception {
    FormatSettings numbers = new FormatSettings(false, ',', List.of("1", "3", "0.5"));
    ExampleFormat format = ExampleFormat.named("json", CLASSES, numbers);
    Example example = new Example(CLASSES);
    byte[] value = bytes("{'features':[0,0],'label':" + label + "}");

    if (expected >= 0) {
      format.read(value, example);
      assertThat(example.labels()[expected]).isEqualTo(1);
    } else {
      assertThatThrownBy(() -> format.read(value, example))
          .isInstanceOf(InvalidExampleException.class)
          .hasMessage("label is no class name: \"%s\"; classes are 1, 3, 0.5".formatted(label));
    }
  }

  @Test
  void labelsThatNobodyNeedsAreNotLookedAt() throws Exception {
    ExampleFormat format = ExampleFormat.unlabelled("json", CLASSES, FormatSettings.defaults());
    for (String labels :
        List.of("", ",'label':null", ",'label':'cow'", ",'label':7,'labels':[[]],'label':{}")) {
      Example example = new Example(CLASSES);

      format.read(bytes("{'id':'a','features':[1,2]" + labels + ",'weight':2}"), example);

      assertThat(example.features()).containsExactly(1, 2);
      assertThat(example.labels()).containsOnly(0f);
      assertThat(example.weight()).isEqualTo(2f);
      assertThat(new String(format.write(example), UTF_8))
          .isEqualTo("{\"features\":[1.0,2.0],\"weight\":2.0,\"id\":\"a\"}");
    }
    assertThatThrownBy(() -> format.read(bytes("{'label':1}"), new Example(CLASSES)))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("\"features\" expected, not found");
  }

  @Test
  void readsTimestampsWithOffsetAndIdsThatAreNumbers() throws Exception {
    Example example =
        read(
            CLASSES,
            "{'features':[0,0],'label':0,'timestamp':'2023-11-14T23:13:20.5+01:00','id':42}");

    assertThat(example.timestamp()).isEqualTo(1_700_000_000_500L);
    assertThat(example.id()).isEqualTo("42");
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | a JSON object expected, nothing found",
        "`  ` | a JSON object expected, nothing found",
        "[1,2] | a JSON object expected, an array found",
        "3 | a JSON object expected, a number found",
        "null | a JSON object expected, null found",
        "hello | not JSON at byte",
        "{'features':[1,2],'label':0 | not JSON at byte",
        "{'features':[1,2],'label':0]} | not JSON at byte",
        "{'features':[1,2],'label':0,} | not JSON at byte",
        "{'features':[1,2,],'label':0} | not JSON at byte",
        "{'features':[1,NaN],'label':0} | not JSON at byte",
        "{'features':[1,-Infinity],'label':0} | not JSON at byte",
        "{'features':[1,02],'label':0} | not JSON at byte",
        "{'features':[1,2],'label':0} x | not JSON at byte",
        "{'features':[1,2],'label':0} {} | more found at byte 29",
        "{} | \"features\" expected, not found",
        "{'label':0} | \"features\" expected, not found",
        "{'features':[1,2]} | either \"label\" or \"labels\" expected, neither found",
        "{'features':[1,2],'label':0,'labels':[1,0,0]} | expected, both found",
        "{'features':[1,2],'label':0,'label':0} | \"label\" is there twice",
        "{'features':[1,2],'features':[1,2],'label':0} | \"features\" is there twice",
        "{'features':[1,2],'label':0,'id':1,'id':2} | \"id\" is there twice",
        "{'features':[1,2],'label':0,'id':1,'id':null} | \"id\" is there twice",
        "{'features':null,'label':0} | \"features\" expected, not found",
        "{'features':7,'label':0} | \"features\" is a number, an array expected",
        "{'features':[1,null],'label':0} | feature 1 is null, a number expected",
        "{'features':[1,'2'],'label':0} | feature 1 is a string, a number expected",
        "{'features':[[1,2]],'label':0} | feature 0 is an array, a number expected",
        "{'features':[1,true],'label':0} | feature 1 is true, a number expected",
        "{'features':[1],'label':0} | 2 features expected, 1 found",
        "{'features':[],'label':0} | 2 features expected, 0 found",
        "{'features':[1,2,3],'label':0} | 2 features expected, 3 found",
        "{'features':[1,2e40],'label':0} | feature 1 is beyond the range of float: \"2e40\"",
        "{'features':[1,-1e999999999],'label':0} | feature 1 is beyond the range of float",
        "{'features':[1,2],'label':3} | label 3 is out of range 0 to 2",
        "{'features':[1,2],'label':-1} | label -1 is out of range 0 to 2",
        "{'features':[1,2],'label':0.5} | label 0.5 is not a whole number",
        "{'features':[1,2],'label':4294967296} | label 4294967296 is out of range 0 to 2",
        "{'features':[1,2],'label':1e30} | label 1e30 is out of range 0 to 2",
        "{'features':[1,2],'label':-1e400} | label -1e400 is out of range 0 to 2",
        "{'features':[1,2],'label':null} | either \"label\" or \"labels\" expected, neither",
        "{'features':[1,2],'label':'cat'} | label is a string, a number expected",
        "{'features':[1,2],'labels':[1,0]} | 3 labels expected, 2 found",
        "{'features':[1,2],'labels':[1,1,0]} | one label of 1 expected, 2 found",
        "{'features':[1,2],'labels':[0,0,0]} | one label of 1 expected, 0 found",
        "{'features':[1,2],'labels':[0,0.5,0.5]} | label 1 is 0.5, a class is written as",
        "{'features':[1,2],'label':0,'weight':0} | weight 0.0 is not a finite number above 0",
        "{'features':[1,2],'label':0,'weight':-1} | weight -1.0 is not a finite number above 0",
        "{'features':[1,2],'label':0,'weight':1e-99} | weight 0.0 is not a finite number above 0",
        "{'features':[1,2],'label':0,'weight':1e99} | weight is beyond the range of float",
        "{'features':[1,2],'label':0,'timestamp':1.5} | timestamp is \"1.5\", whole milliseconds",
        "{'features':[1,2],'label':0,'timestamp':1e3} | timestamp is \"1e3\", whole milliseconds",
        "{'features':[1,2],'label':0,'timestamp':9223372036854775808} | whole milliseconds",
        "{'features':[1,2],'label':0,'timestamp':-9223372036854775808} | is out of range",
        "{'features':[1,2],'label':0,'timestamp':'2023-11-14T23:13:20'} | ISO-8601 with an offset",
        "{'features':[1,2],'label':0,'timestamp':'2026-02-30T00:00:00Z'} | timestamp is",
        "{'features':[1,2],'label':0,'timestamp':'+999999999-01-01T00:00:00Z'} | timestamp is",
        "{'features':[1,2],'label':0,'id':{}} | id is an object, a string or a number expected",
      })
  void refusesWhatIsNoClassExample(String value, String reason) {
    assertThatThrownBy(() -> read(CLASSES, value))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void refusesLabelsThatTheTargetDoesNotAllow() {
    assertThatThrownBy(() -> read(SUBSETS, "{'features':[0,0],'labels':[0,1.5,0]}"))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("label 1 is 1.5, out of range 0 to 1");
    assertThatThrownBy(() -> read(SUBSETS, "{'features':[0,0],'label':1}"))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("3 labels expected, 1 found");
    assertThatThrownBy(() -> read(NUMBERS, "{'features':[0,0],'labels':[0,1,1e39]}"))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("label 2 is beyond the range of float: \"1e39\"");
  }

  @Test
  void refusesDeepNestingAndEndlessNumbersWithoutAStackOverflow() {
    String deep = "{'x':" + "[".repeat(1_000_000) + "]".repeat(1_000_000) + "}";
    assertThatThrownBy(() -> read(CLASSES, deep))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining("nested deeper than 64 levels");

    String digits = "{'features':[1,%s],'label':0}".formatted("9".repeat(5_000_000));
    assertThatThrownBy(() -> read(CLASSES, digits))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining("beyond a limit")
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
  }

  private static Example read(ExampleShape shape, String value) throws InvalidExampleException {
    Example example = new Example(shape);
    ExampleFormat.named("json", shape, FormatSettings.defaults()).read(bytes(value), example);
    return example;
  }

  private static byte[] bytes(String value) {
    return value.replace('\'', '"').getBytes(UTF_8);
  }
}
