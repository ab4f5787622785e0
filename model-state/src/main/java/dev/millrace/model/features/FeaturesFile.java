package dev.millrace.model.features;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.Reason;
import dev.millrace.model.io.StrictJson;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.KeptFields;
import dev.millrace.model.shape.NumberColumns;
import dev.millrace.model.shape.WordColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How a model's features are made of named fields, as JSON in its archive, for programs outside:
 *
 * <pre>{@code
 * {"format": 1,
 *  "fields": {"fields": [{"path": "duration", …}, …]},
 *  "examples": 4000, "clip": 10.0,
 *  "numbers": [{"feature": 0, "count": 3990, "mean": 1.5, "scale": 2.0, "squares": 15960.0}],
 *  "words": [{"feature": 1, "name": "service", "encode": "one-hot", "most": 50,
 *             "words": ["http", …], "counts": [2100, …], "seen": 4000, "missing": 0,
 *             "waiting": {"gopher": 1}}]}
 * }</pre>
 *
 * <p>A number becomes {@code (x − mean) / scale}, all of them floats, clipped; a missing one 0. The
 * number of {@code words[i]} is {@code i + 2}: see {@link WordColumn}. Words that wait for a number
 * are the most frequent ones, some megabytes of them. Features are counted from the start of the
 * example, or of each step of a sequence.
 *
 * <p>Where there are {@code labelLags}, the labels of so many records before, {@code outputs} each,
 * come behind the features of the fields, newest first.
 *
 * @param description of the fields, as a tree
 * @param learned as it was written, bit by bit
 */
public record FeaturesFile(JsonNode description, LearnedFeatures learned) {

  /** Its name in archives of all engines. */
  public static final String ENTRY = "millrace/features.json";

  private static final int FORMAT = 1;

  /** So many bytes the words that wait take at most, those of all columns together. */
  private static final long MOST_WAITING = 8 << 20;

  private static final JsonMapper MAPPER =
      StrictJson.mapper().enable(SerializationFeature.INDENT_OUTPUT).build();

  public FeaturesFile {
    Objects.requireNonNull(description, "description");
    Objects.requireNonNull(learned, "learned");
  }

  /** Writes what belongs to a model of named fields. */
  public static byte[] write(ExampleShape shape, LearnedFeatures learned) throws IOException {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("format", FORMAT);
    root.set("fields", KeptFields.tree(shape.columns().description()));
    if (shape.labelLags() > 0) {
      root.put("labelLags", shape.labelLags()).put("outputs", shape.outputs());
    }
    FeatureStatistics statistics = learned.statistics();
    root.put("examples", statistics.count());
    if (statistics.clips()) {
      root.put("clip", statistics.clip());
    }
    ArrayNode numbers = root.putArray("numbers");
    Standardization standardization = statistics.standardization();
    for (int i = 0; i < statistics.features(); i++) {
      numbers
          .addObject()
          .put("feature", NumberColumns.feature(shape, i))
          .put("count", statistics.count(i))
          .put("mean", statistics.mean(i))
          .put("scale", standardization.scale()[i])
          .put("squares", statistics.squares(i));
    }
    ArrayNode words = root.putArray("words");
    for (int i = 0; i < shape.columns().words().size(); i++) {
      write(shape.columns().words().get(i), learned.vocabularies(), i, words.addObject());
    }
    return MAPPER.writeValueAsBytes(root);
  }

