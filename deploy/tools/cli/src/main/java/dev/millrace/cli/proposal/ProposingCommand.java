package dev.millrace.cli.proposal;

import dev.millrace.cli.console.ExitCode;
import dev.millrace.cli.console.JobOptionsCommand;
import dev.millrace.cli.console.PositiveNumber;
import dev.millrace.cli.describe.LabelOrder;
import dev.millrace.cli.describe.Proposal;
import dev.millrace.cli.describe.Rejections;
import dev.millrace.cli.describe.Sample;
import dev.millrace.cli.describe.SampledFile;
import dev.millrace.cli.describe.SampledRecords;
import dev.millrace.cli.describe.SpooledValues;
import dev.millrace.fields.RecordFormats;
import dev.millrace.file.NamedTable;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.RecordSchemaOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.StartingOffsets;
import dev.millrace.kafka.topic.TopicValues;
import dev.millrace.kafka.topic.Topics;
import dev.millrace.local.cluster.OwnerOnly;
import dev.millrace.model.io.Reason;
import dev.millrace.registry.RegisteredSchemas;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Option;

/** A command that looks at records, and proposes how their fields are described. */
abstract class ProposingCommand extends JobOptionsCommand {

  private static final long ROWS_OF_A_FILE = 1_000_000;
  private static final long RECORDS_OF_A_TOPIC = 10_000;
  private static final String SOME_BROKER = "localhost:9092";

