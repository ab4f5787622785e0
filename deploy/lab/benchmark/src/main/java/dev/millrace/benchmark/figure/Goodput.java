package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.stack.Cluster;
import dev.millrace.benchmark.stack.RunningJob;
import dev.millrace.benchmark.stack.TrainingRun;
import dev.millrace.benchmark.workload.Workload;
import dev.millrace.benchmark.workload.WorkloadData;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * How much of its rate a job keeps while its processes are killed: goodput. One job has quiet times
 * and times of kills in turns, so that what else the machine does hits them alike.
 */
public final class Goodput {

  private static final int REPLICAS = 4;
  private static final int PARTITIONS = 4;

  /** One more than four replicas need, with two slots each. */
  private static final int TASK_MANAGERS = 3;

  /** The compiler needs so long for all that replicas and their exchange do. */
  private static final long WARM_UP_SECONDS = 120;

  private static final double SPELL_SECONDS = 300;

  /** Workloads, with more examples a second than jobs have been seen to learn. */
  private static final Map<String, Long> MOST_A_SECOND =
      Map.of("lenet-32", 6_000L, "table-32", 60_000L);

  /** The processes that are killed in a spell. */
  private enum Kills {
    NONE("nothing", 30),
    TASK_MANAGER("a TaskManager each 30 s", 30),
    JOB_MANAGER("the JobManager each 60 s", 60);

    private final String title;
    private final long everySeconds;

    Kills(String title, long everySeconds) {
      this.title = title;
      this.everySeconds = everySeconds;
    }
  }

  private static final List<Kills> TURN =
      List.of(Kills.NONE, Kills.TASK_MANAGER, Kills.NONE, Kills.JOB_MANAGER);

  private final Lab lab;
  private final Set<String> wanted;

  /**
   * @param wanted names of workloads; none for all
   */
  public Goodput(Lab lab, Set<String> wanted) {
    this.lab = lab;
    this.wanted = wanted;
  }

  public void measure() throws IOException {
    for (Workload workload : Workload.all()) {
      if (MOST_A_SECOND.containsKey(workload.name())
          && (wanted.isEmpty() || wanted.contains(workload.name()))) {
        measure(workload);
      }
    }
  }

  private void measure(Workload workload) throws IOException {
    Page page = lab.page("goodput-" + workload.name(), "Goodput: " + workload.title());
    page.paragraph(
        """
        %s replicas on %s TaskManagers with two slots each, `sync`, a checkpoint each second, on the \
        machine's processors together. A killed process is started again at once, which takes of these, too. \
        Spells of %s s take turns in one job; goodput is the rate of a kind of spell beside the quiet ones."""
            .formatted(REPLICAS, TASK_MANAGERS, spellSeconds()));
    long seconds = WARM_UP_SECONDS + spellSeconds() * TURN.size() * lab.repetitions();
    try (Cluster cluster =
        Cluster.startHighlyAvailable(
            lab.checkout(),
            lab.directory("goodput-" + workload.name()),
            TASK_MANAGERS,
            2,
            Peers.MEMORY)) {
      WorkloadData.of(workload)
          .produce(
              cluster.bootstrapServers(),
              workload.name(),
              PARTITIONS,
              workload.format(),
              seconds * MOST_A_SECOND.get(workload.name()));
      RunningJob job =
          new TrainingRun(cluster, "goodput")
              .setAll(workload.options())
              .set("batch.local-size", Integer.toString(workload.batch()))
              .set("execution.checkpointing.interval", "1 s")
              .set("input.bounded", "false")
              .replicas(REPLICAS)
              .start();
      job.awaitStart();
      TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
      Spells spells = disturb(job);
      spells.report(page, job.stopAndAudit());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }

  private long spellSeconds() {
    return lab.scaled((long) SPELL_SECONDS);
  }

  private Spells disturb(RunningJob job) throws IOException, InterruptedException {
    Random random = new Random(1);
    Spells spells = new Spells(Kills.NONE.title);
    for (int turn = 0; turn < lab.repetitions(); turn++) {
      for (Kills kind : TURN) {
        long began = System.currentTimeMillis();
        long end = began + TimeUnit.SECONDS.toMillis(spellSeconds());
        for (long next = began; next < end; next += TimeUnit.SECONDS.toMillis(kind.everySeconds)) {
          TimeUnit.MILLISECONDS.sleep(Math.max(0, next - System.currentTimeMillis()));
          spells.begin(kind.title, kill(kind, job, random));
        }
        TimeUnit.MILLISECONDS.sleep(Math.max(0, end - System.currentTimeMillis()));
        spells.end(kind.title, began, end, job.progress());
      }
    }
    return spells;
  }

  /** Returns when it was done. */
  private static long kill(Kills kind, RunningJob job, Random random)
      throws IOException, InterruptedException {
    return switch (kind) {
      case NONE -> System.currentTimeMillis();
      case TASK_MANAGER -> job.killTaskManager(random);
      case JOB_MANAGER -> job.killJobManager();
    };
  }
}
