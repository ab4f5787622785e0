package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.stack.Checkout;
import dev.millrace.benchmark.stack.Cluster;
import dev.millrace.benchmark.workload.Workload;
import dev.millrace.benchmark.workload.WorkloadData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Examples a second of both engines: each job from Kafka beside the engine's own library on as many
 * threads, and beside its replicas without a job. All of a turn in one run.
 */
public final class Engines {

  static final String DL4J = "dl4j";
  static final String TORCH = "torch";

  private static final String DL4J_LIMIT = "DL4J, two threads, no exchange";
  private static final String DL4J_JOB = "Millrace with dl4j, sync";
  private static final String TORCH_FIT = "libtorch, one thread";
  private static final String TORCH_LIMIT = "libtorch, two threads, no exchange";
  private static final String TORCH_REPLICAS = "two replicas of torch, no exchange";

  private final Lab lab;
  private final Set<String> wanted;

  /**
   * Compares them at some workloads.
   *
   * @param wanted names of workloads; all where it is empty
   */
  public Engines(Lab lab, Set<String> wanted) {
    this.lab = lab;
    this.wanted = wanted;
  }

  public void measure() throws IOException {
    Path files = lab.directory("engines");
    try (Cluster cluster =
        Cluster.start(lab.checkout(), lab.directory("engines-cluster"), 1, 2, Peers.MEMORY)) {
      List<Contender> contenders = contenders(files, cluster);
      List<Contender> jobs = List.of(contenders.get(1), contenders.get(contenders.size() - 1));
      for (Workload workload : Workload.all()) {
        if (wanted.isEmpty() || wanted.contains(workload.name())) {
          prepare(workload, files, cluster);
          write(workload, Turns.of(lab, workload, contenders, jobs));
        }
      }
    }
  }

  private List<Contender> contenders(Path files, Cluster cluster) {
    Checkout checkout = lab.checkout();
    int seconds = (int) lab.scaled(12);
    List<Contender> all = new ArrayList<>();
    all.add(new ProcessContender(DL4J_LIMIT, files, Peers.peer(checkout, "limit"), seconds));
    all.add(job(DL4J_JOB, cluster, DL4J, "parameter-averaging"));
    all.add(job("Millrace with dl4j, overlap", cluster, DL4J, "overlap-averaging"));
    all.add(new ProcessContender(TORCH_FIT, files, Peers.peer(checkout, "torch-fit"), seconds));
    all.add(new ProcessContender(TORCH_LIMIT, files, Peers.peer(checkout, "torch-limit"), seconds));
    all.add(new ProcessContender(TORCH_REPLICAS, files, replicas(checkout), seconds));
    all.add(job("Millrace with torch, sync", cluster, TORCH, "parameter-averaging"));
    all.add(job("Millrace with torch, overlap", cluster, TORCH, "overlap-averaging"));
    return all;
  }

  private static Contender job(String title, Cluster cluster, String engine, String preset) {
    return new MillraceContender(
        title,
        cluster,
        workload ->
            Map.of(
                "input.topics", topic(workload, engine),
                "model.engine", engine,
                "exchange.preset", preset));
  }

  private static List<String> replicas(Checkout checkout) {
    return List.of(
        "java",
        "-Xmx4g",
        "-cp",
        checkout.classPath("deploy/lab/benchmark"),
        "dev.millrace.benchmark.replica.ReplicaMain",
        TORCH);
  }

  private void prepare(Workload workload, Path files, Cluster cluster) throws IOException {
    WorkloadData data = WorkloadData.of(workload);
    PeerFiles.writeTorch(workload, data.examples(), files.resolve(workload.name()));
    for (String engine : List.of(DL4J, TORCH)) {
      data.produce(
          cluster.bootstrapServers(),
          topic(workload, engine),
          2,
          workload.format(),
          lab.scaled(inTopic(workload, engine)));
    }
  }

  /** Returns the examples in a topic: so many that the jobs of both engines take about as long. */
  private static long inTopic(Workload workload, String engine) {
    return engine.equals(TORCH) ? workload.inTopicOfTorch() : workload.inTopic();
  }

  private static String topic(Workload workload, String engine) {
    return workload.name() + "-" + engine;
  }

  private void write(Workload workload, Turns turns) throws IOException {
    Page page = lab.page("engines-" + workload.name(), workload.title() + ", both engines");
    page.paragraph(
        """
        Examples per second, medians of %s turns, with minimum and maximum, under the \
        [conditions](README.md#conditions) of all comparisons with peers. The limit of an engine \
        are two networks of its own library that share nothing.\
        """
            .formatted(lab.repetitions()));
    Map<String, String> references = new LinkedHashMap<>();
    references.put(DL4J_LIMIT, "of DL4J's limit");
    references.put(DL4J_JOB, "of the dl4j job, sync");
    references.put(TORCH_LIMIT, "of libtorch's limit");
    references.put(TORCH_REPLICAS, "of torch's replicas");
    turns.report(page, references);
    page.bars("rates", workload.title(), "examples/s", List.of(workload.title()), turns.medians());
    page.write();
  }
}
