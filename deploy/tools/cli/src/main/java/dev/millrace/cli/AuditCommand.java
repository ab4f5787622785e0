package dev.millrace.cli;

import dev.millrace.cli.audit.Audit;
import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.FileSystems;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.JobOptionsCommand;
import dev.millrace.cli.console.ReadingLine;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.cli.models.AuditText;
import dev.millrace.cli.models.StoredModel;
import dev.millrace.cli.models.TopicAudit;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.TopicRecords;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Proves that a model has each record exactly once, or shows where it hasn't. */
@Command(
    name = "audit",
    header = "Checks that a model has each record of its topics exactly once.",
    description = {
      "",
      "Reads the topics from the first to the last record that the model's ledger has, and compares"
          + " them with it, partition by partition, and files of history line by line: every record there has been learned from or"
          + " rejected, once. Of a savepoint or checkpoint, what was on its way to the model counts"
          + " too.",
      "",
      "Of a savepoint with embedding tables it compares, too, how often rows were used with the ids"
          + " of the records; for that it needs the job's options, with --config.",
      "  millrace audit models/ --kafka.bootstrap.servers localhost:9092",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every record exactly once",
      "1:the audit failed",
      "2:wrong usage",
      "3:records are missing, or were taken twice",
      "4:undecidable, because records were deleted since, or a topic was made again"
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
final class AuditCommand extends JobOptionsCommand {

  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(30);
  private static final int WRONG = 3;
  private static final int UNKNOWN = 4;

  @Parameters(
      paramLabel = "PATH",
      description =
          "A savepoint or checkpoint, an exported or published archive, a snapshot's description,"
              + " or a directory of snapshots.")
  private String path;

  @Option(names = "--json", description = "One JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    KafkaCluster cluster = cluster();
    FileSystems.initialize();
    StoredModel model = StoredModel.open(path);
    Audit audit = StopSignal.install().during(() -> audit(model, cluster));
    command().commandLine().getOut().println(json ? AuditText.json(audit) : AuditText.text(audit));
    return switch (audit.finding()) {
      case COMPLETE -> 0;
      case WRONG -> WRONG;
      case UNKNOWN -> UNKNOWN;
    };
  }

  private KafkaCluster cluster() {
    Configuration options = jobOptions();
    if (!options.contains(KafkaOptions.BOOTSTRAP_SERVERS)) {
      throw new InvalidOptionsException(
          List.of(KafkaOptions.BOOTSTRAP_SERVERS.key() + " is missing; it must be host:port"));
    }
    return KafkaOptions.cluster(options);
  }

  private Audit audit(StoredModel model, KafkaCluster cluster) throws IOException {
    try (TopicRecords topics = TopicRecords.open(cluster, REQUEST_LIMIT);
        ReadingLine line = new ReadingLine(command().commandLine().getErr())) {
      return TopicAudit.withTables(path, model, topics, jobOptions(), line);
    }
  }
}
