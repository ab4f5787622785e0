package dev.millrace.cli;

import dev.millrace.job.options.OptionReader;
import dev.millrace.job.setup.JobSetup;
import dev.millrace.local.cluster.ClusterFiles;
import dev.millrace.local.cluster.ClusterPlan;
import dev.millrace.local.cluster.ClusterView;
import dev.millrace.local.cluster.Installation;
import dev.millrace.local.cluster.LocalCluster;
import dev.millrace.local.cluster.ManagedProcess;
import dev.millrace.local.cluster.Ports;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A Flink cluster of real processes, to try on what production does. */
@Command(
    name = "cluster",
    header = "Starts, shows and stops a Flink cluster of real processes on this machine.",
    footer = {
      "",
      "All listen on 127.0.0.1 only, but for the ports of Flink's metrics reporter, which can't be told",
      "to; they go on until `millrace cluster stop`. deploy/bin/flink is Flink's own command line:",
      "  millrace cluster start --taskmanagers 2 --broker",
      "  deploy/bin/flink run -d -p 2 JOB_JAR --config train.yaml",
      ""
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      ClusterCommand.Start.class,
      ClusterCommand.Status.class,
      ClusterCommand.Logs.class,
      ClusterCommand.Stop.class
    },
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = MillraceCli.Version.class)
final class ClusterCommand implements Runnable {

  @Spec private CommandSpec command;

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(), "Say what to do: start, status, logs or stop");
  }

  /** Which cluster is meant. */
  static final class Place {

    @Option(
        names = "--work-dir",
        paramLabel = "DIR",
        defaultValue = "millrace-work",
        description = "Holds every file that is written. Default: ./${DEFAULT-VALUE}.")
    private Path workDirectory;

    LocalCluster cluster() {
      return new LocalCluster(
          Installation.ofThisProcess(), new ClusterFiles(workDirectory.resolve("cluster")));
    }
  }

  @Command(
      name = "start",
      header = "Starts a cluster, or those of its processes that have died.",
      mixinStandardHelpOptions = true)
  static final class Start implements Runnable {

    /** Enough for the built-in models at their usual sizes. */
    private static final long USUAL_VALUES = 2_000_000;

    @Mixin private Place place;
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
      requirePositive("--taskmanagers", taskManagers);
      requirePositive("--slots", slots);
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
        throw new RunFailedException("The cluster can't be started: " + e, e);
      } catch (InterruptedException e) {
        throw new RunFailedException("Interrupted; nothing is left running", e);
      }
      out.println("Flink:        http://127.0.0.1:" + rest);
      if (broker) {
        out.println("Broker:       127.0.0.1:" + brokerPort);
      }
      out.println("Replicas:     %d at most".formatted(taskManagers * slots));
      out.println("Files:        " + cluster.files().root());
      out.println(
          "Submit with:  %s/flink run -d -p %d %s --config train.yaml"
              .formatted(
                  System.getProperty("millrace.scripts", "bin"),
                  taskManagers * slots,
                  Installation.ofThisProcess().jobJar()));
    }

    /** What has died of a cluster that is there already. */
    private static List<String> startAgain(LocalCluster cluster) {
      try {
        return cluster.startMissing();
      } catch (IOException e) {
        throw new RunFailedException("The cluster can't be started again: " + e, e);
      }
    }

    private long modelValues() {
      return config == null
          ? USUAL_VALUES
          : JobSetup.model(OptionReader.read(List.of("--config", config.toString())))
              .spec()
              .vectorLength();
    }

    private void requirePositive(String option, int value) {
      if (value < 1) {
        throw new ParameterException(
            command.commandLine(),
            "%s is '%d'; it must be a whole number of at least 1".formatted(option, value));
      }
    }
  }

  @Command(
      name = "status",
      header = "Shows the cluster's processes, slots and jobs; exits with 1 if one has died.",
      mixinStandardHelpOptions = true)
  static final class Status implements Callable<Integer> {

    @Mixin private Place place;
    @Spec private CommandSpec command;

    @Override
    public Integer call() throws IOException, InterruptedException {
      LocalCluster cluster = place.cluster();
      PrintWriter out = command.commandLine().getOut();
      List<ManagedProcess> processes = cluster.processes();
      if (processes.isEmpty()) {
        out.println("No cluster runs in " + cluster.files().root());
        return MillraceCli.FAILED;
      }
      boolean whole = true;
      for (ManagedProcess process : processes) {
        boolean alive = process.isAlive();
        whole &= alive;
        out.println(
            "%-14s %-8s process %d"
                .formatted(process.name(), alive ? "runs" : "has died", process.pid()));
      }
      try (ClusterView view = ClusterView.of(cluster.configuration())) {
        Optional<ClusterView.Overview> overview = view.overview();
        if (overview.isEmpty()) {
          out.println("Flink doesn't answer; `millrace cluster logs` tells more");
          return MillraceCli.FAILED;
        }
        out.println(
            "%-14s %d of %d are free"
                .formatted("slots", overview.get().freeSlots(), overview.get().slots()));
        view.jobs()
            .ifPresent(
                jobs ->
                    jobs.forEach(
                        job ->
                            out.println(
                                "%-14s %s %s, %s"
                                    .formatted(
                                        "job",
                                        job.getJobId(),
                                        job.getJobName(),
                                        job.getJobState()))));
        out.println("%-14s %s".formatted("web page", view.webPage()));
      }
      return whole ? 0 : MillraceCli.FAILED;
    }
  }

  @Command(
      name = "logs",
      header = "Shows the end of the cluster's logs, and where they are.",
      mixinStandardHelpOptions = true)
  static final class Logs implements Runnable {

    @Mixin private Place place;
    @Spec private CommandSpec command;

    @Parameters(
        paramLabel = "PROCESS",
        arity = "0..1",
        description = "One process, such as taskmanager-1; all without it.")
    private String process;

    @Option(
        names = {"-n", "--lines"},
        paramLabel = "N",
        defaultValue = "20",
        description = "Lines of each. Default: ${DEFAULT-VALUE}.")
    private int lines;

    @Override
    public void run() {
      LocalCluster cluster = place.cluster();
      PrintWriter out = command.commandLine().getOut();
      List<String> names = names(cluster);
      if (process != null && !names.contains(process)) {
        throw new ParameterException(
            command.commandLine(),
            "There is no process '%s'; there are %s".formatted(process, String.join(", ", names)));
      }
      for (String name : process == null ? names : List.of(process)) {
        out.println("==> " + cluster.files().log(name));
        out.println(cluster.tail(name, lines));
        out.println();
      }
    }

    private static List<String> names(LocalCluster cluster) {
      try {
        return cluster.processes().stream().map(ManagedProcess::name).toList();
      } catch (IOException e) {
        throw new RunFailedException("The cluster's files can't be read: " + e, e);
      }
    }
  }

  @Command(
      name = "stop",
      header = "Stops all processes of the cluster. Logs, checkpoints and savepoints stay.",
      mixinStandardHelpOptions = true)
  static final class Stop implements Runnable {

    @Mixin private Place place;
    @Spec private CommandSpec command;

    @Override
    public void run() {
      LocalCluster cluster = place.cluster();
      try {
        cluster.stop();
      } catch (IOException e) {
        throw new RunFailedException("The cluster can't be stopped: " + e, e);
      }
      command
          .commandLine()
          .getOut()
          .println("Stopped; files are still in " + cluster.files().root());
    }
  }
}