  /** What is proposed, as a file has it, and as a job takes it now. */
  record Proposed(Proposal proposal, String text, Configuration options, KeptOptions kept) {}

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "Of the topic's records, as input.format has it. Default: what they look like; of a table"
              + " csv.")
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

  /**
   * Looks at a file.
   *
   * @param data its name, as {@code --data} has it
   */
  final Proposed ofFile(String data) throws IOException {
    Configuration options = options();
    String name = data.replaceFirst("^(csv|json):", "");
    boolean json = data.startsWith("json:") || name.matches(".*\\.(jsonl?|ndjson)(\\.gz)?");
    Path file = Path.of(name);
    long rows = most == null ? ROWS_OF_A_FILE : most;
    String written = format != null ? format : json ? "json" : "csv";
    if (!written.equals("json") && !written.equals("csv")) {
      throw new InvalidOptionsException(
          List.of("--format is '%s'; of a file it must be json or csv".formatted(format)));
    }
    try {
      char separator =
          json || options.contains(CsvOptions.SEPARATOR)
              ? CsvOptions.settings(options).separator()
              : NamedTable.separatorIn(file).orElse(',');
      SampledFile sampled =
          json
              ? SampledFile.json(file, SampleOptions.sample(options), rows)
              : SampledFile.table(
                  file,
                  separator,
                  RecordLayout.columns(options),
                  SampleOptions.sample(options),
                  rows);
      boolean named = written.equals("csv") || !sampled.remarks().isEmpty();
      Proposal proposal =
          proposal(sampled.sample(), file.getFileName().toString(), sampled.remarks());
      List<String> layout =
          RecordLayout.ofLines(
              separator,
              named ? sampled.columns() : List.of(),
              !json && sampled.columns().isEmpty());
      return proposed(
          proposal,
          options,
          topic(options, file),
          written,
          layout,
          checked -> SampleOptions.records(file, json, checked),
          rows);
    } catch (IOException e) {
      throw new InvalidOptionsException(
          List.of("--data is '%s'. %s".formatted(data, Reason.of(e))));
    }
  }

  private Configuration options() {
    if (most != null) {
      PositiveNumber.require(command(), "--sample", most);
    }
    List<String> formats = RecordFormats.names();
    if (format != null && !formats.contains(format)) {
      throw new InvalidOptionsException(
          List.of(
              "--format is '%s'; it must be one of %s"
                  .formatted(format, String.join(", ", formats))));
    }
    return jobOptions();
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

  /**
   * Looks at the newest records of a topic.
   *
   * @param fileOrNull that the proposal goes to
   */
  final Proposed ofTopic(String topic, Path fileOrNull) throws IOException {
    Configuration options = options();
    if (!options.contains(KafkaOptions.BOOTSTRAP_SERVERS)) {
      throw new InvalidOptionsException(
          List.of(
              "%s is missing; a topic needs it, host:port"
                  .formatted(KafkaOptions.BOOTSTRAP_SERVERS.key())));
    }
    SourceSettings settings =
        SourceSettings.of(KafkaOptions.cluster(options), Topics.named(List.of(topic)))
            .inGroup(KafkaOptions.group(options, "-describe"))
            .startingAt(StartingOffsets.earliest())
            .bounded(true);
    try (SpooledValues values = SpooledValues.create()) {
      TopicValues.newest(
          settings,
          most == null ? RECORDS_OF_A_TOPIC : most,
          InputSetup.CHECK_LIMIT,
          value -> keep(values, value));
      String written = format == null ? TopicFormat.of(values::open, options) : format;
      options.set(InputOptions.FORMAT, written);
      if (written.equals("protobuf-confluent") && !options.contains(RecordSchemaOptions.SCHEMA)) {
        keepDescriptors(values, options, fileOrNull);
      }
      TopicSampling sampling = TopicSampling.of(values::open, options);
      return proposed(
          proposal(sampling.sample(), "the topic " + topic, Map.of()),
          options,
          topic,
          written,
          RecordLayout.ofRecords(options, sampling.envelope(), kept(options)),
          checked -> values.open(),
          Long.MAX_VALUE);
    }
  }

  /** A registry has the text of a schema, and a job takes descriptors: they get a file. */
  private static void keepDescriptors(SpooledValues values, Configuration options, Path fileOrNull)
      throws IOException {
    if (fileOrNull == null) {
      throw new InvalidOptionsException(
          List.of(
              "The schema is Protobuf, whose descriptors are kept in a file beside the proposal; give"
                  + " --output FILE"));
    }
    Path descriptors =
        fileOrNull.resolveSibling(
            fileOrNull.getFileName().toString().replaceFirst("\\.ya?ml$", "") + ".desc");
    try (SampledRecords records = values.open()) {
      records.next();
      ProtobufSchema schema =
          ProtobufSchema.of(
              RegisteredSchemas.one(records.value(), InputFields.input(options)), records.value());
      Files.write(descriptors, schema.descriptors());
      options.set(RecordSchemaOptions.SCHEMA, descriptors.toString());
      options.set(RecordSchemaOptions.PROTOBUF_MESSAGE, schema.message());
    } catch (IllegalArgumentException e) {
      throw new InvalidOptionsException(List.of(e.getMessage()));
    }
  }

  private static void keep(SpooledValues values, byte[] value) {
    try {
      values.add(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private KeptOptions kept(Configuration options) {
    return new KeptOptions(options, fileOptions().keySet());
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

  /** Tries what is proposed on the records, and has the file tell what a job would reject. */
  private Proposed proposed(
      Proposal proposal,
      Configuration given,
      String topic,
      String written,
      List<String> layout,
      Records records,
      long most)
      throws IOException {
    KeptOptions kept = kept(given);
    List<String> broker = kept.broker(SOME_BROKER);
    Configuration options = new Configuration();
    if (proposal.problem().isEmpty()) {
      options =
          InputFields.complete(OptionReader.parse(proposal.text(broker, topic, written, layout)));
      options.addAll(kept.secrets());
      Configuration checked = options;
      LabelOrder order = new LabelOrder();
      Rejections rejections = ProposalCheck.of(checked, () -> records.open(checked), most, order);
      if (rejections.count() > 0 && rejections.count() == rejections.records()) {
        throw new InvalidOptionsException(
            List.of(
                "No description fits %s: every record would be rejected; the first is %s"
                    .formatted(proposal.source(), rejections.first())));
      }
      proposal.rejecting(rejections);
      proposal.ordered(order);
    }
    return new Proposed(proposal, proposal.text(broker, topic, written, layout), options, kept);
  }

  /** Writes a file, which nobody else may read if it has a secret. */
  final void write(Proposed proposed, Path file) throws IOException {
    if (proposed.kept().haveSecret()) {
      OwnerOnly.write(file, proposed.text().lines().toList());
    } else {
      Files.writeString(file, proposed.text());
    }
  }

  /** Says what has to be done before a job can have the file; returns the exit code. */
  final int tell(Proposed proposed) {
    PrintWriter err = command().commandLine().getErr();
    proposed
        .kept()
        .variables()
        .forEach(
            (key, variable) ->
                err.printf(
                    "%s is a secret, and isn't written: set the variable %s, or edit the file%n",
                    key, variable));
    proposed
        .proposal()
        .problem()
        .ifPresent(problem -> err.println("Nothing can be learned yet: " + problem));
    err.flush();
    return proposed.proposal().problem().isEmpty() ? 0 : ExitCode.FAILED;
  }
}
