package dev.millrace.cli.proposal;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.EngineFetch;
import dev.millrace.cli.console.FileSystems;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.PreparedJob;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.kafka.topic.TopicValues;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Describes a topic, writes the file, and checks it. */
@Command(
    name = "init",
    header = "Makes a file of options for a topic, ready to train with.",
    description = {
      "",
      "Does what describe and check do, and says what comes next. Without a topic it lists those"
          + " that have records.",
      "  millrace init --topic orders --kafka.bootstrap.servers broker:9092",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the file is ready",
      "1:the file has to be edited, or a topic can't be used",
      "2:there is no file, or options are wrong",
      "3:the file is written, and something couldn't be checked"
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
public final class InitCommand extends ProposingCommand {

  @Option(names = "--topic", paramLabel = "T", description = "Its newest records are looked at.")
  private String topic;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      defaultValue = "train.yaml",
      description = "Receives the options. Default: ${DEFAULT-VALUE}.")
  private Path output;

  @Option(names = "--force", description = "Writes over a file that is there.")
  private boolean force;

  @Override
  public Integer call() throws Exception {
    if (Files.exists(output) && !force) {
      throw new InvalidOptionsException(
          List.of(
              "%s is there already; give --force to write over it, or --output another file"
                  .formatted(output)));
    }
    if (topic == null) {
      throw withoutTopic();
    }
    PrintWriter out = command().commandLine().getOut();
    Proposed proposed = ofTopic(topic, output);
    write(proposed, output);
    int code = tell(proposed);
    if (code != 0) {
      out.printf("%s has to be edited first; then: millrace check --config %s%n", output, output);
      out.flush();
      return code;
    }
    Configuration options = proposed.options();
    FileSystems.initialize();
    EngineFetch.ensure(options);
    Configuration cluster = GlobalConfiguration.loadConfiguration();
    cluster.addAll(FlinkOptions.clusterConfiguration(options));
    int checked = PreparedJob.check(options, cluster, command());
    if (checked == 0) {
      out.printf(
          "%n%s is ready; look at its label first. Next:%n"
              + "  millrace train --config %s%n  millrace serve --config %s%n",
          output, output, output);
      out.flush();
    }
    return checked;
  }

  /** Says which topics there are. */
  private InvalidOptionsException withoutTopic() {
    Configuration options = jobOptions();
    List<String> topics = TopicValues.topics(KafkaOptions.cluster(options), InputSetup.CHECK_LIMIT);
    return new InvalidOptionsException(
        List.of(
            topics.isEmpty()
                ? "No topic at %s has records; give --topic when one has"
                    .formatted(options.get(KafkaOptions.BOOTSTRAP_SERVERS))
                : "--topic is missing; topics with records: " + String.join(", ", topics)));
  }
}
