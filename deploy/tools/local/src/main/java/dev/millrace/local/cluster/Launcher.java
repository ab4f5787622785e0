package dev.millrace.local.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.jobmanager.JobManagerProcessSpec;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;
import org.apache.flink.runtime.util.config.memory.ProcessMemoryUtils;

/** The command lines of Flink's processes, as Flink's own scripts make them. */
final class Launcher {

  private static final String NATIVE = "org.bytedeco.javacpp.cachedir";

  private final Configuration flink;
  private final ClusterFiles files;
  private final Installation installation;
  private final Hosts hosts;

  Launcher(Configuration flink, ClusterFiles files, Installation installation, Hosts hosts) {
    this.flink = flink;
    this.files = files;
    this.installation = installation;
    this.hosts = hosts;
  }

  List<String> jobManager(String name) {
    return jobManager(
        name, "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint", List.of());
  }

  /**
   * A JobManager that runs one job, without a client.
   *
   * @param arguments of the job
   */
  List<String> application(String name, Path jobJar, List<String> arguments) {
    List<String> program = new ArrayList<>(List.of("--jars", jobJar.toString()));
    // Ends the list of jars, and Flink's own options: it would take --config for its --configDir.
    program.add("--");
    program.addAll(arguments);
    return jobManager(
        name,
        "org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint",
        program);
  }

  private List<String> jobManager(String name, String mainClass, List<String> program) {
    JobManagerProcessSpec memory = memory(JobManagerProcessUtils::processSpecFromConfig);
    List<String> command =
        java(
            name,
            JobManagerProcessUtils.generateJvmParametersStr(memory, flink),
            CoreOptions.FLINK_JM_JVM_OPTIONS,
            installation.jobManagerClassPath(),
            mainClass);
    command.addAll(words(JobManagerProcessUtils.generateDynamicConfigsStr(memory)));
    command.addAll(program);
    return command;
  }

  List<String> taskManager(String name) {
    TaskExecutorProcessSpec memory = memory(TaskExecutorProcessUtils::processSpecFromConfig);
    List<String> command =
        java(
            name,
            ProcessMemoryUtils.generateJvmParametersStr(memory),
            CoreOptions.FLINK_TM_JVM_OPTIONS,
            installation.flinkClassPath(),
            "org.apache.flink.runtime.taskexecutor.TaskManagerRunner");
    command.addAll(words(TaskExecutorProcessUtils.generateDynamicConfigsStr(memory)));
    command.addAll(List.of("-D", "taskmanager.resource-id=" + name));
    command.addAll(List.of("-D", "taskmanager.host=" + hosts.of(name)));
    command.addAll(List.of("-D", "taskmanager.bind-host=" + hosts.of(name)));
    return hosts.on(name, command);
  }

  /** Flink's own command line, which reads the cluster's configuration of its environment. */
  List<String> client(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(installation.java()));
    command.addAll(words(flink.get(CoreOptions.FLINK_JVM_OPTIONS)));
    command.addAll(logging("client"));
    // Clients may run beside each other, so it isn't emptied before one starts.
    command.addAll(directories(files.temporary()));
    command.addAll(
        List.of("-cp", installation.flinkClassPath(), "org.apache.flink.client.cli.CliFrontend"));
    command.addAll(arguments);
    return command;
  }

  List<String> zooKeeper(String name) {
    List<String> command = new ArrayList<>(List.of(installation.java(), "-Xmx128m"));
    command.addAll(logging(name));
    command.addAll(directories(files.temporary(name)));
    command.addAll(
        List.of(
            "-cp",
            installation.flinkClassPath(),
            "org.apache.flink.runtime.zookeeper.FlinkZooKeeperQuorumPeer",
            "--zkConfigFile",
            files.zooKeeperConfig().toString(),
            "--peerId",
            "1"));
    return command;
  }

  private List<String> java(
      String name,
      String memory,
      ConfigOption<String> options,
      String classPath,
      String mainClass) {
    List<String> command = new ArrayList<>();
    command.add(installation.java());
    command.addAll(words(memory));
    command.addAll(words(flink.get(CoreOptions.FLINK_JVM_OPTIONS)));
    command.addAll(words(flink.get(options)));
    command.addAll(logging(name));
    command.addAll(directories(files.temporary(name)));
    command.addAll(List.of("-cp", classPath, mainClass, "--configDir", files.conf().toString()));
    return command;
  }

  /** Flink's own defaults, such as that of {@code io.tmp.dirs}, follow the first. */
  private List<String> directories(Path temporary) {
    // Unpacked native code is the same for all: it lies where this process has its own.
    String unpacked = System.getProperty(NATIVE, files.root().resolve("native").toString());
    return List.of(
        "-Djava.io.tmpdir=" + temporary, "-D" + NATIVE + "=" + Path.of(unpacked).toAbsolutePath());
  }

  private List<String> logging(String name) {
    return List.of(
        "-Dlog.file=" + files.log(name), "-Dlog4j2.configurationFile=" + files.log4j().toUri());
  }

  private static List<String> words(String text) {
    return Stream.of(text.split("\\s+")).filter(word -> !word.isEmpty()).toList();
  }

  /** Shares out a process's memory; only settings of the user's can contradict each other. */
  private <T> T memory(Function<Configuration, T> shares) {
    try {
      return shares.apply(flink);
    } catch (IllegalConfigurationException e) {
      throw new ClusterException(
          "Flink's memory settings don't fit together: %s Change those that -D gives"
              .formatted(e.getMessage()),
          e);
    }
  }
}
