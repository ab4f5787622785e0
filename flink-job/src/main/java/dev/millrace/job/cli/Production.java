package dev.millrace.job.cli;

import dev.millrace.example.ExampleFormat;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleLines;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InputOptions.Format;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.OptionCheck;
import dev.millrace.job.options.OptionReader;
import dev.millrace.model.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/**
 * Which examples go where, and how they are written.
 *
 * @param options of a job that would read them
 * @param shape of each
 * @param source opens them
 */
record Production(Configuration options, ExampleShape shape, Source source) {

  private static final String JSON_LINES = "json:";

  /** Opens the examples anew. */
  interface Source {
    ExampleSequence open() throws IOException;
  }

  /**
   * @throws InvalidOptionsException if the data or an option is wrong
   */
  static Production of(String data, List<String> arguments) {
    Configuration options = OptionReader.read(arguments);
    OptionCheck.checkEach(options);
    requireTarget(options);
    return data.startsWith(JSON_LINES)
        ? ofLines(Path.of(data.substring(JSON_LINES.length())), options)
        : ofSet(DataArgument.parse(data), options);
  }

  private static Production ofSet(DataSpec spec, Configuration options) {
    ExampleSet set = DataArgument.open(spec);
    if (!options.contains(InputOptions.FORMAT)) {
      options.set(InputOptions.FORMAT, DataArgument.naturalFormat(set));
    }
    CsvOptions.checkClasses(options, "--data", set.classes());
    return new Production(options, set.shape(), set::training);
  }

  /** Lines don't tell the shape of all: the options have to. */
  private static Production ofLines(Path file, Configuration options) {
    List<String> problems = new ArrayList<>();
    for (var option : List.of(InputOptions.FEATURES, InputOptions.OUTPUTS)) {
      if (!options.contains(option)) {
        problems.add("%s is missing; lines of JSON need it".formatted(option.key()));
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
    ExampleShape shape =
        new ExampleShape(
            options.get(InputOptions.FEATURES),
            options.get(InputOptions.OUTPUTS),
            options.get(InputOptions.TARGET));
    Configuration ofLine = new Configuration(options).set(InputOptions.FORMAT, Format.JSON);
    ExampleFormat json = InputOptions.exampleFormat(ofLine, shape);
    return new Production(options, shape, () -> ExampleLines.open(file, shape, json));
  }

  private static void requireTarget(Configuration options) {
    List<String> problems = new ArrayList<>();
    if (!options.contains(KafkaOptions.BOOTSTRAP_SERVERS)) {
      problems.add(KafkaOptions.BOOTSTRAP_SERVERS.key() + " is missing; it must be host:port");
    }
    int topics = options.getOptional(InputOptions.TOPICS).map(List::size).orElse(0);
    if (topics != 1) {
      problems.add(
          "%s names %d topics; examples are produced to exactly one"
              .formatted(InputOptions.TOPICS.key(), topics));
    }
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }

  String topic() {
    return options.get(InputOptions.TOPICS).get(0);
  }

  ExampleFormat format() {
    return InputOptions.exampleFormat(options, shape);
  }

  ExampleSequence open() throws IOException {
    return source.open();
  }
}
