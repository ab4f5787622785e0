package dev.millrace.job.train.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.example.Example;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.publication.Purpose;
import dev.millrace.exchange.segment.HeldOutExample;
import dev.millrace.exchange.segment.SegmentRule;
import dev.millrace.file.ExampleSequence;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.train.measure.HoldOut;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.testing.SummingEngine;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.Retention;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.mailbox.Mail;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Attempts of the operator alone, with the parts and the checkpoints that a job would bring. */
abstract class PublisherOperatorFixture {

  private static final ModelSpec SPEC = SummingEngine.spec(4);
  private static final BlockLayout LAYOUT = SPEC.layout(3, true);

  static final Set<Purpose> RELEASE = Set.of(Purpose.RELEASE);

  @TempDir Path directory;

  TwoInputStreamOperatorTestHarness<PublishedPart, HeldOutExample, String> attempt;
  private boolean closed;

  @BeforeEach
  void start() throws Exception {
    begin(attempt(directory));
    attempt.open();
  }

  /** As a task does that has come to its end; the harness itself would finish it once more. */
  @AfterEach
  void close() throws Exception {
    if (!closed) {
      closed = true;
      attempt.getOperator().close();
      attempt.getEnvironment().close();
    }
  }

  void begin(TwoInputStreamOperatorTestHarness<PublishedPart, HeldOutExample, String> next) {
    attempt = next;
    closed = false;
  }

  static TwoInputStreamOperatorTestHarness<PublishedPart, HeldOutExample, String> attempt(
      Path place) throws Exception {
    return attempt(
        new ReleaseSettings(
            SnapshotPlace.of(place.toString()),
            null,
            new Retention(9, 0, 0),
            List.of(),
            null,
            null));
  }

  /**
   * @param releaseOrNull null for an attempt that doesn't publish
   */
  private static TwoInputStreamOperatorTestHarness<PublishedPart, HeldOutExample, String> attempt(
      ReleaseSettings releaseOrNull) throws Exception {
    return new TwoInputStreamOperatorTestHarness<>(
        new PublisherOperator(
            new PublisherSettings(
                SPEC,
                LAYOUT,
                () -> HoldOut.read(new OneExample()),
                null,
                DeviceRequest.guest(),
                releaseOrNull),
            SegmentRule.NONE,
            new PlannedCheckpoints(false)));
  }

  /** Ends the attempt as the failure of another task does. */
  void fail() throws Exception {
    attempt.getOperator().getContainingTask().cancel();
    close();
  }

  void restore(OperatorSubtaskState state, long checkpoint) throws Exception {
    restore(attempt(directory), state, checkpoint);
  }

  /** Goes on without publishing anything. */
  void restoreUnpublished(OperatorSubtaskState state, long checkpoint) throws Exception {
    restore(attempt((ReleaseSettings) null), state, checkpoint);
  }

  private void restore(
      TwoInputStreamOperatorTestHarness<PublishedPart, HeldOutExample, String> next,
      OperatorSubtaskState state,
      long checkpoint)
      throws Exception {
    begin(next);
    attempt.setRestoredCheckpointId(checkpoint);
    attempt.initializeState(state);
    attempt.open();
  }

  /** Has a model released, and waits until it is: of two at once the newer one wins. */
  void release(ModelVersion version) throws Exception {
    int before = attempt.getOutput().size();
    sendAll(PublicationTrigger.round(version.round()), RELEASE, version);
    awaitRecords(before + 1);
  }

  void sendAll(PublicationTrigger trigger, Set<Purpose> purposes, ModelVersion version)
      throws Exception {
    send(head(trigger, purposes, version));
    for (int block = 0; block < LAYOUT.count(); block++) {
      send(block(trigger, block, version.round()));
    }
  }

  void send(PublishedPart part) throws Exception {
    attempt.processElement1(new StreamRecord<>(part));
  }

  static ModelVersion version(long round) {
    return new ModelVersion(1, round);
  }

  static PublishedPart head(
      PublicationTrigger trigger, Set<Purpose> purposes, ModelVersion version) {
    return new PublishedPart.Head(
        trigger,
        purposes,
        version,
        version.round(),
        LearnedFeatures.of(new FeatureStatistics(0)),
        new Ledger(),
        Measures.NONE,
        Lineage.NONE);
  }

  /** A block whose values are all the number of its round. */
  static PublishedPart block(PublicationTrigger trigger, int block, long round) {
    return block(trigger, block, round, false);
  }

  static PublishedPart block(
      PublicationTrigger trigger, int block, long round, boolean movingAverage) {
    float[] values = new float[LAYOUT.size(block)];
    Arrays.fill(values, (float) round);
    return new PublishedPart.Block(trigger, block, round, movingAverage, values);
  }

  /** Runs mails, which the publisher's thread sends, until so many records are out. */
  void awaitRecords(int count) throws Exception {
    while (attempt.getOutput().size() < count) {
      attempt.getTaskMailbox().take(TaskMailbox.MIN_PRIORITY).run();
    }
  }

  /** What is out, in order: kind of record, version, and state where there is one. */
  List<String> records() throws Exception {
    Optional<Mail> mail = attempt.getTaskMailbox().tryTake(TaskMailbox.MIN_PRIORITY);
    for (; mail.isPresent(); mail = attempt.getTaskMailbox().tryTake(TaskMailbox.MIN_PRIORITY)) {
      mail.get().run();
    }
    List<String> records = new ArrayList<>();
    for (String record : attempt.extractOutputValues()) {
      JsonNode json = new JsonMapper().readTree(record);
      records.add(
          "%s %s.%s %s"
              .formatted(
                  json.get("type").asText(),
                  json.get("generation").asLong(),
                  json.get("round").asLong(),
                  json.path("state").asText())
              .strip());
    }
    return records;
  }

  /** What is in the directory, oldest first: version, state, and the checkpoint that covers it. */
  List<String> published() throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(SnapshotStore.directory(directory));
    List<String> published = new ArrayList<>();
    for (ModelVersion version : catalog.versions()) {
      Long checkpoint = catalog.find(version).orElseThrow().checkpoint();
      published.add(
          "%s %s%s"
              .formatted(
                  version,
                  catalog.find(version).orElseThrow().state(),
                  checkpoint == null ? "" : " by " + checkpoint));
    }
    return published;
  }

  Optional<String> pointer(String name) throws IOException {
    return new SnapshotCatalog(SnapshotStore.directory(directory))
        .pointer(name)
        .map(Pointer::version);
  }

  float[] parametersOf(ModelVersion version) throws IOException {
    FloatBuffer values = ByteBuffer.wrap(Files.readAllBytes(archive(version))).asFloatBuffer();
    float[] parameters = new float[values.remaining()];
    values.get(parameters);
    return parameters;
  }

  Path archive(ModelVersion version) {
    return directory.resolve("model-%s.zip".formatted(version));
  }

  Path description(ModelVersion version) {
    return directory.resolve("model-%s.json".formatted(version));
  }

  private static final class OneExample implements ExampleSequence {

    private boolean read;

    @Override
    public ExampleShape shape() {
      return SPEC.shape();
    }

    @Override
    public long count() {
      return 1;
    }

    @Override
    public boolean next(Example into) {
      boolean more = !read;
      read = true;
      return more;
    }

    @Override
    public void close() {}
  }
}
