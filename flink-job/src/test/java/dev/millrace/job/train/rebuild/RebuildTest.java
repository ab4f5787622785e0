package dev.millrace.job.train.rebuild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.exchange.flink.replica.HookSettings;
import dev.millrace.exchange.flink.replica.ReplicaSettings;
import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Away;
import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.log.LogEntry.Forgotten;
import dev.millrace.exchange.log.LogEntry.Round;
import dev.millrace.exchange.log.LogEntry.Start;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.job.options.CheckedOptions;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.JobSetup;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.train.TrainingSettings;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

/** Logs that are written by hand are followed, for what jobs do by chance alone. */
class RebuildTest {

  /** Records of a contribution, which is one minibatch. */
  private static final int MINIBATCH = 8;

  /** A number that no model can compute with. */
  private static final float TOO_MUCH = 3e38f;

  private static final Away NOBODY = new Away(new BitSet(), new BitSet(), new BitSet());

  private final Map<String, String> options =
      new TreeMap<>(
          Map.of(
              "kafka.bootstrap.servers", "localhost:9092",
              "input.topics", "t",
              "input.features", "8",
              "input.outputs", "3",
              "model.name", "mlp",
              "batch.local-size", Integer.toString(MINIBATCH),
              "input.standardize", "off",
              "exchange.learning-rate-scaling", "none",
              "rebuild.log", "log"));

  private final LogEntries log = new LogEntries();

  private static ModelVersion version(String text) {
    return ModelVersion.parse(text);
  }

  private void start(String version, String fromOrNull, int replicas, int readers) {
    log.add(
        new Start(
            version(version), fromOrNull == null ? null : version(fromOrNull), replicas, readers));
  }

  private void round(String version, Contributed... members) {
    log.add(new Round(version(version), List.of(members), List.of(), NOBODY, false));
  }

  /** Knows the newest round, and learns its replica's next records. */
  private static Contributed member(int replica, int sequence, long generation, String first) {
    String text = first + " @t %s:%s+8 d".formatted(replica, (sequence - 1) * MINIBATCH);
    return new Contributed(replica, sequence, generation, text);
  }

  /** A contribution of replica 0 waits when records are forgotten, and the job goes on. */
  private void forgetOnce(RecordRun records) {
    start("1.0", null, 2, 2);
    round("1.1", member(0, 1, 1, "b0 h0"), member(1, 1, 1, "b0 h0"));
    round("1.2", member(0, 2, 1, "b1 h1"), member(1, 2, 1, "b1 h1"));
    log.add(new Forgotten(version("2.2"), version("1.2"), List.of(records)));
    start("3.2", "2.2", 2, 2);
    round("3.3", member(0, 3, 1, "b2 h2"), member(1, 3, 3, "(1 b2 h2 ) r1 b2 h2"));
    round("3.4", member(0, 4, 3, "(0 ) r0 b2 h2 b3 h3"), member(1, 4, 3, "b3 h3"));
  }

  /** Whoever forgets more has made fewer contributions than the one who forgot less. */
  @Test
  void aWholeContributionMayBeForgottenBehindAnotherTime() throws Exception {
    RecordRun first = new RecordRun("t", 1, 9, 1);
    forgetOnce(first);
    RecordRun second = new RecordRun("t", 0, 0, MINIBATCH);

    GlobalModel model = follow("3.4", RecordSet.of(List.of(first, second)));

    assertThat(model.version()).isEqualTo(version("3.4"));
    assertThat(learned(model, 0)).isEqualTo(new Learned(3 * MINIBATCH, sum(8, 32)));
    assertThat(learned(model, 1)).isEqualTo(new Learned(4 * MINIBATCH - 1, sum(0, 32) - 9));
  }

  /** The log behind the first time counts without the contribution, as it is made again here. */
  @Test
  void aWholeContributionWasForgotten() throws Exception {
    RecordRun first = new RecordRun("t", 0, 0, MINIBATCH);
    start("1.0", null, 2, 2);
    round("1.1", member(0, 1, 1, "b0 h0"), member(1, 1, 1, "b0 h0"));
    round("1.2", member(0, 2, 1, "b1 h1"), member(1, 2, 1, "b1 h1"));
    log.add(new Forgotten(version("2.2"), version("1.2"), List.of(first)));
    start("3.2", "2.2", 2, 2);
    round(
        "3.3",
        new Contributed(0, 2, 1, member(0, 3, 1, "b2 h2").log()),
        member(1, 3, 3, "(1 b2 h2 ) r1 b2 h2"));

    GlobalModel model = follow("3.3", RecordSet.of(List.of(first)));

    assertThat(learned(model, 0)).isEqualTo(new Learned(2 * MINIBATCH, sum(8, 24)));
    assertThat(learned(model, 1)).isEqualTo(new Learned(3 * MINIBATCH, sum(0, 24)));
  }

