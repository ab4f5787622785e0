package dev.millrace.local.cluster;

import dev.millrace.local.broker.LocalBroker;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;

/**
 * A Flink cluster of real processes on this machine: JobManagers, TaskManagers and, where they are
 * asked for, ZooKeeper and a Kafka broker. It goes on when the process that started it ends, and is
 * found again by its directory.
 *
 * <p>Not thread-safe.
 */
public final class LocalCluster {

  /**
   * Variables that processes get unless the caller's environment has them. Each thread of a task
   * would have an arena of glibc's, which keeps what was freed: 100 MB after ten jobs. Given-back
   * pages would be cleared again in each step: up to a tenth of its time. Flink's images have
   * jemalloc in place of both.
   */
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("OMP_NUM_THREADS", "1"),
          Map.entry("MALLOC_ARENA_MAX", "2"),
          Map.entry("MALLOC_TRIM_THRESHOLD_", Integer.toString(64 << 20)),
          Map.entry("MALLOC_MMAP_THRESHOLD_", Integer.toString(32 << 20)));

  public static final String BROKER = "broker";
  public static final String ZOOKEEPER = "zookeeper";
  private static final String JOB_MANAGER = "jobmanager-";
  private static final String TASK_MANAGER = "taskmanager-";

  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
  private static final int TAIL_LINES = 15;

  /**
   * The processes in the order in which they start: one that others need is started first, and
   * stopped last.
   */
  private static final List<String> ORDER = List.of(BROKER, ZOOKEEPER, JOB_MANAGER, TASK_MANAGER);

  private final Installation installation;
  private final ClusterFiles files;
  private final Hosts hosts;

  public LocalCluster(Installation installation, ClusterFiles files) {
    this(installation, files, Hosts.LOOPBACK);
  }

  /**
   * @param hosts that its TaskManagers are on
   */
  public LocalCluster(Installation installation, ClusterFiles files, Hosts hosts) {
    this.installation = installation;
    this.files = files;
    this.hosts = hosts;
  }

  public ClusterFiles files() {
    return files;
  }

  /** All processes that were started and not stopped, in the order of their start. */
  public List<ManagedProcess> processes() throws IOException {
    List<ManagedProcess> all = new ArrayList<>();
    for (String name : files.processes()) {
      all.add(ManagedProcess.read(name, files));
    }
    all.sort(Comparator.comparingInt(process -> rank(process.name())));
    return all;
  }

  /**
   * The JobManager that leads, which its log and its address tell.
   *
   * @throws ClusterException if none does
   */
  public ManagedProcess leader() throws IOException {
    try (ClusterView view = ClusterView.of(configuration())) {
      URI page = URI.create(view.webPage());
      String listens = "Rest endpoint listening at %s:%s".formatted(page.getHost(), page.getPort());
      for (ManagedProcess process : processes()) {
        if (process.name().startsWith(JOB_MANAGER)
            && process.isAlive()
            && logSinceStart(process).contains(listens)) {
          return process;
        }
      }
    }
    throw new ClusterException("No JobManager leads in " + files.root());
  }

  /**
   * Returns what a JobManager has logged since it was started last: it appends to its log, and may
   * listen where another did.
   */
  private String logSinceStart(ManagedProcess jobManager) throws IOException {
    String log = Files.readString(files.log(jobManager.name()));
    return log.substring(Math.max(0, log.lastIndexOf(" Starting StandaloneSession")));
  }

  private static int rank(String name) {
    for (int i = 0; i < ORDER.size(); i++) {
      if (name.startsWith(ORDER.get(i))) {
        return i;
      }
    }
    return ORDER.size();
  }

  /**
   * Starts a session cluster, and returns when all TaskManagers are there.
   *
   * @throws ClusterException if there is one already, a port is taken, or a part of it doesn't come
   *     up; nothing is left running then
   */
  public void start(ClusterPlan plan) throws IOException, InterruptedException {
    start(plan, (launcher, name) -> launcher.jobManager(name));
  }

  /**
   * Starts a cluster that runs one job and ends with it: Flink's application mode.
   *
   * @param arguments of the job
   * @throws ClusterException as {@link #start}
   */
  public void startApplication(ClusterPlan plan, List<String> arguments)
      throws IOException, InterruptedException {
    start(plan, (launcher, name) -> launcher.application(name, installation.jobJar(), arguments));
  }

  private interface JobManagerCommand {
    List<String> of(Launcher launcher, String name);
  }

  private void start(ClusterPlan plan, JobManagerCommand jobManager)
      throws IOException, InterruptedException {
    if (!files.processes().isEmpty()) {
      throw new ClusterException(
          "There is a cluster in %s already; `millrace cluster stop` ends it"
              .formatted(files.root()));
    }
    PortCheck.require(plan);
    files.create();
    Configuration flink =
        ClusterConfiguration.write(plan, installation.shippedConfiguration(), files, hosts.main());
    try {
      Launcher launcher = launcher(flink);
      if (plan.broker()) {
        launch(BROKER, brokerCommand(plan));
      }
      if (plan.highlyAvailable()) {
        launch(ZOOKEEPER, launcher.zooKeeper(ZOOKEEPER));
      }
      for (int i = 1; i <= plan.jobManagers(); i++) {
        launch(JOB_MANAGER + i, jobManager.of(launcher, JOB_MANAGER + i));
      }
      for (int i = 1; i <= plan.taskManagers(); i++) {
        launch(TASK_MANAGER + i, launcher.taskManager(TASK_MANAGER + i));
      }
      awaitTaskManagers(plan.taskManagers());
    } catch (IOException | InterruptedException | RuntimeException e) {
      stop();
      throw e;
    }
  }

  private List<String> brokerCommand(ClusterPlan plan) {
    return LocalBroker.detachedCommand(
        installation.brokerClassPath(), files.broker(), plan.ports().broker());
  }

  private ManagedProcess launch(String name, List<String> command) throws IOException {
    Map<String, String> environment = new TreeMap<>(DEFAULTS);
    environment.replaceAll(System.getenv()::getOrDefault);
    environment.put("FLINK_CONF_DIR", files.conf().toString());
    environment.put("FLINK_LIB_DIR", installation.home().resolve("lib").toString());
    environment.put(Installation.ENGINES_VARIABLE, installation.engines().toString());
    files.emptyTemporary(name);
    return ManagedProcess.start(name, command, environment, files);
  }

  /**
   * Starts the processes that have died again.
   *
   * @return their names
   */
  public List<String> startMissing() throws IOException {
    List<String> started = new ArrayList<>();
    List<ManagedProcess> known = processes();
    if (known.isEmpty()) {
      return started;
    }
    Launcher launcher = launcher(configuration());
    for (ManagedProcess process : known) {
      String name = process.name();
      if (!process.isAlive()) {
        launch(name, command(launcher, name));
        started.add(name);
      }
    }
    return started;
  }

  private List<String> command(Launcher launcher, String name) {
    if (name.equals(BROKER)) {
      return LocalBroker.detachedCommand(installation.brokerClassPath(), files.broker());
    }
    if (name.startsWith(TASK_MANAGER)) {
      return launcher.taskManager(name);
    }
    return name.equals(ZOOKEEPER) ? launcher.zooKeeper(name) : launcher.jobManager(name);
  }

  private Launcher launcher(Configuration flink) {
    return new Launcher(flink, files, installation, hosts);
  }

  /**
   * Starts a TaskManager that has died again, with other memory than it had.
   *
   * @param memory keys of Flink's configuration
   */
  public void startAnew(String taskManager, Map<String, String> memory) throws IOException {
    Configuration flink = configuration();
    memory.forEach(flink::setString);
    launch(taskManager, launcher(flink).taskManager(taskManager));
  }

  /** A process that runs Flink's own command line against this cluster; not started yet. */
  public ProcessBuilder client(List<String> arguments) {
    ProcessBuilder builder = new ProcessBuilder(launcher(configuration()).client(arguments));
    builder.environment().put("FLINK_CONF_DIR", files.conf().toString());
    return builder;
  }

  /** Flink's, as clients and processes of this cluster read it. */
  public Configuration configuration() {
    if (!Files.exists(files.config())) {
      throw new ClusterException(
          "There is no cluster in %s; `millrace cluster start` starts one".formatted(files.root()));
    }
    return GlobalConfiguration.loadConfiguration(files.conf().toString());
  }

  /**
   * Returns when that many TaskManagers have been heard of.
   *
   * @throws ClusterException if that takes too long, or a process ends
   */
  public void awaitTaskManagers(int count) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    try (ClusterView view = ClusterView.of(configuration())) {
      while (view.overview().map(ClusterView.Overview::taskManagers).orElse(-1) < count) {
        requireAlive();
        if (System.nanoTime() > deadline) {
          throw new ClusterException(
              "The cluster was not up after %s s; its logs are in %s"
                  .formatted(START_LIMIT.toSeconds(), files.logs()));
        }
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
  }

  private void requireAlive() throws IOException {
    for (ManagedProcess process : processes()) {
      if (!process.isAlive()) {
        throw new ClusterException(
            "%s ended before the cluster was up. The end of its log:%n%s"
                .formatted(process.name(), tail(process.name(), TAIL_LINES)));
      }
    }
  }

  /** The last lines that a process has written. */
  public String tail(String process, int lines) {
    List<String> all = new ArrayList<>();
    for (Path file : List.of(files.log(process), files.output(process))) {
      try {
        all.addAll(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList());
      } catch (IOException e) {
        // Nothing was written there.
      }
    }
    return String.join(
        System.lineSeparator(), all.subList(Math.max(0, all.size() - lines), all.size()));
  }

  /** Ends all processes. Files stay, but temporary ones: logs, checkpoints, savepoints. */
  public void stop() throws IOException {
    List<ManagedProcess> all = processes();
    for (int i = all.size() - 1; i >= 0; i--) {
      all.get(i).stop(STOP_LIMIT);
    }
    files.deleteTemporary();
  }
}
