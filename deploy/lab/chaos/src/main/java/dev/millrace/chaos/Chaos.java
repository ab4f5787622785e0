package dev.millrace.chaos;

import dev.millrace.cli.audit.Audit;
import dev.millrace.cli.audit.PartitionAudit;
import dev.millrace.cli.models.StoredModel;
import dev.millrace.cli.models.TopicAudit;
import dev.millrace.exchange.block.ValueBounds;
import dev.millrace.job.train.part.rebuild.RebuildOptions;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.Rate;
import dev.millrace.kafka.topic.TopicCreation;
import dev.millrace.kafka.topic.TopicRecords;
import dev.millrace.model.Partition;
import dev.millrace.snapshot.LatestSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Trains on a topic that is produced meanwhile, on a cluster and a broker of real processes, while
 * one fault after another is caused; then finds out whether the model has each record once, and
 * what its {@link Workload} asks of it.
 */
public final class Chaos {

  private static final String TOPIC = "chaos";
  private static final int PARTITIONS = 2;

  /** Examples after the last fault, so that models are compared where they learn slowly. */
  private static final long CALM = 150_000;

  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Longer than a job takes to recover from anything. */
  private static final Duration REST = Duration.ofMinutes(1);

  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(30);

  /**
   * What to do.
   *
   * @param rate examples a second that are produced
   * @param workload what is trained on
   * @param beside whether programs and SQL train on it, too
   * @param options of the job, beside the usual ones
   */
  public record Settings(
      long seed,
      Duration duration,
      double rate,
      Workload workload,
      boolean beside,
      Path directory,
      Map<String, String> options) {}

  private final Settings settings;
  private final Consumer<String> say;

  /**
   * @param say is told what happens, a line at a time
   */
  public Chaos(Settings settings, Consumer<String> say) {
    this.settings = settings;
    this.say = say;
  }

  /**
   * Does it all, and leaves nothing running.
   *
   * @throws ChaosException if training doesn't go on after a fault
   */
  public ChaosVerdict run() throws IOException, InterruptedException {
    try (ChaosEnvironment ground =
        ChaosEnvironment.prepare(settings.directory(), settings.beside())) {
      return on(ground);
    }
  }

  private ChaosVerdict on(ChaosEnvironment ground) throws IOException, InterruptedException {
    KafkaCluster kafka = KafkaCluster.at(ground.broker().bootstrapServers());
    TopicCreation.ensure(kafka, TOPIC, PARTITIONS, REQUEST_LIMIT);
    JobFiles disturbed = new JobFiles(settings.directory().resolve("disturbed"));
    Map<String, String> options = options(ground, "disturbed");
    options.putAll(RebuildCheck.options(settings.options()));
    Path config = disturbed.write(options, settings.options());
    long begun = System.nanoTime();
    FaultTarget stage = ground.stage(config);
    EnumSet.complementOf(stage.possible())
        .forEach(kind -> say.accept("Left out, since this user may not: " + kind.title()));
    JobsBeside beside = new JobsBeside(ground.jobs());
    if (settings.beside()) {
      beside.submit(
          ground.broker().bootstrapServers(),
          TOPIC,
          settings.directory().toAbsolutePath(),
          options.get("execution.checkpointing.dir"));
    }
    FaultTable table;
    ProgressLog progress = new ProgressLog(disturbed.metrics());
    Rate rate = Rate.perSecond(settings.rate());
    Workload workload = settings.workload();
    try (Feed feed = Feed.start(workload, kafka, TOPIC, settings.seed(), rate, Long.MAX_VALUE)) {
      table = faults(stage, progress, feed);
      feed.end(true);
    }
    table.lines().forEach(say);
    try (Feed more =
        Feed.start(workload, kafka, TOPIC, settings.seed() + 1, Rate.unlimited(), CALM)) {
      more.end(false);
    }
    try (TopicRecords topics = TopicRecords.open(kafka, REQUEST_LIMIT)) {
      long records = topics.offsets(TOPIC);
      if (!progress.awaitRecords(records, REST)) {
        say.accept(
            String.format(
                Locale.ROOT, "No more rounds; the audit says what is missing of %,d", records));
      }
      String savepoint = stage.stop();
      say.accept("Savepoint: " + savepoint);
      StoredModel model = StoredModel.open(savepoint);
      Audit audit = TopicAudit.of(savepoint, null, model, topics, ',', more -> {});
      float[] values = model.vector((blocks, ofBlocks, bytes) -> {});
      LatestSnapshot latest = disturbed.latest(audit.learned(), LIMIT);
      List<String> problems = beside.problems(records, say);
      if (RebuildCheck.isAskedFor(settings.options())) {
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        problems.addAll(RebuildCheck.problems(config, disturbed.models(), took, say));
      }
      problems.addAll(
          workload.judge(
              new Workload.Trained(model, latest, topics, partitions()),
              () -> undisturbed(ground, audit.learned() + audit.rejected()),
              say));
      return new ChaosVerdict(
          table.count(),
          records,
          Math.max(audit.missing(), records - taken(audit)),
          audit.doubled(),
          ValueBounds.areSound(values, values.length),
          audit.learned() - latest.description().learned(),
          problems);
    }
  }

  private FaultTable faults(FaultTarget stage, ProgressLog progress, Feed feed)
      throws IOException, InterruptedException {
    try {
      return new ChaosRun(stage, new FaultPlan(settings.seed(), stage.possible()), progress, say)
          .run(settings.duration());
    } catch (ChaosException e) {
      throw feed.failure().orElse(e);
    }
  }

  private static long taken(Audit audit) {
    return audit.partitions().stream().mapToLong(PartitionAudit::taken).sum();
  }

  /**
   * Trains on the same records again, with nobody interfering.
   *
   * @param records that it learns or rejects; others are held out
   */
  private LatestSnapshot undisturbed(ChaosEnvironment ground, long records)
      throws IOException, InterruptedException {
    say.accept("Training undisturbed on the same records …");
    JobFiles files = new JobFiles(settings.directory().resolve("undisturbed"));
    Map<String, String> options = options(ground, "undisturbed");
    options.put("input.bounded", "true");
    ProgressLog progress = new ProgressLog(files.metrics());
    Map<String, String> given = new TreeMap<>(settings.options());
    // It is another job, and a log is of one.
    given.remove(RebuildOptions.LOG.key());
    ground.jobs().submit(files.write(options, given), PARTITIONS, null);
    if (!progress.awaitRecords(records, REST)) {
      throw new ChaosException(
          String.format(
              Locale.ROOT,
              "The undisturbed job makes no round any more, at %,d examples of %,d",
              progress.latest().examples(),
              records));
    }
    return files.latest(records, LIMIT);
  }

  private static List<Partition> partitions() {
    return IntStream.range(0, PARTITIONS).mapToObj(number -> new Partition(TOPIC, number)).toList();
  }

  private Map<String, String> options(ChaosEnvironment ground, String group) {
    Map<String, String> options = new TreeMap<>(settings.workload().options());
    options.put("kafka.bootstrap.servers", ground.broker().bootstrapServers());
    options.put("kafka.group.id", group);
    options.put("input.topics", TOPIC);
    options.put("execution.checkpointing.interval", "1 s");
    options.put("execution.checkpointing.dir", "file://" + ground.checkpoints().directory());
    return options;
  }
}
