package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.job.follow.AgreeingModels;
import dev.millrace.job.follow.ModelPlace;
import dev.millrace.job.follow.ModelWatch;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.score.setup.ScoringSetup;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.EachEngine;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.models.ModelTopic;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.Rollback;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotState;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.testing.SigningKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Predictions by updates of models that a running job publishes. */
class UpdatesIT {

  private static final Duration POLL = Duration.ofMillis(200);

  @TempDir private Path directory;

  private final String updates = "updates-" + UUID.randomUUID();
  private final Followed followed = new Followed();
  private ModelWatch watch;

  /** What whoever predicts is given. */
  private static final class Followed implements ModelWatch.Listener {

    final ConcurrentLinkedDeque<ServedModel> models = new ConcurrentLinkedDeque<>();
    final Queue<String> refused = new ConcurrentLinkedDeque<>();
    final AtomicReference<Throwable> failure = new AtomicReference<>();

    @Override
    public void publish(ServedModel model) {
      models.add(model);
    }

    @Override
    public void refuse(String why) {
      refused.add(why);
    }

    @Override
    public void fail(Throwable cause) {
      failure.set(cause);
    }

    boolean hasSince(ModelVersion version) {
      ServedModel newest = models.peekLast();
      return newest != null && newest.version().compareTo(version) > 0;
    }
  }

  private Job job(String topic) {
    return new Job(topic, directory)
        .set("input.bounded", "false")
        .set("exchange.local-steps", "1")
        .set("snapshot.rounds", "15")
        .set("snapshot.keep", "1000")
        .set("updates.topic", updates)
        .set("updates.interval", "1 ms");
  }

  private void watch(ModelPlace place) {
    watch = ModelWatch.start(place, new AgreeingModels(place), POLL, followed);
  }

  @AfterEach
  void stop() {
    watch.close();
  }

  private ModelPlace place(TestEngine engine, Map<String, String> more) {
    Configuration options = new Configuration();
    options.setString("kafka.bootstrap.servers", Broker.cluster().bootstrapServers());
    options.setString("updates.topic", updates);
    options.setString("model.engine", engine.option());
    more.forEach(options::setString);
    return ScoringSetup.models(options);
  }

  private Map<String, String> inDirectory() {
    return Map.of("scoring.models", directory.resolve("models").toString());
  }

  private static void produce(String topic, int partition, int count) throws Exception {
    Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(count)));
  }

  private NavigableSet<ModelVersion> whole() throws Exception {
    return catalog().versions();
  }

  private SnapshotCatalog catalog() {
    return new SnapshotCatalog(SnapshotStore.directory(directory.resolve("models")));
  }

  /** Whether a version is served that isn't there as a whole model. */
  private boolean anUpdateIsServed() throws Exception {
    NavigableSet<ModelVersion> whole = whole();
    return followed.models.stream().anyMatch(model -> !whole.contains(model.version()));
  }

  /** Over failures, from a directory. */
  @EachEngine
  void whatIsServedOnlyGrowsAndEndsAsTheLastModel(TestEngine engine) throws Exception {
    long seed = Seeds.next();
    String topic = Broker.topic(2);
    SeededFaults faults = new SeededFaults(seed, 3, 16);
    Job job = job(topic).engine(engine).faults(faults);
    watch(place(engine, inDirectory()));
    JobClient client = job.start();
    for (int batch = 1; batch <= 4; batch++) {
      produce(topic, 0, 8 * 50);
      produce(topic, 1, 8 * 50);
      long all = batch * 2L * 8 * 50;
      job.await(() -> job.taken() >= all);
    }
    faults.end();
    job.await(this::anUpdateIsServed);
    job.stop(client, true);
    ModelVersion last = job.description().version();
    await()
        .atMost(Job.LIMIT)
        .until(
            () -> !followed.models.isEmpty() && followed.models.peekLast().version().equals(last));

    List<ServedModel> models = List.copyOf(followed.models);
    assertThat(followed.refused).isEmpty();
    assertThat(followed.failure).hasNullValue();
    for (int i = 1; i < models.size(); i++) {
      assertThat(models.get(i).version())
          .as("seed %s", seed)
          .isGreaterThanOrEqualTo(models.get(i - 1).version());
    }
    assertThat(models.get(models.size() - 1).parameters()).containsExactly(job.parameters());
  }

  @Test
  void signedUpdatesOfSignedModelsInATopicAreServed() throws Exception {
    SigningKeys keys = SigningKeys.create(directory, "job");
    String models = "models-" + UUID.randomUUID();
    ModelTopic.ensure(Broker.cluster(), models, Broker.LIMIT);
    String topic = Broker.topic(1);
    Job job =
        job(topic)
            .parallelism(1)
            .set("snapshot.topic", models)
            .set("snapshot.signing-key", keys.privateKey().toString());
    Map<String, String> trusting =
        Map.of("scoring.models-topic", models, "scoring.trusted-keys", keys.publicKey().toString());
    watch(place(TestEngine.DL4J, trusting));
    JobClient client = job.start();
    produce(topic, 0, 8 * 30);
    job.await(() -> !followed.models.isEmpty());
    produce(topic, 0, 8 * 10);
    job.await(() -> followed.hasSince(whole().last()));
    job.cancel(client);
    assertThat(followed.refused).isEmpty();
  }

  @Test
  void aModelThatIsPutBackStaysAsItWasPublished() throws Exception {
    String topic = Broker.topic(1);
    Job job = job(topic).parallelism(1);
    Rollback rollback = new Rollback(SnapshotStore.directory(directory.resolve("models")));
    watch(place(TestEngine.DL4J, inDirectory()));
    JobClient client = job.start();
    produce(topic, 0, 8 * 40);
    job.await(() -> !whole().isEmpty() && followed.hasSince(whole().last()));
    ModelVersion held = whole().first();
    job.await(() -> catalog().find(held).orElseThrow().state() == SnapshotState.COMMITTED);

    rollback.to(held);
    job.await(() -> followed.models.peekLast().version().equals(held));
    int given = followed.models.size();
    float[] parameters = followed.models.peekLast().parameters();
    produce(topic, 0, 8 * 40);
    job.await(() -> job.taken() >= 8 * 80);
    ModelVersion newest = whole().last();
    assertThat(followed.models).hasSize(given);

    rollback.release();
    job.await(() -> followed.hasSince(held));
    assertThat(parameters).isNotEqualTo(followed.models.peekLast().parameters());
    produce(topic, 0, 8 * 30);
    job.await(() -> followed.hasSince(newest));
    job.cancel(client);
  }
}
