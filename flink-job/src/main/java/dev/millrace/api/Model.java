package dev.millrace.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.millrace.fields.ArrayFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.annotation.PublicEvolving;

/** What is trained: a network, and the examples that it takes. Never changes. */
@PublicEvolving
public final class Model {

  private final Map<String, String> options;
  private final List<Ids> ids;

  private Model(Map<String, String> options, List<Ids> ids) {
    this.options = options;
    this.ids = ids;
  }

  /**
   * A network of hidden layers, which tells classes apart; {@link #hidden} says how many neurons
   * these have.
   *
   * @param features length of each feature vector; it may be 0 where examples have {@link #ids}
   * @param outputs number of classes; of values where it is {@link #forRegression}
   */
  public static Model mlp(int features, int outputs) {
    return of(ModelOptions.NAME.key(), "mlp", features, outputs);
  }

  /** A network without hidden layers; as {@link #mlp}. */
  public static Model linear(int features, int outputs) {
    return of(ModelOptions.NAME.key(), "linear", features, outputs);
  }

  /** A network of convolutions for square images of one channel; as {@link #mlp}. */
  public static Model lenet(int features, int outputs) {
    return of(ModelOptions.NAME.key(), "lenet", features, outputs);
  }

  /** A network as an engine's configuration says; it learns as {@link #mlp} does. */
  public static Model configuration(String file, int features, int outputs) {
    return of(ModelOptions.CONFIGURATION.key(), file, features, outputs);
  }

  /**
   * A model that was trained before, by Millrace or with the engine's library; as {@link #mlp}.
   *
   * @param place path or URI of an archive, or of a directory of published models
   */
  public static Model archive(String place, int features, int outputs) {
    return of(ModelOptions.ARCHIVE.key(), place, features, outputs);
  }

  private static Model of(String key, String value, int features, int outputs) {
    return new Model(Map.of(), List.of())
        .with(key, value)
        .with(InputOptions.FEATURES.key(), Integer.toString(features))
        .with(InputOptions.OUTPUTS.key(), Integer.toString(outputs));
  }

  /** Returns the model with so many neurons in each hidden layer of an {@link #mlp}. */
  public Model hidden(int... neurons) {
    return with(
        ModelOptions.HIDDEN.key(),
        IntStream.of(neurons).mapToObj(Integer::toString).collect(Collectors.joining(";")));
  }

  /**
   * Returns the model with these fields of ids beside the feature vector; a mapper gives them by
   * {@link ExampleWriter#id(String, String)} and {@link ExampleWriter#ids(String, Iterable)}. Their
   * rows learn with the network.
   */
  public Model ids(Ids... fields) {
    return new Model(options, List.of(fields));
  }

  /** Predicts real numbers. */
  public Model forRegression() {
    return with(InputOptions.TARGET.key(), Target.REGRESSION.toString());
  }

  /** Predicts any set of classes. */
  public Model forMultiLabel() {
    return with(InputOptions.TARGET.key(), Target.MULTI_LABEL.toString());
  }

  /** Returns the model with initial weights of a built-in network that this seed decides. */
  public Model seed(long seed) {
    return with(ModelOptions.SEED.key(), Long.toString(seed));
  }

  /**
   * Trained by this library.
   *
   * @param name such as {@code dl4j} or {@code torch}
   */
  public Model engine(String name) {
    return with(ModelOptions.ENGINE.key(), name);
  }

  private Model with(String key, String value) {
    Map<String, String> more = new TreeMap<>(options);
    more.put(key, value);
    return new Model(more, ids);
  }

  Map<String, String> options() {
    if (ids.isEmpty()) {
      return options;
    }
    int features = Integer.parseInt(options.get(InputOptions.FEATURES.key()));
    ArrayNode fields = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < features; i++) {
      fields.addObject().put("path", ArrayFields.path(i)).put("kind", "number");
    }
    ids.forEach(field -> field.describe(fields.addObject()));
    Map<String, String> described = new TreeMap<>(options);
    described.put(InputOptions.FIELDS.key(), fields.toString());
    described.put(
        InputOptions.FEATURES.key(),
        Long.toString(features + ids.stream().mapToLong(Ids::dimension).sum()));
    return described;
  }
}
