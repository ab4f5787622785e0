package dev.millrace.cli.demo;

import dev.millrace.cli.console.DataArgument;
import dev.millrace.cli.console.WorkDirectory;
import dev.millrace.digits.Digits;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.DeadLetterOptions;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.setup.MillraceOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.train.options.BatchOptions;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.job.train.options.PresetOptions;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;

/** The options that a demo's job runs with. */
final class DemoOptions {

  static final String TOPIC = "examples";
  static final String DEAD_LETTERS = "dead-letters";
  static final String ROWS = "rows";

  private DemoOptions() {}

  /**
   * The user's options, over what suits the data and the work directory.
   *
   * @throws InvalidOptionsException if one is given that the demo decides itself
   */
  static Configuration of(
      DemoData data, WorkDirectory work, String bootstrapServers, List<String> arguments) {
    Configuration given = OptionReader.read(arguments);
    Map<String, String> decided = decided(data, work, bootstrapServers);
    refuse(given, decided);
    Configuration options = OptionReader.configuration(defaults(data, work, given));
    List<String> classes = data.set().classes();
    if (!DataArgument.areNumbers(classes)) {
      // For those who use the model later: its description has the options.
      options.set(InputOptions.CLASSES, classes);
    }
    if (data.fieldsOrNull() != null) {
      for (String key :
          List.of(
              InputOptions.FIELDS.key(),
              InputOptions.MISSING.key(),
              InputOptions.DECIMAL.key(),
              CsvOptions.COLUMNS.key())) {
        Optional.ofNullable(data.fieldsOrNull().toMap().get(key))
            .ifPresent(value -> options.setString(key, value));
      }
    }
    options.addAll(given);
    options.addAll(OptionReader.configuration(decided));
    return options;
  }

  private static Map<String, String> decided(
      DemoData data, WorkDirectory work, String bootstrapServers) {
    ExampleShape shape = data.shape();
    return Map.of(
        KafkaOptions.BOOTSTRAP_SERVERS.key(), bootstrapServers,
        InputOptions.TOPICS.key(), TOPIC,
        InputOptions.BOUNDED.key(), "true",
        InputOptions.FORMAT.key(), data.format().toString(),
        InputOptions.FEATURES.key(), Integer.toString(shape.features()),
        InputOptions.OUTPUTS.key(), Integer.toString(shape.outputs()),
        InputOptions.TARGET.key(), shape.target().toString(),
        MetricsOptions.FILE.key(), work.metrics().toString());
  }

  private static void refuse(Configuration given, Map<String, String> decided) {
    List<String> problems =
        decided.keySet().stream()
            .filter(given::containsKey)
            .sorted()
            .map(key -> key + " is for train: the demo decides it by its data and its own broker")
            .toList();
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }

  private static Map<String, String> defaults(
      DemoData data, WorkDirectory work, Configuration given) {
    ExampleShape shape = data.shape();
    Map<String, String> defaults = new TreeMap<>();
    defaults.put(DeadLetterOptions.TOPIC.key(), DEAD_LETTERS);
    if (!given.containsKey(FlinkOptions.PREFIX + CheckpointOptions.INTERVAL.key())) {
      defaults.put(CheckpointOptions.INTERVAL.key(), "5 s");
    }
    if (!CheckpointOptions.interval(given, FlinkOptions.clusterConfiguration(given)).isZero()) {
      defaults.put(CheckpointOptions.DIRECTORY.key(), work.checkpoints());
    }
    defaults.put(SnapshotOptions.DIRECTORY.key(), work.models().toString());
    if (data.spec() instanceof Digits) {
      // A small hold-out set, evaluated often.
      defaults.put(EvaluationOptions.EVERY.key(), "40");
    }
    if (shape.target() == Target.CLASSIFICATION && !given.contains(PresetOptions.PRESET)) {
      // A window that shows the drift, which is marked.
      defaults.put(EvaluationOptions.WINDOW.key(), "2000");
      MillraceOptions.named("drift.detector")
          .ifPresent(detector -> defaults.put(detector.key(), "adwin"));
    }
    defaults.put(MetricsOptions.TIMELINE.key(), "true");
    if (data.set().image().isEmpty() && !given.contains(PresetOptions.PRESET)) {
      // Tables are short: small minibatches give the model more steps to learn in.
      defaults.put(BatchOptions.SIZE.key(), "4");
    }
    if (!shape.columns().ids().isEmpty()) {
      // The hold-out set needs rows.
      MillraceOptions.named("rows.topic").ifPresent(topic -> defaults.put(topic.key(), ROWS));
    }
    data.holdOut().ifPresent(spec -> defaults.put(EvaluationOptions.HOLDOUT.key(), spec));
    if (Stream.of(ModelOptions.NAME, ModelOptions.CONFIGURATION, ModelOptions.ARCHIVE)
        .noneMatch(given::contains)) {
      defaults.put(ModelOptions.NAME.key(), data.set().image().isPresent() ? "lenet" : "mlp");
      data.set()
          .image()
          .ifPresent(
              image ->
                  defaults.put(
                      ModelOptions.IMAGE.key(), image.rows() + ";" + image.columns() + ";1"));
    }
    return defaults;
  }
}
