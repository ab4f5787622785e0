package dev.millrace.cli.proposal;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.ExitCode;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.JobOptionsCommand;
import dev.millrace.cli.console.PositiveNumber;
import dev.millrace.cli.describe.Proposal;
import dev.millrace.cli.describe.Rejections;
import dev.millrace.cli.describe.Sample;
import dev.millrace.cli.describe.SampledFile;
import dev.millrace.cli.describe.SampledRecords;
import dev.millrace.cli.describe.SpooledValues;
import dev.millrace.cli.describe.Yaml;
import dev.millrace.file.NamedTable;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.StartingOffsets;
import dev.millrace.kafka.topic.TopicValues;
import dev.millrace.kafka.topic.Topics;
import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
      "docs/guides/data.md says what each field can become.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:a job can have the proposal",
      "1:the proposal has to be edited: nothing can be learned of its label",
      "2:there is no proposal, or options are wrong"
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
public final class DescribeCommand extends JobOptionsCommand {

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
            "A table, or JSON in a file that is called .json or .jsonl: objects, or an array of"
                + " them; may be gzipped.")
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
    return subject.topic == null ? ofFile(options) : ofTopic(options);
  }

  private int ofFile(Configuration options) throws IOException {
    String name = subject.data.replaceFirst("^(csv|json):", "");
    boolean json = subject.data.startsWith("json:") || name.matches(".*\\.(jsonl?|ndjson)(\\.gz)?");
    Path file = Path.of(name);
    long rows = most == null ? ROWS_OF_A_FILE : most;
    try {
      char separator =
          json || options.contains(CsvOptions.SEPARATOR)
              ? CsvOptions.settings(options).separator()
              : NamedTable.separatorIn(file).orElse(',');
      SampledFile sampled =
          json
              ? SampledFile.json(file, SampleOptions.sample(options), rows)
              : SampledFile.table(
                  file, separator, columns(options), SampleOptions.sample(options), rows);
      String written = format != null ? format : json ? "json" : "csv";
      boolean named = written.equals("csv") || !sampled.remarks().isEmpty();
      Proposal proposal =
          proposal(sampled.sample(), file.getFileName().toString(), sampled.remarks());
      List<String> layout =
          layout(
              separator,
              named ? sampled.columns() : List.of(),
              !json && sampled.columns().isEmpty());
      return write(
          proposal,
          options,
          topic(options, file),
          written,
          layout,
          checked -> SampleOptions.records(file, json, checked),
          rows);
    } catch (IOException e) {
      throw new InvalidOptionsException(
          List.of("--data is '%s'. %s".formatted(subject.data, Reason.of(e))));
    }
  }

  private static List<String> columns(Configuration options) {
    return options.getOptional(CsvOptions.COLUMNS).orElse(List.of());
  }

  /** Returns the topic of the options; named after the file, if the options name none. */
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

  private int ofTopic(Configuration options) throws IOException {
    if (!options.contains(KafkaOptions.BOOTSTRAP_SERVERS)) {
      throw new InvalidOptionsException(
          List.of(
              "%s is missing; a topic needs it, host:port"
                  .formatted(KafkaOptions.BOOTSTRAP_SERVERS.key())));
    }
    String written = format == null ? "json" : format;
    List<String> columns = columns(options);
    Sample sample = SampleOptions.sample(options);
    SourceSettings settings =
        SourceSettings.of(KafkaOptions.cluster(options), Topics.named(List.of(subject.topic)))
            .inGroup(KafkaOptions.group(options, "-describe"))
            .startingAt(StartingOffsets.earliest())
            .bounded(true);
    char separator = CsvOptions.settings(options).separator();
    try (SpooledValues values = SpooledValues.create()) {
      TopicValues.newest(
          settings,
          most == null ? RECORDS_OF_A_TOPIC : most,
          InputSetup.CHECK_LIMIT,
          value -> {
            String place = kept(values, value);
            if (written.equals("json")) {
              sample.json(value, place);
            } else {
              sample.csv(value, separator, columns, place);
            }
          });
      Proposal proposal = proposal(sample, "the topic " + subject.topic, Map.of());
      return write(
          proposal,
          options,
          subject.topic,
          written,
          layout(separator, columns, false),
          checked -> values.open(),
          Long.MAX_VALUE);
    }
  }

  private static String kept(SpooledValues values, byte[] value) {
    try {
      return values.add(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The layout of lines; {@code nameless} where a table has no header. */
  private static List<String> layout(char separator, List<String> columns, boolean nameless) {
    List<String> layout = new ArrayList<>();
    if (nameless) {
      layout.add("# The table has no header: columns are called by their places.");
    }
    if (separator != ',') {
      layout.add(
          "csv.separator: " + Yaml.text(separator == '\t' ? "\\t" : String.valueOf(separator)));
    }
    if (!columns.isEmpty()) {
      layout.add("csv.columns: " + Yaml.list(columns));
    }
    return layout;
  }

  private Proposal proposal(Sample sample, String source, Map<String, String> remarks) {
    try {
      return new Proposal(sample, source, label, remarks);
    } catch (IllegalArgumentException e) {
      throw new InvalidOptionsException(List.of(e.getMessage()));
    }
  }

  /** Opens the records of the sample anew, as proposed options have them. */
  private interface Records {
    SampledRecords open(Configuration options) throws IOException;
  }

  /** Writes what a job can use; what it can't, for somebody to edit, and says so. */
  private int write(
      Proposal proposal,
      Configuration given,
      String topic,
      String written,
      List<String> layout,
      Records records,
      long most)
      throws IOException {
    String servers = given.getOptional(KafkaOptions.BOOTSTRAP_SERVERS).orElse(SOME_BROKER);
    if (proposal.problem().isEmpty()) {
      Configuration options =
          InputFields.complete(OptionReader.parse(proposal.text(servers, topic, written, layout)));
      Rejections rejections = ProposalCheck.of(options, () -> records.open(options), most);
      if (rejections.count() > 0 && rejections.count() == rejections.records()) {
        throw new InvalidOptionsException(
            List.of(
                "No description fits %s: every record would be rejected; the first is %s"
                    .formatted(proposal.source(), rejections.first())));
      }
      proposal.rejecting(rejections);
    }
    String text = proposal.text(servers, topic, written, layout);
    if (output == null) {
      command().commandLine().getOut().print(text);
      command().commandLine().getOut().flush();
    } else {
      Files.writeString(output, text);
    }
    proposal
        .problem()
        .ifPresent(
            problem ->
                command().commandLine().getErr().println("Nothing can be learned yet: " + problem));
    command().commandLine().getErr().flush();
    return proposal.problem().isEmpty() ? 0 : ExitCode.FAILED;
  }
}
