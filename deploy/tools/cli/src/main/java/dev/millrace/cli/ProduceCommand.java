package dev.millrace.cli;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.JobOptionsCommand;
import dev.millrace.cli.console.PositiveNumber;
import dev.millrace.cli.console.RunFailedException;
import dev.millrace.cli.console.Screen;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.file.RecordSequence;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.ExampleProducer;
import dev.millrace.kafka.topic.Rate;
import dev.millrace.kafka.topic.TopicCreation;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Feeds a topic of any broker. */
@Command(
    name = "produce",
    header = "Feeds a topic of your broker with examples.",
    description = {
      "",
      "Where the examples go and how they are written is said as for train, by --key value or the"
          + " same file:",
      "  millrace produce --data idx:DIR --config train.yaml",
      "  millrace produce --data digits:1000 --kafka.bootstrap.servers localhost:9092 \\",
      "      --input.topics images --partitions 2 --rate 100",
      "",
      "Example i goes to partition i modulo their number.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
final class ProduceCommand extends JobOptionsCommand {

  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(30);

  @Option(
      names = "--data",
      paramLabel = "SPEC",
      required = true,
      description = {
        "What to produce:",
        "  digits:N   N drawn digits, whose style changes midway",
        "  idx:DIR    images in MNIST's format",
        "  csv:FILE   a table, laid out as --input.csv.* says",
        "  json:FILE  a record a line, sent as it is"
      })
  private String data;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Examples a second. Default: as fast as the broker takes them.")
  private Double rate;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Ends after N examples. Default: all there are.")
  private long limit = Long.MAX_VALUE;

  @Option(
      names = "--skip",
      paramLabel = "N",
      description = "Passes over the first N examples, where an earlier run has sent them.")
  private long skip;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "Makes the topic with N partitions where it isn't there yet.")
  private Integer partitions;

  @Override
  public Integer call() throws Exception {
    PositiveNumber.require(command(), "--limit", limit);
    if (skip < 0) {
      throw new ParameterException(
          command().commandLine(), "--skip is '%s'; it must be 0 or more".formatted(skip));
    }
    if (partitions != null) {
      PositiveNumber.require(command(), "--partitions", partitions);
    }
    if (rate != null && !(rate > 0)) {
      throw new ParameterException(
          command().commandLine(), "--rate is '%s'; it must be a number above 0".formatted(rate));
    }
    ProducePlan production = ProducePlan.of(data, jobOptions());
    Screen screen = Screen.of(command().commandLine().getOut());
    long produced = StopSignal.install().during(() -> send(production, screen));
    screen.say(String.format(Locale.ROOT, "%,d examples are in %s", produced, production.topic()));
    return 0;
  }

  private long send(ProducePlan production, Screen screen) throws IOException {
    KafkaCluster cluster = KafkaOptions.cluster(production.options());
    if (partitions != null) {
      TopicCreation.ensure(cluster, production.topic(), partitions, REQUEST_LIMIT);
    }
    try (RecordSequence records = production.open();
        ExampleProducer producer = ExampleProducer.open(cluster, production.topic())) {
      return send(records, producer, production.topic(), screen::produced);
    }
  }

  private long send(
      RecordSequence records, ExampleProducer producer, String topic, LongConsumer progress)
      throws IOException {
    producer.skip(records, skip);
    try {
      return producer.send(
          records, rate == null ? Rate.unlimited() : Rate.perSecond(rate), limit, progress);
    } catch (IOException e) {
      throw new RunFailedException(
          String.format(
              Locale.ROOT,
              "%s. %,d examples before it are in %s; mend it, and send the rest with --skip %s",
              e.getMessage(),
              producer.delivered(),
              topic,
              skip + producer.delivered()),
          e);
    }
  }
}
