package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.report.Figures;
import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.report.Samples;
import dev.millrace.benchmark.report.Table;
import dev.millrace.benchmark.stack.Cluster;
import dev.millrace.benchmark.stack.TrainingRun;
import dev.millrace.benchmark.workload.WorkloadData;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Measures the path from Kafka to the minibatch, with a model that learns nothing. */
public final class InputPath {

  /** Examples in the topic of each format: enough to be read for half a minute. */
  private static final Map<String, Long> FORMATS = formats();

  private static final ExampleShape SHAPE = new ExampleShape(54, 7, Target.CLASSIFICATION);
  private static final String BARE = "a bare KafkaConsumer that counts";

  private final Lab lab;
  private final Set<String> wanted;

  /**
   * Measures some formats.
   *
   * @param wanted names of formats, those of named fields begin with {@code fields-}; all where it
   *     is empty
   */
  public InputPath(Lab lab, Set<String> wanted) {
    this.lab = lab;
    this.wanted = wanted;
  }

  private static Map<String, Long> formats() {
    Map<String, Long> formats = new LinkedHashMap<>();
    formats.put("float32", 16_000_000L);
    formats.put("uint8", 16_000_000L);
    formats.put("csv", 5_000_000L);
    formats.put("json", 5_000_000L);
    return formats;
  }

  public void measure() throws IOException {
    Page page = lab.page("input", "The input path alone");
    page.paragraph(
        """
        Examples of 54 features per second, from a topic of two partitions into minibatches of 32, \
        without learning: a job of two replicas on a cluster of processes, with checkpoints every \
        5 s. For comparison, two of Kafka's own consumers count the same records. Medians of %s \
        runs, with minimum and maximum.\
        """
            .formatted(lab.repetitions()));
    Map<String, Samples> job = new LinkedHashMap<>();
    Map<String, Samples> bare = new LinkedHashMap<>();
    try (Cluster cluster = Cluster.start(lab.checkout(), lab.directory("input"), 1, 2, Map.of())) {
      WorkloadData data = WorkloadData.rows(SHAPE, 50_000);
      for (Map.Entry<String, Long> format : FORMATS.entrySet()) {
        String topic = format.getKey();
        if (!wanted.isEmpty() && !wanted.contains(topic)) {
          continue;
        }
        long count = lab.scaled(format.getValue());
        data.produce(cluster.bootstrapServers(), topic, 2, topic, count);
        for (int turn = 0; turn < lab.repetitions(); turn++) {
          double rate = examplesPerSecond(cluster, topic, turn);
          job.computeIfAbsent(topic, any -> new Samples()).add(rate);
          double counted =
              BareConsumer.recordsPerSecond(cluster.bootstrapServers(), topic, 2, count);
          bare.computeIfAbsent(topic, any -> new Samples()).add(counted);
          lab.say(
              "%s: %s examples/s; %s: %s"
                  .formatted(topic, Figures.plain(rate), BARE, Figures.plain(counted)));
        }
      }
      if (!job.isEmpty()) {
        report(page, job, bare);
      }
      new FieldsInput(lab, cluster, wanted).measure(page);
    }
    page.write();
  }

  private static double examplesPerSecond(Cluster cluster, String format, int turn) {
    return new TrainingRun(cluster, "input-%s-%s".formatted(format, turn))
        .still(1)
        .set("input.topics", format)
        .set("input.format", format)
        .set("input.features", Integer.toString(SHAPE.features()))
        .set("input.outputs", Integer.toString(SHAPE.outputs()))
        .set("input.standardize", "off")
        .set("batch.local-size", "32")
        .set("exchange.schedule", "overlap")
        .set("exchange.interval", "50 ms")
        .run()
        .examplesPerSecond();
  }

  private static void report(Page page, Map<String, Samples> job, Map<String, Samples> bare)
      throws IOException {
    Table table = new Table("format", "examples/s", BARE + ", records/s", "ratio");
    Map<String, List<Double>> bars = new LinkedHashMap<>();
    job.forEach(
        (format, samples) -> {
          Samples counted = bare.get(format);
          table.row(
              "`" + format + "`",
              Figures.range(samples),
              Figures.range(counted),
              Figures.ratio(samples.median() / counted.median()));
          bars.computeIfAbsent("Millrace", any -> new ArrayList<>()).add(samples.median());
          bars.computeIfAbsent(BARE, any -> new ArrayList<>()).add(counted.median());
          page.samples(format, "examples/s", samples)
              .samples(format + ", counted", "records/s", counted);
        });
    page.table(table)
        .bars(
            "formats", "From Kafka to the minibatch", "a second", List.copyOf(job.keySet()), bars);
  }
}
