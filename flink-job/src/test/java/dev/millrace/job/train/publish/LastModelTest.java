package dev.millrace.job.train.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.segment.HeldOutExample;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.Pointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is published when the input has ended, or the job is stopped. */
@Timeout(120)
class LastModelTest extends PublisherOperatorFixture {

  @Test
  void atTheEndOfTheInputTheLastModelIsPublishedOnce() throws Exception {
    release(version(6));
    sendAll(PublicationTrigger.end(), Set.of(), version(7));
    attempt.snapshot(1, 0);
    assertThat(published()).as("the input may not have ended yet").containsExactly("1.6 fresh");

    attempt.getOperator().finish();
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
    attempt.getOperator().finish();

    assertThat(published()).containsExactly("1.7 fresh");
    assertThat(parametersOf(version(7))).containsExactly(7, 7, 7, 7);
  }

  @Test
  void whereTheLastModelHadBeenPublishedTheNextAttemptLeavesItAsItIs() throws Exception {
    sendAll(PublicationTrigger.end(), Set.of(), version(7));
    attempt.getOperator().finish();
    OperatorSubtaskState state = attempt.snapshot(3, 0);
    Object written = Files.getLastModifiedTime(archive(version(7)));
    fail();

    restore(state, 3);
    awaitRecords(1);
    attempt.getOperator().finish();

    assertThat(published()).containsExactly("1.7 committed by 3");
    assertThat(Files.getLastModifiedTime(archive(version(7)))).isEqualTo(written);
  }

  /**
   * Whatever it had left of itself, the next begins with the same state, and doesn't know of it.
   */
  @Test
  void anAttemptThatCouldNotWriteTheLastModelOfTheOneBeforeIsNotInTheWay() throws Exception {
    sendAll(PublicationTrigger.end(), Set.of(), version(7));
    OperatorSubtaskState state = attempt.snapshot(3, 0);
    fail();
    Path inTheWay = Files.createDirectories(archive(version(7)).resolve("in the way"));
    restore(state, 3);
    assertThatThrownBy(() -> attempt.getOperator().finish()).isInstanceOf(IOException.class);
    fail();
    Files.delete(inTheWay);
    Files.delete(archive(version(7)));

    restore(state, 3);
    attempt.getOperator().finish();

    assertThat(published()).containsExactly("1.7 fresh");
  }