  private static void write(
      WordColumn column, Vocabularies vocabularies, int index, ObjectNode into) {
    Vocabulary vocabulary = vocabularies.of(index);
    WordCounts counts = vocabularies.counts();
    into.put("feature", column.from())
        .put("name", column.name())
        .put("encode", column.oneHot() ? "one-hot" : "id")
        .put("most", column.words());
    ArrayNode words = into.putArray("words");
    vocabulary.words().forEach(words::add);
    ArrayNode known = into.putArray("counts");
    vocabulary.words().forEach(word -> known.add(counts.count(index, word)));
    into.put("seen", counts.seen(index)).put("missing", counts.missing(index));
    ObjectNode waiting = into.putObject("waiting");
    // They only spare a job that goes on from the archive to count them again.
    Vocabularies.firstOf(
            counts.mostFrequent(index, word -> !vocabulary.has(word)),
            MOST_WAITING / vocabularies.columns())
        .forEach(word -> waiting.put(word, counts.count(index, word)));
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IOException if it is something else, naming the entry
   */
  public static FeaturesFile read(byte[] json) throws IOException {
    try {
      StrictJson.requireRoom(json);
      return read(MAPPER.readTree(json));
    } catch (JsonProcessingException e) {
      throw unusable(StrictJson.reason(e), e);
    } catch (IOException | RuntimeException e) {
      throw unusable(Reason.of(e), e);
    }
  }

  private static IOException unusable(String why, Exception cause) {
    return new IOException("its entry %s can't be used: %s".formatted(ENTRY, why), cause);
  }

  private static FeaturesFile read(JsonNode root) throws IOException {
    if (root.path("format").asInt() != FORMAT) {
      throw new IOException(
          "it is of format %s, and this release reads %s".formatted(root.path("format"), FORMAT));
    }
    return new FeaturesFile(
        require(root, "fields"), new LearnedFeatures(statistics(root), vocabularies(root)));
  }

  private static FeatureStatistics statistics(JsonNode root) throws IOException {
    JsonNode numbers = require(root, "numbers");
    long examples = whole(root, "examples");
    int width = numbers.size();
    long[] present = new long[width];
    double[] mean = new double[width];
    double[] squares = new double[width];
    boolean whole = true;
    for (int i = 0; i < width; i++) {
      JsonNode number = numbers.get(i);
      present[i] = whole(number, "count");
      mean[i] = decimal(number, "mean");
      squares[i] = decimal(number, "squares");
      if (squares[i] < 0 || present[i] > examples) {
        throw new IOException("number %s has %s".formatted(i, number));
      }
      whole &= present[i] == examples;
    }
    FeatureStatistics statistics =
        new FeatureStatistics(examples, whole ? null : present, mean, squares);
    if (root.has("clip")) {
      statistics.setClip(decimal(root, "clip"));
    }
    return statistics;
  }

  private static Vocabularies vocabularies(JsonNode root) throws IOException {
    List<WordColumn> columns = new ArrayList<>();
    List<Vocabulary> vocabularies = new ArrayList<>();
    JsonNode all = require(root, "words");
    WordCounts counts = new WordCounts(all.size());
    for (int i = 0; i < all.size(); i++) {
      JsonNode column = all.get(i);
      columns.add(
          new WordColumn(
              require(column, "name").asText(),
              Math.toIntExact(whole(column, "most")),
              Math.toIntExact(whole(column, "feature")),
              require(column, "encode").asText().equals("one-hot")));
      List<String> words = new ArrayList<>();
      Map<String, Long> known = new LinkedHashMap<>();
      JsonNode ofWords = require(column, "counts");
      for (JsonNode word : require(column, "words")) {
        known.put(word.asText(), ofWords.path(words.size()).asLong());
        words.add(word.asText());
      }
      if (words.size() > columns.get(i).words()) {
        throw new IOException(
            "the vocabulary of \"%s\" has %s words, and room for %s"
                .formatted(columns.get(i).name(), words.size(), columns.get(i).words()));
      }
      require(column, "waiting")
          .properties()
          .forEach(word -> known.put(word.getKey(), word.getValue().asLong()));
      vocabularies.add(words.isEmpty() ? Vocabulary.EMPTY : new Vocabulary(words));
      counts.set(i, known, whole(column, "seen"), whole(column, "missing"));
    }
    return columns.isEmpty() ? Vocabularies.NONE : Vocabularies.of(columns, vocabularies, counts);
  }

  private static JsonNode require(JsonNode node, String name) throws IOException {
    JsonNode found = node.path(name);
    if (found.isMissingNode() || found.isNull()) {
      throw new IOException("it has no \"%s\" in %s".formatted(name, excerpt(node)));
    }
    return found;
  }

  private static long whole(JsonNode node, String name) throws IOException {
    JsonNode value = require(node, name);
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < 0) {
      throw new IOException("\"%s\" is %s".formatted(name, value));
    }
    return value.asLong();
  }

  private static double decimal(JsonNode node, String name) throws IOException {
    JsonNode value = require(node, name);
    if (!value.isNumber() || !Double.isFinite(value.asDouble())) {
      throw new IOException("\"%s\" is %s".formatted(name, value));
    }
    return value.asDouble();
  }

  private static String excerpt(JsonNode node) {
    String text = node.toString();
    return text.length() > 80 ? text.substring(0, 80) + "…" : text;
  }

  /**
   * Checks that a job whose examples have this shape can use what was learned.
   *
   * @param origin of the model, which begins the message
   * @throws InvalidModelException if its fields are others, naming the first that differs
   */
  public void requireFor(ExampleShape shape, String origin) {
    FeatureColumns columns = shape.columns();
    if (!KeptFields.tree(columns.description()).equals(description)) {
      KeptFields.require(text(description), columns.description(), origin);
    }
    FeatureStatistics statistics = learned.statistics();
    if ((learned.standardizes() && statistics.features() != NumberColumns.count(shape))
        || learned.vocabularies().columns() != columns.words().size()) {
      throw new InvalidModelException(
          ("%s has statistics of %s numbers and %s vocabularies, and its fields ask for %s and %s;"
                  + " the archive is damaged, write it again")
              .formatted(
                  origin,
                  statistics.features(),
                  learned.vocabularies().columns(),
                  NumberColumns.count(shape),
                  columns.words().size()));
    }
  }

  private static String text(JsonNode description) {
    return description.isTextual() ? description.asText() : description.toString();
  }
}
