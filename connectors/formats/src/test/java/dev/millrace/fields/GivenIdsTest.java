package dev.millrace.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleAssembly;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program's ids are those of records of any format. */
class GivenIdsTest {

  private static final ExampleShape SHAPE =
      shape(
          """
          [{"path": "user", "kind": "id", "table": "users", "dimension": 2},
           {"path": "features[0]", "kind": "number"},
           {"path": "items", "kind": "ids", "table": "items", "dimension": 3, "most": 3},
           {"path": "features[1]", "kind": "number"}]
          """);

  private final GivenIds ids = new GivenIds(SHAPE);

  /** A step that may find that a value is no id. */
  private interface Step {
    void run() throws InvalidExampleException;
  }

  private static ExampleShape shape(String fields) {
    return FieldsDescription.parse(fields, null).shape(Target.REGRESSION, 1);
  }

  private List<List<Long>> read() throws InvalidExampleException {
    Example example = new Example(SHAPE);
    ids.read(example);
    return Ids.of(example);
  }

  @Test
  void aValueIsItsWord() throws Exception {
    ids.setWord("user", "hello");
    ids.setList("items", List.of("5", 5L, 5.0));
    assertThat(read())
        .containsExactly(List.of(-1532057335401747185L), Ids.of("items", "5", "5", "5"));

    ids.setNumber("user", Long.MIN_VALUE);
    ids.setList("items", Arrays.asList(true, null, new BigInteger("18446744073709551615")));
    assertThat(read())
        .containsExactly(
            Ids.of("users", "-9223372036854775808"),
            Ids.of("items", "true", "18446744073709551615"));

    ids.setList("items", new long[] {7, -7});
    assertThat(read().get(1)).isEqualTo(Ids.of("items", "7", "-7"));

    ids.setList("items", List.of(0.5f, (short) 3, (byte) 4));
    assertThat(read().get(1)).isEqualTo(Ids.of("items", "0.5", "3", "4"));
  }

  @Test
  void whatIsntGivenIsNoId() throws Exception {
    ids.setWord("user", "a");
    ids.setList("items", List.of("a"));
    ids.clear();
    assertThat(read()).containsExactly(List.of(), List.of());

    ids.setWord("user", "a");
    ids.setWord("user", null);
    assertThat(read()).containsExactly(List.of(), List.of());
  }

  @Test
  void whatIsNoIdIsSaid() {
    assertProblem(
        () -> ids.setWord("usr", "a"),
        "ids of \"usr\" given, and the model has fields of ids called user, items");
    assertProblem(
        () -> ids.setWord("items", "a"), "field \"items\": a list of ids expected, one id found");
    assertProblem(
        () -> ids.setList("user", new long[0]), "field \"user\": one id expected, a list found");
    assertProblem(
        () -> ids.setList("items", List.of(new UUID(1, 2))),
        "field \"items\": a text, a number or a boolean expected, an object of java.util.UUID found;"
            + " give its text");
    assertProblem(
        () -> {
          ids.setList("items", new long[4]);
          read();
        },
        "field \"items\": at most 3 ids expected, 4 found; the key most allows more");
    assertProblem(
        () -> new GivenIds(new ExampleShape(2, 1, Target.REGRESSION)).setWord("user", "a"),
        "ids of \"user\" given, and the model has no fields of ids");
  }

  private static void assertProblem(Step step, String message) {
    assertThatThrownBy(step::run).isInstanceOf(InvalidExampleException.class).hasMessage(message);
  }

  /** Features of rows lie among them, and stay 0 until they are completed. */
  @Test
  void givenFeaturesAreThoseBesideRows() throws Exception {
    ExampleAssembly assembly = new ExampleAssembly(SHAPE, true);
    Example first = (Example) end(assembly, 5, 6);
    assertThat(first.features()).containsExactly(0, 0, 5, 0, 0, 0, 6);
    assertThat(Ids.of(first)).containsExactly(List.of(), List.of());

    ids.setWord("user", "a");
    assembly.begin();
    assembly.ids(ids);
    assembly.features(new float[] {1, 2});
    assembly.labels(new float[1]);
    assertThat(Ids.of((Example) assembly.end(new Partition("t", 0), 0, 0)))
        .containsExactly(Ids.of("users", "a"), List.of());
    assertThat(Ids.of((Example) end(assembly, 5, 6))).containsExactly(List.of(), List.of());

    assertThat(((RejectedRecord) end(assembly, 5)).reason())
        .isEqualTo("2 features expected, 1 found");
    assertThat(((RejectedRecord) end(assembly, 5, Float.NaN)).reason())
        .isEqualTo("feature 1 is NaN");
    assertThat(((RejectedRecord) end(assembly)).reason()).isEqualTo("no features");
  }

  @Test
  void allFeaturesMayBeOfRows() {
    ExampleAssembly assembly =
        new ExampleAssembly(
            shape("[{\"path\": \"user\", \"kind\": \"id\", \"dimension\": 2}]"), true);

    assertThat(((Example) end(assembly)).features()).containsExactly(0, 0);
  }

  private static Received end(ExampleAssembly assembly, float... features) {
    assembly.begin();
    if (features.length > 0) {
      assembly.features(features);
    }
    assembly.labels(new float[1]);
    return assembly.end(new Partition("t", 0), 0, 0);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "true | {'path': 'features[0]', 'kind': 'number'}, ID",
        "true | ID, {'path': 'features[0]', 'kind': 'number'}, {'path': 'features[1]', 'kind': 'number'}",
        "true | ID",
        "false | {'path': 'features[0]', 'kind': 'number'}",
        "false | {'path': 'features[1]', 'kind': 'number'}, ID",
        "false | {'path': 'features[0]', 'kind': 'number', 'indicator': true}, ID",
        "false | {'path': 'features[0]', 'kind': 'boolean'}, ID",
        "false | {'path': 'user', 'kind': 'id', 'dimension': 2, 'input': 'a'}",
      })
  void saysWhichFieldsAProgramCanGive(boolean can, String fields) {
    String json =
        "[%s]"
            .formatted(fields)
            .replace("ID", "{'path': 'user', 'kind': 'id', 'dimension': 2}")
            .replace('\'', '"');

    assertThat(ArrayFields.are(FieldsDescription.parse(json, null))).isEqualTo(can);
  }
}
