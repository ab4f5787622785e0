package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.stack.Checkout;
import dev.millrace.benchmark.stack.Cluster;
import dev.millrace.benchmark.workload.Workload;
import dev.millrace.benchmark.workload.WorkloadData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Examples a second, of all that one could train with on this machine. */
public final class Peers {

  private static final String FIT = "plain fit";
  private static final String WRAPPER = "ParallelWrapper, averaging";
  private static final String SHARED = "ParallelWrapper, shared gradients";
  private static final String SPARK = "DL4J on Spark";
  private static final String SPARK_TUNED = "DL4J on Spark, tuned";
  private static final String LIMIT = "two threads, no exchange";

  /** What the others are given as ratios to. */
  private static final Map<String, String> REFERENCES = references();

  /**
   * Memory for the greatest of the models, of 2.4 million values: 40 bytes each, and more for
   * natives.
   */
  static final Map<String, String> MEMORY =
      Map.of(
          "taskmanager.memory.task.heap.size", "768mb",
          "taskmanager.memory.task.off-heap.size", "512mb");

  private final Lab lab;
  private final Set<String> wanted;

  /**
   * Compares them at some workloads.
   *
   * @param wanted names of workloads; all where it is empty
   */
  public Peers(Lab lab, Set<String> wanted) {
    this.lab = lab;
    this.wanted = wanted;
  }

  public void measure() throws IOException {
    Path files = lab.directory("peers");
    try (Cluster cluster =
        Cluster.start(lab.checkout(), lab.directory("peers-cluster"), 1, 2, MEMORY)) {
      List<Contender> contenders = contenders(files, cluster);
      for (Workload workload : Workload.all()) {
        if (wanted.isEmpty() || wanted.contains(workload.name())) {
          prepare(workload, files, cluster);
          measure(workload, contenders);
        }
      }
    }
  }

  private static Map<String, String> references() {
    Map<String, String> references = new LinkedHashMap<>();
    references.put(FIT, "of plain fit");
    references.put(WRAPPER, "of ParallelWrapper");
    references.put(LIMIT, "of the limit");
    return references;
  }

  private void measure(Workload workload, List<Contender> contenders) throws IOException {
    Page page = lab.page("peers-" + workload.name(), workload.title());
    page.paragraph(
        """
        Examples per second, medians of %s turns, with minimum and maximum, under the \
        [conditions](README.md#conditions) of all comparisons with peers. "%s" is the limit: two \
        networks that share nothing.\
        """
            .formatted(lab.repetitions(), LIMIT));
    Turns turns =
        Turns.of(lab, workload, contenders, List.of(contenders.get(contenders.size() - 1)));
    turns.report(page, REFERENCES);
    page.bars("rates", workload.title(), "examples/s", List.of(workload.title()), turns.medians());
    page.write();
  }

  private List<Contender> contenders(Path files, Cluster cluster) {
    Checkout checkout = lab.checkout();
    int seconds = (int) lab.scaled(12);
    List<Contender> all = new ArrayList<>();
    all.add(new ProcessContender(FIT, files, peer(checkout, "plain-fit"), seconds));
    all.add(new ProcessContender(WRAPPER, files, peer(checkout, "parallel-wrapper"), seconds));
    all.add(
        new ProcessContender(
            SHARED, files, peer(checkout, "parallel-wrapper-shared-gradients"), seconds));
    all.add(new ProcessContender(SPARK, files, spark(checkout, "as-it-comes"), seconds));
    all.add(new ProcessContender(SPARK_TUNED, files, spark(checkout, "tuned"), seconds));
    all.add(new ProcessContender(LIMIT, files, peer(checkout, "limit"), seconds));
    all.add(
        new MillraceContender(
            "Millrace, sync", cluster, Map.of("exchange.preset", "parameter-averaging")));
    all.add(
        new MillraceContender(
            "Millrace, overlap", cluster, Map.of("exchange.preset", "overlap-averaging")));
    all.add(
        new MillraceContender(
            "Millrace, gradient-sharing", cluster, Map.of("exchange.preset", "gradient-sharing")));
    return all;
  }

  /** Returns the command of the peers that need no Spark. */
  static List<String> peer(Checkout checkout, String name) {
    return List.of(
        "java",
        "-Xmx4g",
        "-cp",
        checkout.classPath("deploy/lab/benchmark/peers"),
        "dev.millrace.benchmark.peer.PeerMain",
        name);
  }

  private static List<String> spark(Checkout checkout, String how) {
    return List.of(
        "java",
        "-Xmx4g",
        "@" + checkout.root().resolve("deploy/lab/benchmark/spark/src/main/jvm.options"),
        "-cp",
        checkout.classPath("deploy/lab/benchmark/spark"),
        "dev.millrace.benchmark.spark.SparkMain",
        how);
  }

  private void prepare(Workload workload, Path files, Cluster cluster) throws IOException {
    WorkloadData data = WorkloadData.of(workload);
    PeerFiles.write(
        workload, data.examples(), Files.createDirectories(files.resolve(workload.name())));
    data.produce(
        cluster.bootstrapServers(),
        workload.name(),
        2,
        workload.format(),
        lab.scaled(workload.inTopic()));
  }
}
