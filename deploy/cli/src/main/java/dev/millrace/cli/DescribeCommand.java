package dev.millrace.cli;

import dev.millrace.cli.describe.Proposal;
import dev.millrace.cli.describe.Sample;
import dev.millrace.cli.describe.SampledFile;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.kafka.SourceSettings;
import dev.millrace.kafka.StartingOffsets;
import dev.millrace.kafka.TopicValues;
import dev.millrace.kafka.Topics;
import dev.millrace.model.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Looks at records, and proposes how their fields are described. */
@Command(
    name = "describe",
    header = "Looks at a topic or a file, and proposes a file of options for its fields.",
    description = {
      "",
      "What comes out is YAML for --config, with types, ranges and missing values of the sample as"
          + " comments. Edit it, the label first:",
      "  millrace describe --data flows.csv --output train.yaml",
      "  millrace describe --topic orders --kafka.bootstrap.servers localhost:9092",
      "docs/fields.md says what each field can become.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = MillraceCli.Version.class,
    preprocessor = JobOptionWords.class)
final class DescribeCommand extends JobOptionsCommand {

  private static final long ROWS_OF_A_FILE = 1_000_000;
  private static final long RECORDS_OF_A_TOPIC = 10_000;
  private static final String SOME_BROKER = "localhost:9092";

  @ArgGroup(multiplicity = "1")
  private Subject subject;

  /** What is looked at. */
  private static final class Subject {

    @Option(
        names = "--topic",
        paramLabel = "T",
        required = true,
        description = "Its newest records.")
    private String topic;

    @Option(
        names = "--data",
        paramLabel = "FILE",
        required = true,
        description =
            "A table, or JSON lines in a file that is called .json or .jsonl; may be gzipped.")
    private String data;
  }

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "Of the topic's records: json or csv. Default: json; of a table csv.")
  private String format;

  @Option(
      names = "--label",
      paramLabel = "PATH",
      description = "The field that is the label. Default: a guess.")
  private String label;

  @Option(
      names = "--sample",
      paramLabel = "N",
      description =
          "Looks at no more than N records. Default: 1,000,000 of a file, 10,000 of a topic.")
  private Long most;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Receives the proposal. Default: it is shown.")
  private Path output;

  @Override
  public Integer call() throws Exception {
    if (most != null) {
      PositiveNumber.require(command(), "--sample", most);
    }
    if (format != null && !format.equals("json") && !format.equals("csv")) {
      throw new InvalidOptionsException(
          List.of("--format is '%s'; it must be json or csv".formatted(format)));
    }
    Configuration options = jobOptions();
    String text = subject.topic == null ? ofFile(options) : ofTopic(options);
    if (output == null) {
      command().commandLine().getOut().print(text);
      command().commandLine().getOut().flush();
    } else {
      Files.writeString(output, text);
    }
    return 0;
  }

  private String ofFile(Configuration options) {
    String name = subject.data.replaceFirst("^(csv|json):", "");
    boolean json = subject.data.startsWith("json:") || name.matches(".*\\.jsonl?(\\.gz)?");
    Path file = Path.of(name);
    long rows = most == null ? ROWS_OF_A_FILE : most;
    try {
      SampledFile sampled =
          json
              ? SampledFile.json(file, rows)
              : SampledFile.table(file, CsvOptions.settings(options).separator(), rows);
      List<String> names = sampled.names();
      String written = format != null ? format : json ? "json" : "csv";
      return proposal(
          sampled.sample(),
          file.getFileName().toString(),
          topic(options, file),
          written,
          layout(options, written.equals("csv") ? names : List.of(), !json && names.isEmpty()),
          options);
    } catch (IOException e) {
      throw new InvalidOptionsException(
          List.of("--data is '%s'. %s".formatted(subject.data, Reason.of(e))));
    }
  }

  /** Of the file's name, if the options name none. */
  private static String topic(Configuration options, Path file) {
    return options
        .getOptional(InputOptions.TOPICS)
        .filter(topics -> topics.size() == 1)
        .map(topics -> topics.get(0))
        .orElse(
            file.getFileName()
                .toString()
                .replaceFirst("\\..*", "")
                .replaceAll("[^A-Za-z0-9._-]", "-"));
  }

  private String ofTopic(Configuration options) {
    if (!options.contains(KafkaOptions.BOOTSTRAP_SERVERS)) {
      throw new InvalidOptionsException(
          List.of(
              "%s is missing; a topic needs it, host:port"
                  .formatted(KafkaOptions.BOOTSTRAP_SERVERS.key())));
    }
    String written = format == null ? "json" : format;
    List<String> columns = options.getOptional(CsvOptions.COLUMNS).orElse(List.of());
    Sample sample = new Sample();
    SourceSettings settings =
        SourceSettings.of(KafkaOptions.cluster(options), Topics.named(List.of(subject.topic)))
            .inGroup(KafkaOptions.group(options, "-describe"))
            .startingAt(StartingOffsets.earliest())
            .bounded(true);
    char separator = CsvOptions.settings(options).separator();
    TopicValues.newest(
        settings,
        most == null ? RECORDS_OF_A_TOPIC : most,
        InputSetup.CHECK_LIMIT,
        value -> {
          if (written.equals("json")) {
            sample.json(value);
          } else {
            sample.csv(value, separator, columns);
          }
        });
    return proposal(
        sample,
        "the topic " + subject.topic,
        subject.topic,
        written,
        layout(options, columns, false),
        options);
  }

  /** The layout of lines; {@code nameless} where a table has no header. */
  private static List<String> layout(
      Configuration options, List<String> columns, boolean nameless) {
    List<String> layout = new ArrayList<>();
    if (nameless) {
      layout.add("# The table has no header: columns are called by their places.");
    }
    options
        .getOptional(CsvOptions.SEPARATOR)
        .ifPresent(separator -> layout.add("csv.separator: '%s'".formatted(separator)));
    if (!columns.isEmpty()) {
      layout.add("csv.columns: " + Proposal.list(columns));
    }
    return layout;
  }

  private String proposal(
      Sample sample,
      String source,
      String topic,
      String written,
      List<String> layout,
      Configuration options) {
    try {
      return new Proposal(sample, source, label)
          .text(
              options.getOptional(KafkaOptions.BOOTSTRAP_SERVERS).orElse(SOME_BROKER),
              topic,
              written,
              layout);
    } catch (IllegalArgumentException e) {
      throw new InvalidOptionsException(List.of(e.getMessage()));
    }
  }
}
