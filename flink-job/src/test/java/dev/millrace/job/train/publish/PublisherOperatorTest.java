package dev.millrace.job.train.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.publication.Purpose;
import dev.millrace.exchange.segment.HeldOutExample;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is released as rounds go on, and which checkpoint commits it. */
@Timeout(120)
class PublisherOperatorTest extends PublisherOperatorFixture {

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
    attempt.getOperator().notifyCheckpointAborted(1);
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

  /** The measurement behind it shows that the attempt has tried to. */
  @Test
  void whatCouldNotBeCommittedAfterARestoreIsWithTheNextModel() throws Exception {
    release(version(1));
    OperatorSubtaskState state = attempt.snapshot(4, 0);
    fail();
    takeStoreAway();
    restore(state, 4);
    sendAll(PublicationTrigger.round(1), Set.of(Purpose.MEASURE), new ModelVersion(2, 1));
    awaitRecords(1);

    bringStoreBack();
    release(new ModelVersion(2, 2));

    close();
    assertThat(published()).containsExactly("1.1 committed by 4", "2.2 fresh");
    assertThat(pointer(Pointer.COMMITTED)).contains("1.1");
  }

  @Test
  void whatOneAttemptCouldNotCommitTheAttemptAfterTheNextDoes() throws Exception {
    release(version(1));
    OperatorSubtaskState first = attempt.snapshot(4, 0);
    release(version(2));
    fail();
    takeStoreAway();
    restore(first, 4);
    sendAll(PublicationTrigger.round(1), RELEASE, new ModelVersion(2, 1));
    OperatorSubtaskState second = attempt.snapshot(5, 0);
    attempt.notifyOfCompletedCheckpoint(5);
    fail();
    bringStoreBack();

    restore(second, 5);
    release(new ModelVersion(3, 1));

    close();
    assertThat(published()).containsExactly("1.1 committed by 4", "1.2 fresh", "3.1 fresh");
  }

  @Test
  void whatIsLeftIsKeptWhileTheJobDoesNotPublish() throws Exception {
    release(version(1));
    OperatorSubtaskState first = attempt.snapshot(4, 0);
    fail();
    restoreUnpublished(first, 4);
    OperatorSubtaskState second = attempt.snapshot(5, 0);
    fail();

    restore(second, 5);
    release(new ModelVersion(3, 1));

    close();
    assertThat(published()).containsExactly("1.1 committed by 4", "3.1 fresh");
  }

  @Test
  void twoJobsInOneDirectoryDontCommitEachOthersModels() throws Exception {
    release(version(3));
    TwoInputStreamOperatorTestHarness<PublishedPart, HeldOutExample, String> first = attempt;
    begin(attempt(directory));
    attempt.open();
    sendAll(PublicationTrigger.round(3), RELEASE, version(3));
    OperatorSubtaskState state = attempt.snapshot(7, 0);
    attempt.notifyOfCompletedCheckpoint(7);
    close();
    assertThat(published()).containsExactly("1.3 fresh");

    restore(state, 7);
    sendAll(PublicationTrigger.round(1), Set.of(Purpose.MEASURE), new ModelVersion(2, 1));
    awaitRecords(1);
    assertThat(published()).as("nor does its next attempt").containsExactly("1.3 fresh");
    close();

    begin(first);
    attempt.snapshot(8, 0);
    attempt.notifyOfCompletedCheckpoint(8);
    awaitRecords(2);
    assertThat(published()).containsExactly("1.3 committed by 8");
  }

  private void takeStoreAway() throws IOException {
    Files.move(directory, away());
    Files.writeString(directory, "in the way");
  }

  private void bringStoreBack() throws IOException {
    Files.delete(directory);
    Files.move(away(), directory);
  }

  private Path away() {
    return directory.resolveSibling(directory.getFileName() + "-away");
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
  void aMovingAverageIsReleasedAndMeasuredAsOne() throws Exception {
    PublicationTrigger trigger = PublicationTrigger.round(3);
    send(head(trigger, Set.of(Purpose.RELEASE, Purpose.MEASURE), version(3)));
    send(block(trigger, 0, 3, true));
    send(block(trigger, 1, 3, true));

    awaitRecords(2);
    assertThat(parametersOf(version(3))).containsExactly(3, 3, 3, 3);
    assertThat(SnapshotDescription.fromJson(Files.readString(description(version(3)))))
        .matches(SnapshotDescription::movingAverage);
    assertThat(attempt.extractOutputValues())
        .filteredOn(record -> record.contains("holdout"))
        .singleElement()
        .asString()
        .contains("\"movingAverage\":true");
  }

  @Test
  void aModelIsMeasuredWithoutBeingReleasedWhereOnlyThatIsAsked() throws Exception {
    sendAll(PublicationTrigger.round(2), Set.of(Purpose.MEASURE), version(2));

    awaitRecords(1);
    assertThat(records()).containsExactly("holdout 1.2");
    assertThat(published()).isEmpty();
  }
}
