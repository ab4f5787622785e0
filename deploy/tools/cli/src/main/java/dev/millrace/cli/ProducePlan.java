package dev.millrace.cli;

import dev.millrace.cli.console.DataArgument;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleLines;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.file.FieldTable;
import dev.millrace.file.LineRecords;
import dev.millrace.file.RecordSequence;
import dev.millrace.file.TableRecords;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * Which records go where.
 *
 * @param options of a job that would read them
 * @param source opens them
 */
public record ProducePlan(Configuration options, Source source) {

  private static final String JSON_LINES = "json:";

  /** Classes that a message names. */
  private static final int MOST_SHOWN = 10;

  /** Opens the records anew. */
  interface Source {
    RecordSequence open() throws IOException;
  }

  /** Opens examples anew. */
  private interface Examples {
    ExampleSequence open() throws IOException;
  }

  /**
   * Plans what is written of some data.
   *
   * @throws InvalidOptionsException if the data or an option is wrong
   */
  public static ProducePlan of(String data, Configuration options) {
    JobOptions.checkEach(options);
    requireTarget(options);
    if (InputFields.areGiven(options)) {
      return ofFields(data, options);
    }
    return data.startsWith(JSON_LINES)
        ? ofLines(Path.of(data.substring(JSON_LINES.length())), options)
        : ofSet(DataArgument.parse(data), options);
  }

  private static ProducePlan ofSet(DataSpec spec, Configuration options) {
    ExampleSet set = open(spec, options);
    if (!options.contains(InputOptions.FORMAT)) {
      options.set(InputOptions.FORMAT, DataArgument.naturalFormat(set).toString());
    }
    return new ProducePlan(options, examples(options, set.shape(), set::training));
  }

  /** Rows and lines of named fields are sent as they are; whoever reads them judges them. */
  private static ProducePlan ofFields(String data, Configuration options) {
    Configuration complete = InputFields.complete(new Configuration(options));
    ExampleShape shape =
        InputOptions.shapeIfGiven(complete)
            .orElseThrow(
                () ->
                    new InvalidOptionsException(
                        List.of(
                            "%s is missing; it must be the number of classes"
                                .formatted(InputOptions.OUTPUTS.key()))));
    String format = complete.get(InputOptions.FORMAT);
    if (data.startsWith(JSON_LINES)) {
      Path file = Path.of(data.substring(JSON_LINES.length()));
      return new ProducePlan(complete, () -> LineRecords.open(file));
    }
    if (!(DataArgument.parse(data) instanceof DataSpec.Csv csv)) {
      throw new InvalidOptionsException(
          List.of(
              "--data is '%s', which has no named fields; they need csv:FILE or json:FILE"
                  .formatted(data)));
    }
    Path file = csv.file();
    long holdOut = csv.holdOut();
    FieldTable table = InputFields.table(complete, shape);
    return switch (format) {
      case "csv" ->
          new ProducePlan(complete, () -> TableRecords.lines(file, table).before(holdOut, table));
      case "json" ->
          new ProducePlan(complete, () -> TableRecords.objects(file, table).before(holdOut, table));
      default ->
          throw new InvalidOptionsException(
              List.of(
                  "%s is '%s'; rows of a table are produced as json or csv"
                      .formatted(InputOptions.FORMAT.key(), format)));
    };
  }

  private static Source examples(Configuration options, ExampleShape shape, Examples examples) {
    ExampleFormat format = InputOptions.exampleFormat(options, shape);
    return () -> RecordSequence.of(examples.open(), format);
  }

