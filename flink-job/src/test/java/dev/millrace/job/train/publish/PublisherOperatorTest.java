package dev.millrace.job.train.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.example.Example;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.publication.Purpose;
import dev.millrace.file.ExampleSequence;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
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
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The operator alone, with the parts and the checkpoints that a job would bring. */
@Timeout(30)
class PublisherOperatorTest {

  private static final ModelSpec SPEC = SummingEngine.spec(4);
  private static final BlockLayout LAYOUT = SPEC.layout(3, true);
  private static final Set<Purpose> RELEASE = Set.of(Purpose.RELEASE);

  @TempDir private Path directory;

  private OneInputStreamOperatorTestHarness<PublishedPart, String> attempt;
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
      attempt.getOneInputOperator().close();
      attempt.getEnvironment().close();
    }
  }

  @Test
  void aModelIsReleasedWhenItsLastPartHasComeAndNoCheckpointCoversItYet() throws Exception {
    PublicationTrigger trigger = PublicationTrigger.round(3);
    send(block(trigger, 1, 3));
    send(head(trigger, RELEASE, version(3)));
    assertThat(published()).isEmpty();

    send(block(trigger, 0, 3));

    awaitRecords(1);
    assertThat(records()).containsExactly("snapshot 1.3 fresh");
    assertThat(parametersOf(version(3))).containsExactly(3, 3, 3, 3);
    assertThat(pointer(Pointer.LATEST)).contains("1.3");
    assertThat(pointer(Pointer.COMMITTED)).isEmpty();
  }

  @Test
  void aCompletedCheckpointCommitsWhatWasReleasedBeforeItAndNothingElse() throws Exception {
    release(version(1));
    attempt.snapshot(1, 0);
    release(version(2));

    attempt.notifyOfCompletedCheckpoint(1);

    awaitRecords(3);
    assertThat(published()).containsExactly("1.1 committed by 1", "1.2 fresh");
    assertThat(pointer(Pointer.COMMITTED)).contains("1.1");
    assertThat(pointer(Pointer.LATEST)).contains("1.2");
  }

  @Test
  void anAbortedCheckpointCommitsNothingAndTheNextOneCommitsWhatItWouldHave() throws Exception {
    release(version(1));
    attempt.snapshot(1, 0);
    attempt.getOneInputOperator().notifyCheckpointAborted(1);
    release(version(2));
    assertThat(published()).containsExactly("1.1 fresh", "1.2 fresh");

    attempt.snapshot(2, 0);
    attempt.notifyOfCompletedCheckpoint(2);

    awaitRecords(4);
    assertThat(published()).containsExactly("1.1 committed by 2", "1.2 committed by 2");
  }

  @Test
  void aCheckpointWhoseCompletionIsNeverToldIsCoveredByTheNext() throws Exception {
    release(version(1));
    attempt.snapshot(1, 0);
    release(version(2));
    attempt.snapshot(2, 0);

    attempt.notifyOfCompletedCheckpoint(2);
    attempt.notifyOfCompletedCheckpoint(1);

    close();
    assertThat(published()).containsExactly("1.1 committed by 2", "1.2 committed by 2");
    assertThat(pointer(Pointer.COMMITTED)).contains("1.2");
  }

  @Test
  void aRestoredAttemptCommitsWhatItsCheckpointCoversAndLeavesTheRest() throws Exception {
    release(version(1));
    OperatorSubtaskState state = attempt.snapshot(4, 0);
    release(version(2));
    fail();

    restore(state, 4);

    awaitRecords(1);
    assertThat(records()).containsExactly("snapshot 1.1 committed");
    release(new ModelVersion(2, 2));
    attempt.snapshot(5, 0);
    attempt.notifyOfCompletedCheckpoint(5);
    awaitRecords(3);
    assertThat(published())
        .containsExactly("1.1 committed by 4", "1.2 fresh", "2.2 committed by 5");
  }

  @Test
  void aVersionBelowOneThatWasReleasedIsNever() throws Exception {
    release(version(5));
    OperatorSubtaskState state = attempt.snapshot(1, 0);
    attempt.notifyOfCompletedCheckpoint(1);
    fail();
    restore(state, 1);

    sendAll(PublicationTrigger.round(4), RELEASE, version(4));
    release(new ModelVersion(2, 1));
    sendAll(PublicationTrigger.round(9), RELEASE, version(9));
    attempt.snapshot(2, 0);
    attempt.notifyOfCompletedCheckpoint(2);

    close();
    assertThat(published()).containsExactly("1.5 committed by 1", "2.1 committed by 2");
    assertThat(pointer(Pointer.LATEST)).contains("2.1");
  }

  @Test
  void partsThatComeAgainChangeNothing() throws Exception {
    release(version(1));
    byte[] before = Files.readAllBytes(description(version(1)));

    send(head(PublicationTrigger.round(1), RELEASE, version(1)));
    send(block(PublicationTrigger.round(1), 0, 1));
    send(block(PublicationTrigger.round(1), 0, 1));
    release(version(2));
    send(block(PublicationTrigger.round(1), 1, 1));
    sendAll(PublicationTrigger.round(2), RELEASE, version(2));

    close();
    assertThat(records()).containsExactly("snapshot 1.1 fresh", "snapshot 1.2 fresh");
    assertThat(description(version(1))).hasBinaryContent(before);
  }

  @Test
  void partsOfAnotherRoundThanTheRestFailTheTask() throws Exception {
    send(head(PublicationTrigger.checkpoint(1), Set.of(), version(7)));

    assertThatThrownBy(() -> send(block(PublicationTrigger.checkpoint(1), 0, 8)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("checkpoint 1")
        .hasMessageContaining("7 and 8");
  }

  @Test
  void aModelIsMeasuredWithoutBeingReleasedWhereOnlyThatIsAsked() throws Exception {
    sendAll(PublicationTrigger.round(2), Set.of(Purpose.MEASURE), version(2));

    awaitRecords(1);
    assertThat(records()).containsExactly("holdout 1.2");
    assertThat(published()).isEmpty();
  }

  @Test
  void atTheEndOfTheInputTheLastModelIsPublishedOnce() throws Exception {
    release(version(6));
    sendAll(PublicationTrigger.end(), Set.of(), version(7));
    attempt.snapshot(1, 0);
    assertThat(published()).as("the input may not have ended yet").containsExactly("1.6 fresh");

    attempt.getOneInputOperator().finish();
    assertThat(records())
        .as("written, and told, before the task ends")
        .containsExactly("snapshot 1.6 fresh", "holdout 1.7", "snapshot 1.7 fresh");
    attempt.snapshot(2, 0);
    attempt.notifyOfCompletedCheckpoint(2);

    close();
    assertThat(published()).containsExactly("1.6 committed by 2", "1.7 committed by 2");
  }

  @Test
  void theLastModelsPartsOutliveAFailure() throws Exception {
    send(head(PublicationTrigger.end(), Set.of(), version(7)));
    send(block(PublicationTrigger.end(), 0, 7));
    OperatorSubtaskState half = attempt.snapshot(1, 0);
    fail();
    restore(half, 1);
    send(block(PublicationTrigger.end(), 1, 7));
    OperatorSubtaskState whole = attempt.snapshot(2, 0);
    fail();

    restore(whole, 2);
    attempt.getOneInputOperator().finish();

    assertThat(published()).containsExactly("1.7 fresh");
    assertThat(parametersOf(version(7))).containsExactly(7, 7, 7, 7);
  }

  @Test
  void whereTheLastModelHadBeenPublishedTheNextAttemptLeavesItAsItIs() throws Exception {
    sendAll(PublicationTrigger.end(), Set.of(), version(7));
    attempt.getOneInputOperator().finish();
    OperatorSubtaskState state = attempt.snapshot(3, 0);
    Object written = Files.getLastModifiedTime(archive(version(7)));
    fail();

    restore(state, 3);
    awaitRecords(1);
    attempt.getOneInputOperator().finish();

    assertThat(published()).containsExactly("1.7 committed by 3");
    assertThat(Files.getLastModifiedTime(archive(version(7)))).isEqualTo(written);
  }

  @Test
  void aLastModelThatCannotBeWrittenFailsTheTask() throws Exception {
    fail();
    Files.writeString(directory.resolve("file"), "in the way");
    begin(attempt(directory.resolve("file").resolve("models")));
    attempt.open();
    sendAll(PublicationTrigger.end(), Set.of(), version(7));

    assertThatThrownBy(() -> attempt.getOneInputOperator().finish())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("The last model could not be published");
  }

  @Test
  void stoppedWithASavepointItPublishesTheSavepointsModel() throws Exception {
    sendAll(PublicationTrigger.checkpoint(1), Set.of(), version(3));
    attempt.snapshot(1, 0);
    attempt.notifyOfCompletedCheckpoint(1);
    sendAll(PublicationTrigger.checkpoint(2), Set.of(), version(4));
    attempt.snapshot(2, 0);
    attempt.notifyOfCompletedCheckpoint(2);
    assertThat(published()).isEmpty();

    close();

    assertThat(published()).containsExactly("1.4 committed by 2");
  }

  @Test
  void aSavepointThatIsAbortedIsNotPublished() throws Exception {
    sendAll(PublicationTrigger.checkpoint(1), Set.of(), version(3));
    attempt.snapshot(1, 0);
    attempt.notifyOfCompletedCheckpoint(1);
    sendAll(PublicationTrigger.checkpoint(2), Set.of(), version(4));
    attempt.snapshot(2, 0);
    attempt.getOneInputOperator().notifyCheckpointAborted(2);

    close();

    assertThat(published()).containsExactly("1.3 committed by 1");
  }

  @Test
  void anAttemptThatIsCancelledPublishesNothingMore() throws Exception {
    sendAll(PublicationTrigger.checkpoint(1), Set.of(), version(3));
    attempt.snapshot(1, 0);
    attempt.notifyOfCompletedCheckpoint(1);

    fail();

    assertThat(published()).isEmpty();
  }

  private void begin(OneInputStreamOperatorTestHarness<PublishedPart, String> next) {
    attempt = next;
    closed = false;
  }

  private static OneInputStreamOperatorTestHarness<PublishedPart, String> attempt(Path place)
      throws Exception {
    ReleaseSettings release =
        new ReleaseSettings(
            SnapshotPlace.of(place.toString()), null, new Retention(9, 0), List.of());
    return new OneInputStreamOperatorTestHarness<>(
        new PublisherOperator(
            new PublisherSettings(SPEC, LAYOUT, () -> HoldOut.read(new OneExample()), release)));
  }

  /** Ends the attempt as the failure of another task does. */
  private void fail() throws Exception {
    attempt.getOperator().getContainingTask().cancel();
    close();
  }

  private void restore(OperatorSubtaskState state, long checkpoint) throws Exception {
    begin(attempt(directory));
    attempt.setRestoredCheckpointId(checkpoint);
    attempt.initializeState(state);
    attempt.open();
  }

  /** Has a model released, and waits until it is: of two at once the newer one wins. */
  private void release(ModelVersion version) throws Exception {
    int before = attempt.getOutput().size();
    sendAll(PublicationTrigger.round(version.round()), RELEASE, version);
    awaitRecords(before + 1);
  }

  private void sendAll(PublicationTrigger trigger, Set<Purpose> purposes, ModelVersion version)
      throws Exception {
    send(head(trigger, purposes, version));
    for (int block = 0; block < LAYOUT.count(); block++) {
      send(block(trigger, block, version.round()));
    }
  }

  private void send(PublishedPart part) throws Exception {
    attempt.processElement(new StreamRecord<>(part));
  }

  private static ModelVersion version(long round) {
    return new ModelVersion(1, round);
  }

  private static PublishedPart head(
      PublicationTrigger trigger, Set<Purpose> purposes, ModelVersion version) {
    return new PublishedPart.Head(
        trigger,
        purposes,
        version,
        version.round(),
        new FeatureStatistics(0),
        new Ledger(),
        Measures.NONE,
        Lineage.NONE);
  }

  /** A block whose values are all the number of its round. */
  private static PublishedPart block(PublicationTrigger trigger, int block, long round) {
    float[] values = new float[LAYOUT.size(block)];
    Arrays.fill(values, (float) round);
    return new PublishedPart.Block(trigger, block, round, values);
  }

  /** Runs mails, which the publisher's thread sends, until so many records are out. */
  private void awaitRecords(int count) throws Exception {
    while (attempt.getOutput().size() < count) {
      attempt.getTaskMailbox().take(TaskMailbox.MIN_PRIORITY).run();
    }
  }

  /** What is out, in order: kind of record, version, and state where there is one. */
  private List<String> records() throws Exception {
    Optional<Mail> mail = attempt.getTaskMailbox().tryTake(TaskMailbox.MIN_PRIORITY);
    for (; mail.isPresent(); mail = attempt.getTaskMailbox().tryTake(TaskMailbox.MIN_PRIORITY)) {
      mail.get().run();
    }
    List<String> records = new ArrayList<>();
    for (String record : attempt.extractOutputValues()) {
      JsonNode json = new JsonMapper().readTree(record);
      records.add(
          "%s %d.%d %s"
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
  private List<String> published() throws IOException {
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

  private Optional<String> pointer(String name) throws IOException {
    return new SnapshotCatalog(SnapshotStore.directory(directory))
        .pointer(name)
        .map(Pointer::version);
  }

  private float[] parametersOf(ModelVersion version) throws IOException {
    FloatBuffer values = ByteBuffer.wrap(Files.readAllBytes(archive(version))).asFloatBuffer();
    float[] parameters = new float[values.remaining()];
    values.get(parameters);
    return parameters;
  }

  private Path archive(ModelVersion version) {
    return directory.resolve("model-%s.zip".formatted(version));
  }

  private Path description(ModelVersion version) {
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