  @Test
  void aLastModelThatCannotBeWrittenFailsTheTask() throws Exception {
    fail();
    Files.writeString(directory.resolve("file"), "in the way");
    begin(attempt(directory.resolve("file").resolve("models")));
    attempt.open();
    sendAll(PublicationTrigger.end(), Set.of(), version(7));

    assertThatThrownBy(() -> attempt.getOperator().finish())
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

  /** The last model of the drained job has no say in it any more. */
  @Test
  void drainedAndStartedAgainItPublishesTheModelOfALaterStop() throws Exception {
    sendAll(PublicationTrigger.end(), Set.of(), version(7));
    attempt.getOperator().finish();
    OperatorSubtaskState drained = attempt.snapshot(3, 0);
    attempt.notifyOfCompletedCheckpoint(3);
    close();

    restore(drained, 3);
    sendAll(PublicationTrigger.checkpoint(4), Set.of(), new ModelVersion(2, 9));
    OperatorSubtaskState stopped = attempt.snapshot(4, 0);
    attempt.notifyOfCompletedCheckpoint(4);
    close();

    assertThat(published()).containsExactly("1.7 committed by 3", "2.9 committed by 4");
    restore(stopped, 4);
    attempt.getOperator().finish();
    assertThat(published()).as("nor does the next attempt know of it").hasSize(2);
  }

  /** Some parts of the first end are in a checkpoint, and the attempt after it reads on. */
  @Test
  void drainedInPartAndEndedLaterItPublishesTheLaterModel() throws Exception {
    send(block(PublicationTrigger.end(), 0, 7));
    OperatorSubtaskState half = attempt.snapshot(1, 0);
    fail();

    restore(half, 1);
    sendAll(PublicationTrigger.end(), Set.of(), new ModelVersion(2, 9));
    OperatorSubtaskState whole = attempt.snapshot(2, 0);
    fail();
    restore(whole, 2);
    attempt.getOperator().finish();

    assertThat(published()).containsExactly("2.9 fresh");
    assertThat(parametersOf(new ModelVersion(2, 9))).containsExactly(9, 9, 9, 9);
  }

  /** The coordinator hands over its part of the last checkpoint before blocks have ended. */
  @Test
  void drainedAndEndedAgainWithoutARoundItPublishesThatEndsModel() throws Exception {
    sendAll(PublicationTrigger.end(), Set.of(), version(7));
    attempt.getOperator().finish();
    OperatorSubtaskState drained = attempt.snapshot(3, 0);
    attempt.notifyOfCompletedCheckpoint(3);
    close();

    restore(drained, 3);
    ModelVersion again = new ModelVersion(2, 7);
    send(head(PublicationTrigger.end(), Set.of(), again));
    send(head(PublicationTrigger.checkpoint(4), Set.of(), again));
    send(block(PublicationTrigger.end(), 0, 7));
    send(block(PublicationTrigger.end(), 1, 7));
    attempt.getOperator().finish();

    assertThat(published()).containsExactly("1.7 committed by 3", "2.7 fresh");
  }

  /** A round may have been made behind the savepoint's barrier: it is not in the savepoint. */
  @Test
  void stoppedWithASavepointItPublishesTheSavepointsModelThoughALaterOneWas() throws Exception {
    sendAll(PublicationTrigger.checkpoint(1), Set.of(), version(4));
    attempt.snapshot(1, 0);
    release(version(5));
    attempt.notifyOfCompletedCheckpoint(1);

    close();

    assertThat(published()).containsExactly("1.4 committed by 1", "1.5 fresh");
    assertThat(pointer(Pointer.LATEST)).contains("1.4");
    assertThat(pointer(Pointer.COMMITTED)).contains("1.4");
  }

  @Test
  void stoppedAfterItsModelWasReleasedItIsServedAgain() throws Exception {
    release(version(4));
    sendAll(PublicationTrigger.checkpoint(1), Set.of(), version(4));
    attempt.snapshot(1, 0);
    release(version(5));
    attempt.notifyOfCompletedCheckpoint(1);

    close();

    assertThat(published()).containsExactly("1.4 committed by 1", "1.5 fresh");
    assertThat(pointer(Pointer.LATEST)).contains("1.4");
  }

  /** The savepoint is whole all the same. */
  @Test
  void aStopSucceedsWhereALaterAttemptHasPublished() throws Exception {
    sendAll(PublicationTrigger.checkpoint(1), Set.of(), version(4));
    attempt.snapshot(1, 0);
    attempt.notifyOfCompletedCheckpoint(1);
    TwoInputStreamOperatorTestHarness<PublishedPart, HeldOutExample, String> stopped = attempt;
    begin(attempt(directory));
    attempt.open();
    release(new ModelVersion(2, 1));
    close();

    begin(stopped);
    close();

    assertThat(published()).containsExactly("2.1 fresh");
    assertThat(pointer(Pointer.LATEST)).contains("2.1");
  }

  @Test
  void theThreadEndsAlsoWhereTheLastModelCannotBeWritten() throws Exception {
    fail();
    Files.writeString(directory.resolve("file"), "in the way");
    begin(attempt(directory.resolve("file").resolve("models")));
    attempt.open();
    sendAll(PublicationTrigger.checkpoint(1), Set.of(), version(4));
    attempt.snapshot(1, 0);
    attempt.notifyOfCompletedCheckpoint(1);

    assertThatThrownBy(this::close).hasMessageContaining("The last model could not be published");

    // It is told to end, and does so when it comes to that.
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .doesNotContain("millrace-publisher"));
    attempt.getEnvironment().close();
  }

  @Test
  void aSavepointThatIsAbortedIsNotPublished() throws Exception {
    sendAll(PublicationTrigger.checkpoint(1), Set.of(), version(3));
    attempt.snapshot(1, 0);
    attempt.notifyOfCompletedCheckpoint(1);
    sendAll(PublicationTrigger.checkpoint(2), Set.of(), version(4));
    attempt.snapshot(2, 0);
    attempt.getOperator().notifyCheckpointAborted(2);

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
}