  /**
   * Opens data with the examples of the job, as far as the options tell of these: numbers of
   * classes, and whether labels are classes at all, are the job's. Otherwise as the data has it,
   * where its classes are numbers from 0 on.
   */
  private static ExampleSet open(DataSpec spec, Configuration options) {
    FormatSettings settings = CsvOptions.settings(options);
    Target target = options.get(InputOptions.TARGET);
    int outputs = options.getOptional(InputOptions.OUTPUTS).orElse(settings.classNames().size());
    if (outputs > 0) {
      int features = options.getOptional(InputOptions.FEATURES).orElse(1);
      ExampleSet set =
          DataArgument.openFor(spec, new ExampleShape(features, outputs, target), settings);
      requireShape(set.shape(), options);
      return set;
    }
    if (target != Target.CLASSIFICATION) {
      throw new InvalidOptionsException(
          List.of(
              "%s is missing; with %s %s it says how many columns are labels"
                  .formatted(InputOptions.OUTPUTS.key(), InputOptions.TARGET.key(), target)));
    }
    ExampleSet set = DataArgument.open(spec, settings);
    requireNumbers(spec, set.classes());
    return set;
  }

  /** Names have no numbers of their own, and another file of the same topic may lack some. */
  private static void requireNumbers(DataSpec spec, List<String> classes) {
    if (DataArgument.areNumbers(classes)) {
      return;
    }
    String more = classes.size() > MOST_SHOWN ? ", …" : "";
    throw new InvalidOptionsException(
        List.of(
            ("--data is '%s'. Its %s classes, %s%s, don't say which numbers they have in the job;"
                    + " give %s with all classes of the job, in the order of their numbers, or %s"
                    + " with how many the job has")
                .formatted(
                    spec,
                    classes.size(),
                    String.join(", ", classes.subList(0, Math.min(MOST_SHOWN, classes.size()))),
                    more,
                    InputOptions.CLASSES.key(),
                    InputOptions.OUTPUTS.key())));
  }

  private static void requireShape(ExampleShape found, Configuration options) {
    List<String> problems = new ArrayList<>();
    requireEqual(InputOptions.FEATURES, found.features(), options, problems);
    requireEqual(InputOptions.OUTPUTS, found.outputs(), options, problems);
    requireEqual(InputOptions.TARGET, found.target(), options, problems);
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }

  private static <T> void requireEqual(
      ConfigOption<T> option, T found, Configuration options, List<String> problems) {
    options
        .getOptional(option)
        .filter(wanted -> !wanted.equals(found))
        .ifPresent(
            wanted ->
                problems.add(
                    "%s is '%s', and --data has '%s'".formatted(option.key(), wanted, found)));
  }

  /** Lines of arrays are written in the job's format. Whatever else they have is sent as it is. */
  private static ProducePlan ofLines(Path file, Configuration options) {
    if (InputOptions.shapeIfGiven(options).isEmpty()) {
      requireJson(options);
      return new ProducePlan(options, () -> LineRecords.open(file));
    }
    ExampleShape shape = InputOptions.shape(options).ofRecords();
    Configuration ofLine = new Configuration(options).set(InputOptions.FORMAT, "json");
    ExampleFormat json = InputOptions.exampleFormat(ofLine, shape);
    return new ProducePlan(
        options, examples(options, shape, () -> ExampleLines.open(file, shape, json)));
  }

  private static void requireJson(Configuration options) {
    String format = options.getOptional(InputOptions.FORMAT).orElse("json");
    if (!format.equals("json")) {
      throw new InvalidOptionsException(
          List.of(
              "%s is '%s'; lines of JSON are written so where %s and %s say what they have"
                  .formatted(
                      InputOptions.FORMAT.key(),
                      format,
                      InputOptions.FEATURES.key(),
                      InputOptions.OUTPUTS.key())));
    }
  }

  private static void requireTarget(Configuration options) {
    List<String> problems = new ArrayList<>();
    if (!options.contains(KafkaOptions.BOOTSTRAP_SERVERS)) {
      problems.add(KafkaOptions.BOOTSTRAP_SERVERS.key() + " is missing; it must be host:port");
    }
    int topics = options.getOptional(InputOptions.TOPICS).map(List::size).orElse(0);
    if (topics != 1) {
      problems.add(
          "%s names %s topics; examples are produced to exactly one"
              .formatted(InputOptions.TOPICS.key(), topics));
    }
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }

  String topic() {
    return options.get(InputOptions.TOPICS).get(0);
  }

  public RecordSequence open() throws IOException {
    return source.open();
  }
}
