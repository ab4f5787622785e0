package dev.millrace.cli.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormats;
import dev.millrace.fields.SchemaField;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which fields are proposed to name rows of embedding tables. */
class ProposedIdsTest {

  private static final int RECORDS = 4_000;

  /** One field beside a label. */
  private static String proposed(String name, IntFunction<String> json) {
    return proposed(sample(name, json, RECORDS));
  }

  private static Sample sample(String name, IntFunction<String> json, int records) {
    Sample sample = new Sample();
    for (int i = 0; i < records; i++) {
      sample.json(
          "{\"%s\":%s,\"label\":%s}".formatted(name, json.apply(i), i % 2).getBytes(UTF_8), "here");
    }
    return sample;
  }

  private static String proposed(Sample sample) {
    return line(new Proposal(sample, "a file", null));
  }

  private static String line(Proposal proposal) {
    List<String> input = proposal.input();
    return input.get(input.indexOf("fields:") + 1).strip();
  }

  private static String quoted(Object word) {
    return "\"" + word + "\"";
  }

  @Test
  void wordsThatAreTooManyForAVocabulary() {
    assertThat(proposed("agent", i -> quoted("agent-" + i % 900)))
        .startsWith("- {path: agent, kind: id, dimension: 16}");
    assertThat(proposed("agent", i -> quoted("agent-" + i % 400)))
        .startsWith("- {path: agent, kind: category, words: 500}");
    assertThat(proposed("event", i -> quoted("e-" + i)))
        .startsWith("# event: 4,000 values")
        .endsWith("nearly unique; left out");
  }

  /** They are long, and no texts. */
  @Test
  void tokensOfOneLength() {
    IntFunction<String> uuid = i -> quoted(new UUID(i, 7L * i));

    assertThat(proposed("device", i -> uuid.apply(i % 900)))
        .startsWith("- {path: device, kind: id, dimension: 16}");
    assertThat(proposed("event", uuid)).endsWith("nearly unique; left out");
    assertThat(proposed("url", i -> quoted("https://shop.example/a/long/way/to/item/" + i)))
        .startsWith("- {path: url, kind: text,");
  }

