package dev.millrace.cli.cluster;

import dev.millrace.cli.console.EngineFetch;
import dev.millrace.cli.console.PositiveNumber;
import dev.millrace.cli.console.RunFailedException;
import dev.millrace.job.setup.JobSetup;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.local.cluster.ClusterPlan;
import dev.millrace.local.cluster.LocalCluster;
import dev.millrace.local.cluster.Ports;
import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Starts a local cluster. */
@Command(
    name = "start",
    header = "Starts a cluster, or those of its processes that have died.",
    mixinStandardHelpOptions = true)
final class ClusterStartCommand implements Runnable {

  /** Enough for the built-in models at their usual sizes. */
  private static final long USUAL_VALUES = 2_000_000;

  @Mixin private ClusterPlace place;
  @Spec private CommandSpec command;

  @Option(
      names = "--taskmanagers",
      paramLabel = "N",
      defaultValue = "2",
      description = "Processes that train. Default: ${DEFAULT-VALUE}.")
  private int taskManagers;

  @Option(
      names = "--slots",
      paramLabel = "S",
      defaultValue = "1",
      description = "Replicas that each of them can train. Default: ${DEFAULT-VALUE}.")
  private int slots;

  @Option(
      names = "--ha",
      description = "Two JobManagers with ZooKeeper: either of them may be killed.")
  private boolean highlyAvailable;

  @Option(names = "--broker", description = "A Kafka broker, too.")
  private boolean broker;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Options of the job: memory is made for its model.")
  private Path config;

  @Option(names = "--rest-port", paramLabel = "PORT", description = "Flink's web page: 8081.")
  private int rest = Ports.USUAL.rest();

  @Option(names = "--rpc-port", paramLabel = "PORT", description = "The JobManager's: 6123.")
  private int rpc = Ports.USUAL.rpc();

  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      description = "First of those that Prometheus reads: 9249.")
  private int metrics = Ports.USUAL.metrics();

  @Option(names = "--zookeeper-port", paramLabel = "PORT", description = "ZooKeeper's: 2181.")
  private int zooKeeper = Ports.USUAL.zooKeeper();

  @Option(names = "--broker-port", paramLabel = "PORT", description = "The broker's: 9092.")
  private int brokerPort = Ports.USUAL.broker();

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "A key of Flink's configuration; wins over all else.")
  private Map<String, String> overrides = new TreeMap<>();

  @Override
  public void run() {
    PositiveNumber.require(command, "--taskmanagers", taskManagers);
    PositiveNumber.require(command, "--slots", slots);
    LocalCluster cluster = place.cluster();
    PrintWriter out = command.commandLine().getOut();
    List<String> startedAgain = startAgain(cluster);
    if (!startedAgain.isEmpty()) {
      out.println("Started again: " + String.join(", ", startedAgain));
      return;
    }
    ClusterPlan plan =
        new ClusterPlan(
            taskManagers,
            slots,
            highlyAvailable,
            broker,
            new Ports(rest, rpc, metrics, zooKeeper, brokerPort),
            modelValues(),
            overrides);
    try {
      cluster.start(plan);
    } catch (IOException e) {
      throw new RunFailedException("The cluster can't be started: " + Reason.of(e), e);
    } catch (InterruptedException e) {
      throw new RunFailedException("Interrupted; nothing is left running", e);
    }
    out.println("Flink:        http://127.0.0.1:" + rest);
    if (broker) {
      out.println("Broker:       127.0.0.1:" + brokerPort);
    }
    out.println("Replicas:     %s at most".formatted(taskManagers * slots));
    out.println("Files:        " + cluster.files().root());
    out.println("Submit with:  " + place.submission(taskManagers * slots));
  }

  /** Starts again what has died of a cluster that is there already. */
  private static List<String> startAgain(LocalCluster cluster) {
    try {
      return cluster.startMissing();
    } catch (IOException e) {
      throw new RunFailedException("The cluster can't be started again: " + Reason.of(e), e);
    }
  }

  private long modelValues() {
    if (config == null) {
      return USUAL_VALUES;
    }
    Configuration options = OptionReader.read(List.of(), config);
    EngineFetch.ensure(options);
    return JobSetup.model(options).spec().vectorLength();
  }
}