  /** Without a record the contribution that was refused for it is one, too. */
  @Test
  void whoeverFollowsAContributionThatBecameTwoMakesEachOnce() throws Exception {
    RecordRun unusable = new RecordRun("t", 0, MadeExamples.UNUSABLE, 1);
    RecordSet forgotten = RecordSet.of(List.of(unusable));
    start("1.0", null, 1, 1);
    Contributed two = new Contributed(0, 1, 1, "b0 h0 @t 0:96+8 d 0:104+8 d");
    Tail tail = new Tail(List.of(two), new TreeMap<>(), new BitSet());
    LogChain chain = LogChain.to(version("1.0"), log);
    List<Contributed> underWay;
    try (Rebuild rebuild =
        new Rebuild(settings(), chain, Optional.empty(), MadeExamples::new, forgotten, tail)) {
      RebuildJob.follow(rebuild, chain, (made, done, all, model) -> true);
      rebuild.finish();
      underWay = rebuild.underWay();
    }
    assertThat(underWay).hasSize(2);

    log.add(new Forgotten(version("2.0"), version("1.0"), List.of(unusable)));
    start("3.0", "2.0", 1, 1);
    round("3.1", underWay.get(0));
    round("3.2", underWay.get(1));

    LogChain behind = LogChain.to(version("3.2"), log);
    try (Rebuild rebuild =
        new Rebuild(
            settings(), behind, Optional.empty(), MadeExamples::new, forgotten, Tail.NONE)) {
      RebuildJob.follow(rebuild, behind, (made, done, all, model) -> true);
      assertThat(rebuild.underWay()).isEmpty();
      assertThat(learned(rebuild.model(), 0))
          .isEqualTo(new Learned(2 * MINIBATCH - 1, sum(96, 112) - MadeExamples.UNUSABLE));
    }
  }

  /** The rest of a minibatch would be learned with the next one. */
  @Test
  void minibatchesOfTheLogThatAreTooLargeAreRefused() {
    options.put("batch.local-size", Integer.toString(MINIBATCH / 2));
    start("1.0", null, 1, 1);
    round("1.1", member(0, 1, 1, "b0 h0"));

    assertThatThrownBy(() -> follow("1.1", new RecordSet()))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("has 8 records, of t-0 from 0 on")
        .hasMessageContaining("it has 4 at most")
        .hasMessageContaining("--from");
  }

  @Test
  void otherReadersAreToldBeforeAnythingIsMade() {
    start("1.0", null, 4, 2);
    round("1.1", member(0, 1, 1, "b0 h0"));
    start("2.1", "1.1", 4, 4);

    RebuildJob job = new RebuildJob(OptionReader.configuration(options));
    List<ModelVersion> made = new ArrayList<>();
    assertThatThrownBy(
            () ->
                job.make(
                    LogChain.to(version("2.1"), log),
                    Optional.empty(),
                    (one, done, all, model) -> made.add(one)))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("From version 2.1 on 4 of 4 replicas")
        .hasMessageContaining("and 2 at another time")
        .hasMessageContaining("--from");
    assertThat(made).isEmpty();
  }

  /** It has nothing to read, in any attempt. */
  @Test
  void aReplicaThatContributesNothingHasOneModel() throws Exception {
    start("1.0", null, 3, 2);
    round("1.1", member(0, 1, 1, "b0 h0"), member(1, 1, 1, "b0 h0"));
    String from = "1.1";
    for (int round = 2; round < 6; round++) {
      start(round + "." + (round - 1), from, 3, 2);
      String restored = "(%s ) r%s b%s h%s".formatted("%1$s", "%1$s", round - 1, round - 1);
      round(
          round + "." + round,
          member(0, round, round, restored.formatted(0)),
          member(1, round, round, restored.formatted(1)));
      from = round + "." + round;
    }
    CountedModels.REPLICAS.clear();

    GlobalModel model = follow("5.5", new RecordSet());

    assertThat(model.ledger().learnedCount()).isEqualTo(2 * 5 * MINIBATCH);
    assertThat(CountedModels.REPLICAS).containsOnlyOnce(2).filteredOn(one -> one == 0).hasSize(5);
  }

