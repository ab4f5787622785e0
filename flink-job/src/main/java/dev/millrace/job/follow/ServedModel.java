package dev.millrace.job.follow;

import dev.millrace.exchange.flink.coordinator.ClassOrder;
import dev.millrace.fields.Envelope;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.io.HeapRoom;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.KeptFields;
import dev.millrace.snapshot.PublishedSnapshot;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * All of one version of the model that predictions need. It is handed from thread to thread whole,
 * and never changed.
 *
 * @param spec what the model is
 * @param version which one it is
 * @param created when it was published
 * @param parameters of the network
 * @param completion what is done to features first; null for nothing
 * @param classes their names in the order of their numbers; none where they are numbers
 * @param rowsOrNull that ids name; null where examples have none
 * @param envelope that its records had in their topics
 */
public record ServedModel(
    ModelSpec spec,
    ModelVersion version,
    Instant created,
    float[] parameters,
    FeatureCompletion completion,
    List<String> classes,
    ServedRows rowsOrNull,
    Envelope envelope) {

  /** A model of examples without ids. */
  public ServedModel(
      ModelSpec spec,
      ModelVersion version,
      Instant created,
      float[] parameters,
      FeatureCompletion completion,
      List<String> classes) {
    this(spec, version, created, parameters, completion, classes, null, Envelope.NONE);
  }

  public ServedModel {
    Objects.requireNonNull(spec, "spec");
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(created, "created");
    classes = List.copyOf(classes);
    completion =
        Objects.requireNonNullElseGet(completion, () -> FeatureCompletion.none(spec.shape()));
    if (parameters.length != spec.parameters()) {
      throw new IllegalArgumentException(
          "The model has %s parameters, its configuration asks for %s"
              .formatted(parameters.length, spec.parameters()));
    }
  }

  /** Reads a model of examples without ids. */
  public static ServedModel read(
      PublishedSnapshot snapshot, ExampleShape shape, List<String> classes) {
    return read(snapshot, shape, classes, ModelRows.NONE);
  }

  /**
   * Reads a snapshot's model, and tries it with one example.
   *
   * @param shape of the examples that it is to predict for
   * @param classes their names in the order of their numbers; none for the numbers
   * @param rows that examples with ids take
   * @throws InvalidModelException if it can't be read, fits other examples, has its classes in
   *     another order or no rows for its ids, or has parameters that are no numbers
   * @throws dev.millrace.model.device.UnusableEngineException if the engine can't work in this
   *     process
   */
  public static ServedModel read(
      PublishedSnapshot snapshot, ExampleShape shape, List<String> classes, ModelRows rows) {
    ExampleShape own = snapshot.description().shape();
    if (own != null) {
      requireFields(own, shape);
    }
    if (!shape.equals(own)) {
      throw new InvalidModelException(
          ("it takes %s, and the job's examples have %s; give the input the model's features,"
                  + " outputs and target")
              .formatted(own == null ? "nobody knows what" : describe(own), describe(shape)));
    }
    ServedRows served = rows.of(shape);
    if (served != null) {
      // Finds out whether the tables are there.
      served.reader(shape);
    }
    List<String> trained = ClassOrder.in(snapshot.description().configuration());
    if (!ClassOrder.agree(trained, classes)) {
      throw new InvalidModelException(
          "its classes are %s, and the input's are %s; give them in the model's order"
              .formatted(trained, classes));
    }
    InitialModel model =
        ModelEngine.named(snapshot.description().engine())
            .define(new ModelDefinition.Archive(snapshot.archive(), shape));
    HeapRoom.require(
        (long) model.spec().parameters() * Float.BYTES, "A copy of its parameters to predict with");
    float[] parameters = Arrays.copyOf(model.vector(), model.spec().parameters());
    requireNumbers(parameters);
    return new ServedModel(
        model.spec(),
        snapshot.description().version(),
        snapshot.description().created(),
        parameters,
        FeatureCompletion.of(
            shape, model.learned().orElseGet(() -> LearnedFeatures.none(shape, false))),
        trained.isEmpty() ? classes : trained,
        served,
        LearnedEnvelope.in(snapshot.description().configuration()));
  }

  /**
   * Returns a newer version of it, that knows the same of features.
   *
   * @param newer parameters, which nobody changes any more
   * @param published when the version was
   */
  public ServedModel updated(ModelVersion newest, float[] newer, Instant published) {
    return new ServedModel(
        spec, newest, published, newer, completion, classes, rowsOrNull, envelope);
  }

  /** Returns what makes features of its examples, for one thread. */
  public CompletedExamples completed() {
    return new CompletedExamples(
        completion, rowsOrNull == null ? null : rowsOrNull.reader(spec.shape()));
  }

  private static void requireFields(ExampleShape own, ExampleShape shape) {
    KeptFields.difference(own.columns().description(), shape.columns().description())
        .ifPresent(
            difference -> {
              throw new InvalidModelException(
                  "it was trained with other fields than the input's: %s; give the input the model's fields"
                      .formatted(difference));
            });
  }

  private static String describe(ExampleShape shape) {
    ExampleStructure structure = shape.structure();
    String arranged =
        shape.isFlat()
            ? ""
            : ", as sequences of %s steps with labels for %s, the inputs %s and the outputs %s"
                .formatted(
                    structure.steps(),
                    structure.labelPerStep() ? "each" : "all",
                    structure.inputs().stream().map(ExampleStructure.Input::name).toList(),
                    structure.outputs().stream().map(ExampleStructure.Output::name).toList());
    return "%s features and %s outputs (%s)%s"
        .formatted(shape.width(), shape.outputs(), shape.target(), arranged);
  }

  /** Training can run away; a model that it has lost would predict nothing but NaN. */
  private static void requireNumbers(float[] parameters) {
    for (int i = 0; i < parameters.length; i++) {
      if (!Float.isFinite(parameters[i])) {
        throw new InvalidModelException(
            "its parameter %s is %s; train with a lower learning rate from an older model"
                .formatted(i, parameters[i]));
      }
    }
  }
}
