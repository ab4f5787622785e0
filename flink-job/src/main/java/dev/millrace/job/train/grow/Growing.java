package dev.millrace.job.train.grow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.exchange.flink.coordinator.ClassOrder;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.model.Lineage;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.freeze.FrozenLayers;
import dev.millrace.model.grow.Places;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.KeptFields;
import dev.millrace.model.shape.Target;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Says by what a model has to grow for a job's examples, or for what its last layer has to be
 * replaced.
 *
 * @param places of what it knows
 * @param fields new fields, and those that have more words now; of arrays new features by number
 * @param outputs new classes, or new outputs by number
 * @param gone classes that the model has and the job hasn't, or outputs; only a new last layer does
 *     without
 */
public record Growing(Places places, List<String> fields, List<String> outputs, List<String> gone) {

  /** What may differ: where a field is found, and how many words it has. */
  private static final List<String> FREE = List.of("path", "aliases", "words");

  /**
   * A model's examples.
   *
   * @param shape of them
   * @param classes their names; none where classes are numbers
   */
  public record Examples(ExampleShape shape, List<String> classes) {}

  /**
   * Finds it.
   *
   * @param replaces whether the last layer is to be a new one
   * @return empty if the examples are alike, or differ in what can't grow: others refuse that
   */
  public static Optional<Growing> of(Examples known, Examples now, boolean replaces) {
    ExampleShape old = known.shape;
    ExampleShape shape = now.shape;
    boolean comparable =
        old.target() == shape.target()
            && old.columns().isPlain() == shape.columns().isPlain()
            && old.structure().equals(shape.structure())
            && old.labelLags() == shape.labelLags();
    if (!comparable || (!replaces && alike(known, now))) {
      return Optional.empty();
    }
    List<String> oldFeatures = features(old);
    List<String> features = features(shape);
    List<String> oldOutputs = replaces ? List.of() : outputs(known, now);
    List<String> outputs = outputs(now, known);
    if (!features.containsAll(oldFeatures)
        || (!shape.columns().isPlain() && !keptFields(old, shape))) {
      return Optional.empty();
    }
    Growing growing =
        new Growing(
            Places.byName(old, oldFeatures, oldOutputs, shape, features, outputs),
            shape.columns().isPlain() ? added(oldFeatures, features) : newFields(old, shape),
            added(oldOutputs, outputs),
            added(outputs, oldOutputs));
    // Another order alone is a slip more often than a wish.
    return growing.fields.isEmpty() && growing.outputs.isEmpty() && growing.gone.isEmpty()
        ? Optional.empty()
        : Optional.of(growing);
  }

  private static boolean alike(Examples known, Examples now) {
    return known.shape.equals(now.shape) && haveSameOutputs(known, now);
  }

  /** Whether the outputs are the same, as far as is known. */
  public static boolean haveSameOutputs(Examples known, Examples now) {
    return known.shape.outputs() == now.shape.outputs()
        && ClassOrder.agree(known.classes, now.classes);
  }

  private static List<String> added(List<String> old, List<String> names) {
    return names.stream().filter(name -> !old.contains(name)).toList();
  }

  private static List<String> features(ExampleShape shape) {
    return shape.columns().isPlain()
        ? numbers(shape.recordFeatures() / shape.rows())
        : FieldsDescription.ofCanonical(shape.columns().description()).names();
  }

  private static List<String> outputs(Examples own, Examples other) {
    boolean named =
        own.shape.target() != Target.REGRESSION
            && own.classes.size() == own.shape.outputs()
            && other.classes.size() == other.shape.outputs();
    return named ? own.classes : numbers(own.shape.outputs());
  }

  private static List<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(String::valueOf).toList();
  }

  private static boolean keptFields(ExampleShape old, ExampleShape shape) {
    Map<String, JsonNode> fields = fields(shape);
    return fields(old).entrySet().stream()
        .allMatch(field -> fixed(field.getValue()).equals(fixed(fields.get(field.getKey()))));
  }

  private static Map<String, JsonNode> fields(ExampleShape shape) {
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    for (JsonNode field : KeptFields.tree(shape.columns().description()).path("fields")) {
      fields.put((field.has("name") ? field.path("name") : field.path("path")).asText(), field);
    }
    return fields;
  }

  private static Object fixed(JsonNode fieldOrNull) {
    return fieldOrNull instanceof ObjectNode field ? field.deepCopy().without(FREE) : "none";
  }

  private static List<String> newFields(ExampleShape old, ExampleShape shape) {
    Map<String, JsonNode> before = fields(old);
    return fields(shape).entrySet().stream()
        .filter(
            field ->
                !before.containsKey(field.getKey())
                    || !field
                        .getValue()
                        .path("words")
                        .equals(before.get(field.getKey()).path("words")))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns what becomes of the model, in words that follow its name. */
  public String inWords() {
    List<String> all = new ArrayList<>();
    String news = news();
    if (!news.isEmpty()) {
      all.add("grows by " + news);
    }
    if (places.replaces()) {
      all.add("gets a new last layer, for %s".formatted(named(outputs)));
    }
    return String.join(", and ", all);
  }

  /** Returns what the model grows by, if anything. */
  private String news() {
    List<String> all = new ArrayList<>();
    if (!fields.isEmpty()) {
      boolean plain = places.shape().columns().isPlain();
      all.add("the %s %s".formatted(plain ? "features" : "fields", quoted(fields)));
    }
    if (!outputs.isEmpty() && !places.replaces()) {
      all.add(named(outputs));
    }
    return String.join(" and ", all);
  }

  private String named(List<String> some) {
    boolean classes = places.shape().target() != Target.REGRESSION;
    return "the %s %s".formatted(classes ? "classes" : "outputs", quoted(some));
  }

  private static String quoted(List<String> names) {
    return names.stream()
        .map(name -> name.matches("[0-9]+") ? name : "\"" + name + "\"")
        .collect(Collectors.joining(", "));
  }

  /**
   * Checks that the job wants it.
   *
   * @param origin of the model, which begins the message
   * @param grows whether {@code model.grow} is set
   */
  public Growing require(String origin, boolean grows) {
    if (!gone.isEmpty()) {
      throw new InvalidModelException(
          ("%s knows %s, which the job hasn't. Set %s: true, and a new last layer takes the place of"
                  + " that one, while the others keep what they have learned. Or add them, in the"
                  + " model's order: for more classes than it knows, %s: true keeps the last layer, too")
              .formatted(
                  origin, named(gone), ModelOptions.REPLACE_OUTPUT.key(), ModelOptions.GROW.key()));
    }
    String news = news();
    if (!grows && !news.isEmpty()) {
      throw new InvalidModelException(
          "%s doesn't know %s. Set %s: true, and it grows by them and keeps what it has learned%s"
              .formatted(
                  origin,
                  news,
                  ModelOptions.GROW.key(),
                  outputs.isEmpty() || places.replaces()
                      ? ""
                      : "; or %s: true, if its own classes are of no use: the last layer begins anew"
                          .formatted(ModelOptions.REPLACE_OUTPUT.key())));
    }
    return this;
  }

  /**
   * Returns what the descriptions of its models say of it.
   *
   * @param spec of the model then
   */
  public Lineage.Grown grown(ModelVersion fromOrNull, ModelSpec spec) {
    return new Lineage.Grown(
        Instant.now().toString(),
        fromOrNull,
        fields,
        outputs,
        places.replaces() ? FrozenLayers.output(ModelEngine.named(spec.engine()), spec) : null);
  }
}