  /** Nothing is kept of a replica that nobody asks for any more. */
  @Test
  void anAttemptIsKeptAsLongAsSomethingIsAskedOfIt() throws Exception {
    start("1.0", null, 2, 2);
    round("1.1", member(0, 1, 1, "b0 h0"), member(1, 1, 1, "b0 h0"));
    start("2.1", "1.1", 2, 2);
    round("2.2", member(0, 2, 2, "(0 ) r0 b1 h1"));
    round("2.3", member(0, 3, 2, "b2 h2"), member(1, 2, 2, "(1 ) r1 b1 h1 b2 h2"));
    List<LogEntry> entries = LogChain.to(version("2.3"), log).entries();
    AskedReplicas asked = AskedReplicas.of(1, entries, Tail.NONE, 1);
    ReplicaSettings settings = settings().replica();
    try (Lanes lanes = new Lanes(2)) {
      Attempt first = new Attempt(lanes, null, 1, 2, (of, number) -> replica(settings, of, number));
      Attempt next = new Attempt(lanes, first, 2, 2, (of, number) -> replica(settings, of, number));

      next.prune(asked, 2);
      assertThat(next.replica(1, 1)).isSameAs(first.replicas().get(1));
      next.prune(asked, 3);
      assertThatThrownBy(() -> next.replica(0, 1)).isInstanceOf(UnusableLogException.class);
      assertThat(next.replica(1, 1)).isSameAs(first.replicas().get(1));
      next.prune(asked, 4);
      assertThatThrownBy(() -> next.replica(1, 1)).isInstanceOf(UnusableLogException.class);
      assertThat(next.replica(1, 2)).isSameAs(next.replicas().get(1));
    }
  }

  private static RebuiltReplica replica(ReplicaSettings settings, Attempt attempt, int number) {
    return new RebuiltReplica(
        settings, attempt, number, 2, new RecentRounds(), new MadeExamples(), new RecordSet());
  }

  private GlobalModel follow(String version, RecordSet forgotten) throws IOException {
    LogChain chain = LogChain.to(version(version), log);
    try (Rebuild rebuild =
        new Rebuild(settings(), chain, Optional.empty(), MadeExamples::new, forgotten, Tail.NONE)) {
      RebuildJob.follow(rebuild, chain, (made, done, all, model) -> true);
      return rebuild.model();
    }
  }

  private TrainingSettings settings() {
    CheckedOptions checked =
        JobOptions.check(
            JobKind.TRAINING, OptionReader.configuration(options), new Configuration());
    TrainingSettings settings = JobSetup.settings(checked.values(), 2);
    ReplicaSettings replica = settings.replica();
    List<ReplicaHookFactory> factories =
        Stream.concat(
                replica.hooks().factories().stream(),
                Stream.<ReplicaHookFactory>of(new CountedModels()))
            .toList();
    return new TrainingSettings(
        settings.initial(),
        new ReplicaSettings(
            replica.spec(),
            replica.layout(),
            replica.device(),
            replica.batching(),
            replica.rules(),
            replica.rates(),
            replica.examples(),
            new HookSettings(
                factories, replica.hooks().signals(), replica.hooks().detailsInterval())),
        settings.coordinator(),
        settings.publisher(),
        settings.aggregator(),
        settings.serverOptimizer(),
        settings.feedback(),
        settings.averaging(),
        settings.loops(),
        settings.options());
  }

  private record Learned(long count, long offsets) {}

  private static Learned learned(GlobalModel model, int partition) {
    Ledger.Span span = model.ledger().entries().get(new Partition("t", partition)).learned();
    return new Learned(span.count(), span.offsetSum());
  }

  private static long sum(long first, long end) {
    return (end * (end - 1) - first * (first - 1)) / 2;
  }

  /** Notes of which replica a model is made. */
  private static final class CountedModels implements ReplicaHookFactory {

    private static final long serialVersionUID = 1;

    static final List<Integer> REPLICAS = Collections.synchronizedList(new ArrayList<>());

    @Override
    public ReplicaHook hook(HookContext context) {
      REPLICAS.add(context.index());
      return new ReplicaHook() {};
    }
  }

  /** Each record follows from its place. */
  private static final class MadeExamples implements LoggedExamples {

    /** No model can compute with its features. */
    static final long UNUSABLE = 100;

    @Override
    public Partition partition(String topic, int number) {
      return new Partition(topic, number);
    }

    @Override
    public void read(RecordRun run, Consumer<Received> reader) {
      for (long offset = run.first(); offset < run.end(); offset++) {
        Example example = new Blobs(1_000L * run.partition() + offset).next();
        if (offset == UNUSABLE) {
          Arrays.fill(example.features(), TOO_MUCH);
        }
        example.setOrigin(partition(run.topic(), run.partition()), offset);
        reader.accept(example);
      }
    }

    @Override
    public void close() {}
  }
}
