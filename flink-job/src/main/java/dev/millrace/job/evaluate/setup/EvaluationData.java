package dev.millrace.job.evaluate.setup;

import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.example.LagSettings;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleLines;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.file.FieldTable;
import dev.millrace.file.LaggedSequence;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.evaluate.SequenceSource;
import dev.millrace.job.evaluate.setup.DataChoice.Part;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.LagOptions;
import dev.millrace.model.io.Reason;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.KeptFields;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/**
 * Examples that a model is measured on, checked against the model.
 *
 * @param classes names of the model's classes; empty where they have none
 * @param part of the data that is meant; null where there is but one
 * @param files where the examples are of files, null else
 * @param topicOrNull where they are of a topic
 */
record EvaluationData(
    List<String> classes, String part, SequenceSource files, InputSetup topicOrNull) {

  /**
   * @param model shape of its examples
   * @param classes the model's, in the order of their numbers; empty where they aren't known
   */
  static EvaluationData of(
      DataChoice choice, ExampleShape model, List<String> classes, Configuration options) {
    checkClasses(classes, model);
    Configuration own = new Configuration(options);
    if (!classes.isEmpty()) {
      own.set(InputOptions.CLASSES, classes);
    }
    InputOptions.shapeIfGiven(options)
        .ifPresent(shape -> requireShape(choice, shape, "the options say", model));
    return switch (choice.kind()) {
      case DataChoice.TOPIC -> ofTopic(choice, model, classes, own);
      case DataChoice.JSON -> ofLines(choice, model, classes, own);
      default -> ofSet(choice, model, own);
    };
  }

  private static EvaluationData ofSet(
      DataChoice choice, ExampleShape model, Configuration options) {
    try {
      DataSpec data = DataSpec.parse(choice.source()).absolute();
      if (InputFields.areGiven(options)) {
        return ofTable(
            choice, data, InputFields.table(options, model), model, LagOptions.settings(options));
      }
      FormatSettings settings = CsvOptions.settings(options);
      ExampleShape records = model.ofRecords();
      LagSettings lags = LagOptions.settings(options);
      ExampleSet set = data.openFor(records, settings);
      requireShape(choice, set.shape(), "the data has", records);
      Part part = choice.partOrNull() != null ? choice.partOrNull() : measuredPart(set);
      // Each reader numbers classes as was found here, whatever it finds itself.
      List<String> names = set.classes();
      FormatSettings found = settings.withClassNames(names);
      // As text, since paths aren't serializable.
      String text = data.toString();
      SequenceSource files =
          () ->
              LaggedSequence.of(
                  open(DataSpec.parse(text).openFor(records, found), part), model, lags);
      files.open().close();
      boolean whole = choice.partOrNull() == null && part == Part.TRAINING;
      return new EvaluationData(names, whole ? null : part.text(), files, null);
    } catch (IOException | IllegalArgumentException e) {
      throw DataChoice.invalid(choice.source(), Reason.of(e));
    }
  }

  private static EvaluationData ofTable(
      DataChoice choice, DataSpec data, FieldTable table, ExampleShape model, LagSettings lags)
      throws IOException {
    ExampleSet set = data.openFields(table);
    Part part = choice.partOrNull() != null ? choice.partOrNull() : measuredPart(set);
    // As text, since paths aren't serializable.
    String text = data.toString();
    SequenceSource files =
        () -> LaggedSequence.of(open(DataSpec.parse(text).openFields(table), part), model, lags);
    files.open().close();
    boolean whole = choice.partOrNull() == null && part == Part.TRAINING;
    return new EvaluationData(set.classes(), whole ? null : part.text(), files, null);
  }

  /** The hold-out part; all of the data where it has no such part of its own. */
  private static Part measuredPart(ExampleSet set) throws IOException {
    try (ExampleSequence holdOut = set.holdOut()) {
      return holdOut.count() == 0 ? Part.TRAINING : Part.HOLDOUT;
    }
  }

  private static ExampleSequence open(ExampleSet set, Part part) throws IOException {
    return part == Part.TRAINING ? set.training() : set.holdOut();
  }

  private static EvaluationData ofLines(
      DataChoice choice, ExampleShape model, List<String> classes, Configuration options) {
    ExampleFormat format =
        InputOptions.exampleFormat(
            new Configuration(options).set(InputOptions.FORMAT, "json"), model);
    String file = Path.of(choice.rest()).toAbsolutePath().toString();
    LagSettings lags = LagOptions.settings(options);
    SequenceSource lines =
        () ->
            LaggedSequence.of(
                ExampleLines.open(Path.of(file), model.ofRecords(), format), model, lags);
    try {
      lines.open().close();
    } catch (IOException e) {
      throw DataChoice.invalid(choice.source(), Reason.of(e));
    }
    return new EvaluationData(classes, null, lines, null);
  }

  private static EvaluationData ofTopic(
      DataChoice choice, ExampleShape model, List<String> classes, Configuration options) {
    if (!options.contains(KafkaOptions.BOOTSTRAP_SERVERS)) {
      throw new InvalidOptionsException(
          List.of(
              "%s is missing; a topic needs it, host:port"
                  .formatted(KafkaOptions.BOOTSTRAP_SERVERS.key())));
    }
    if (options.get(InputOptions.START).equals("latest")) {
      throw new InvalidOptionsException(
          List.of(
              ("%s is 'latest', and the topic is read to its present end: no record lies between;"
                      + " give --%s earliest")
                  .formatted(InputOptions.START.key(), InputOptions.START.key())));
    }
    Configuration ofTopic =
        new Configuration(options).set(InputOptions.TOPICS, List.of(choice.rest()));
    ofTopic.removeConfig(InputOptions.TOPIC_PATTERN);
    InputSetup input = new InputSetup(ofTopic, model);
    input.checkToItsEnd();
    return new EvaluationData(classes, null, null, input);
  }

  private static void checkClasses(List<String> classes, ExampleShape model) {
    if (!classes.isEmpty() && model.target() != Target.CLASSIFICATION) {
      throw new InvalidOptionsException(
          List.of(
              "%s names classes, and the model is for %s"
                  .formatted(InputOptions.CLASSES.key(), model.target())));
    }
    if (!classes.isEmpty() && classes.size() != model.outputs()) {
      throw new InvalidOptionsException(
          List.of(
              "%s names %s classes, and the model has %s"
                  .formatted(InputOptions.CLASSES.key(), classes.size(), model.outputs())));
    }
  }

  private static void requireShape(
      DataChoice choice, ExampleShape found, String who, ExampleShape model) {
    KeptFields.difference(model.columns().description(), found.columns().description())
        .ifPresent(
            difference -> {
              throw DataChoice.invalid(
                  choice.source(),
                  "the options describe other fields than the model has: " + difference);
            });
    if (!found.structure().equals(model.structure())) {
      throw DataChoice.invalid(
          choice.source(),
          "%s examples are arranged as %s, and the model's as %s; take json:FILE or a topic, and the"
                  .formatted(who, found.structure(), model.structure())
              + " model's sequences, inputs and outputs");
    }
    if (!found.equals(model)) {
      throw DataChoice.invalid(
          choice.source(),
          "%s %s features and %s outputs (%s), and the model %s and %s (%s)"
              .formatted(
                  who,
                  found.features(),
                  found.outputs(),
                  found.target(),
                  model.features(),
                  model.outputs(),
                  model.target()));
    }
  }
}