  /** More words than are kept may come again all the same. */
  @Test
  void moreWordsThanAreKept() {
    int records = 40_000;

    assertThat(proposed(sample("agent", i -> quoted("agent-" + i % 15_000), records)))
        .startsWith("- {path: agent, kind: id, dimension: 16}")
        .contains("more than 10,000 values");
    assertThat(proposed(sample("event", i -> quoted("e-" + i), records)))
        .endsWith("nearly unique; left out");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"user", "user_id", "userId", "ID", "order.user", "order.customer-id", "itemID"})
  void numbersWhoseNameSaysSo(String name) {
    assertThat(IdName.is(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "amount",
        "users",
        "paid",
        "year_of_movie",
        "video_length",
        "[0]",
        "id_count",
        "_"
      })
  void numbersWhoseNameSaysNothing(String name) {
    assertThat(IdName.is(name)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user | 900 | 0 | kind: id, dimension: 16",
        "user | 40 | 0 | kind: category, words: 50",
        "amount | 900 | 0 | kind: number",
        "user | 900 | -5 | kind: number",
        "user | 900 | 0.5 | kind: number",
        // As today: each has a number of its own.
        "user | 100000 | 0 | kind: number",
      })
  void numbersThatNameThings(String name, int values, String plus, String kind) {
    double more = Double.parseDouble(plus);

    String line =
        proposed(
            name,
            i -> more == 0 ? Integer.toString(i % values) : Double.toString(i % values + more));

    assertThat(line).startsWith("- {path: %s, %s".formatted(name, kind));
    assertThat(line.contains("an id, as its name says")).isEqualTo(!kind.endsWith("number"));
  }

  /** The elements come again in other lists, of other lengths. */
  @Test
  void arraysOfWordsAndOfNumbersOfThings() {
    Random random = new Random(3);
    IntFunction<String> words = i -> list(i % 7, j -> quoted("i" + random.nextInt(300)));
    IntFunction<String> numbers = i -> list(i % 7, j -> "" + random.nextInt(300));

    assertThat(proposed("items", words))
        .startsWith("- {path: items, kind: ids, dimension: 16}")
        .endsWith("# lists of 300 values");
    assertThat(proposed("items", numbers)).startsWith("- {path: items, kind: ids, dimension: 16}");
    assertThat(proposed("items", i -> i % 4 == 0 ? "null" : words.apply(i)))
        .startsWith("- {path: items, kind: ids")
        .endsWith("25.0 % missing");
    assertThat(proposed("pair", i -> list(2, j -> quoted("i" + random.nextInt(300)))))
        .startsWith("- {path: pair, kind: ids");
  }

  /** As records of Avro and Protobuf are read. */
  @Test
  void arraysOfRecordsWithASchema() {
    Random random = new Random(3);
    List<SchemaField> schema =
        Stream.of("words", "numbers", "parts", "label")
            .map(name -> new SchemaField(FieldPath.of(name), SchemaField.Kind.OTHER, false))
            .toList();
    List<FieldPath> paths = schema.stream().map(SchemaField::path).toList();
    FieldPlan plan =
        new FieldPlan(
            paths,
            Optional.empty(),
            List.of(),
            paths.stream().map(List::of).toList(),
            Set.of(0, 1, 2));
    RecordFormat format = RecordFormats.named("json", plan, Map.of());
    FieldValues values = new FieldValues(plan);
    Sample sample = new Sample();
    for (int i = 0; i < 500; i++) {
      int length = i % 5;
      String json =
          "{\"words\":%s,\"numbers\":%s,\"parts\":%s,\"label\":%s}"
              .formatted(
                  list(length, j -> quoted("i" + random.nextInt(30))),
                  list(length, j -> j == 1 ? "null" : "" + random.nextInt(30)),
                  list(length, j -> "" + random.nextInt(30) / 4.0),
                  i % 2);
      sample.record(json.getBytes(UTF_8), schema, format, values, "here");
    }

    assertThat(new Proposal(sample, "a topic", null).input())
        .anyMatch(line -> line.startsWith("  - {path: words, kind: ids, dimension: 16}"))
        .anyMatch(line -> line.startsWith("  - {path: numbers, kind: ids, dimension: 16}"))
        .anyMatch(line -> line.startsWith("  # parts: an array or an object; left out"));
  }

  @Test
  void vectorsAndObjectsAreNone() {
    Random random = new Random(3);

    for (IntFunction<String> json :
        List.<IntFunction<String>>of(
            i -> list(3, j -> "" + random.nextInt(300)),
            i -> list(i % 7, j -> "" + random.nextInt(300) / 4.0),
            i -> list(i % 7, j -> "" + (random.nextInt(300) - 20)),
            i -> list(i % 7, j -> quoted("e" + random.nextLong())),
            i -> list(i % 7, j -> "{\"x\":1}"),
            i -> list(i % 7, j -> "[1]"),
            i -> i % 5 == 0 ? "1" : list(i % 7, j -> "" + random.nextInt(300)))) {
      assertThat(proposed("x", json)).isEqualTo("# x: an array or an object; left out");
    }
  }

  private static String list(int length, IntFunction<String> element) {
    return IntStream.range(0, length).mapToObj(element).collect(Collectors.joining(",", "[", "]"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"|", ";", ",", ", "})
  void textsOfPiecesThatComeAgain(String separator) {
    List<String> genres = Arrays.asList("Action", "Comedy", "Drama", "Crime", "War", "Sci-Fi");
    Random random = new Random(3);

    String line =
        proposed(
            "genres",
            i ->
                quoted(
                    IntStream.rangeClosed(0, random.nextInt(4))
                        .mapToObj(j -> genres.get(random.nextInt(6)))
                        .collect(Collectors.joining(separator))));

    assertThat(line)
        .startsWith(
            "- {path: genres, kind: ids, dimension: 16, separator: \"%s\"}"
                .formatted(separator.strip()));
  }

  @Test
  void otherTextsAreNoLists() {
    Random random = new Random(3);

    // Two of the same kind in each: a name of two parts.
    assertThat(proposed("pair", i -> quoted(i % 30 + "|" + "w" + i % 17)))
        .startsWith("- {path: pair, kind: id,");
    assertThat(proposed("proto", i -> quoted(i % 2 == 0 ? "tcp|udp" : "tcp")))
        .startsWith("- {path: proto, kind: category, values:");
    assertThat(
            proposed(
                "note",
                i ->
                    quoted(
                        "Dear %s, we have sent no. %s, which you asked for".formatted(i, i * 7)
                            + (i % 2 == 0 ? ", today" : ""))))
        .startsWith("- {path: note, kind: text,");
    assertThat(proposed("city", i -> quoted("Street " + random.nextInt() + ", City")))
        .doesNotContain("ids");
  }

  @Test
  void whoHasNoRowsGetsCategories() {
    Sample words = sample("agent", i -> quoted("agent-" + i % 900), RECORDS);
    Sample users = sample("user", i -> "" + i % 900, RECORDS);
    Sample lists = sample("items", i -> list(i % 7, j -> quoted(j)), RECORDS);

    assertThat(line(new Proposal(words, "a file", null).withoutIds()))
        .startsWith("- {path: agent, kind: category, buckets: 1024}");
    assertThat(line(new Proposal(users, "a file", null).withoutIds()))
        .startsWith("- {path: user, kind: number}");
    assertThat(line(new Proposal(lists, "a file", null).withoutIds()))
        .isEqualTo("# items: an array or an object; left out");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 20_000, 500_000})
  void distinctWordsAreEstimated(int words) {
    DistinctCount count = new DistinctCount();
    for (int i = 0; i < 2 * words; i++) {
      count.add("user-" + i % words);
    }

    assertThat((double) count.estimate()).isBetween(0.95 * words, 1.05 * words);
  }
}
