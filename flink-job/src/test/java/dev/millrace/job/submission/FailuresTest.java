package dev.millrace.job.submission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.io.InvalidModelException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.client.JobInitializationException;
import org.junit.jupiter.api.Test;

class FailuresTest {

  @Test
  void ownMessagesStandAlone() {
    assertThat(Failures.explain(new RuntimeException(new InvalidModelException("No disk is left"))))
        .isEqualTo("No disk is left");
    assertThat(Failures.explain(new IOException("t.csv, line 3: no number")))
        .isEqualTo("t.csv, line 3: no number");
    Exception closed = new ClosedChannelException();
    assertThat(Failures.explain(new IOException("The registry is down", closed)))
        .isEqualTo("The registry is down");
  }

  @Test
  void foreignMessagesSayWhatTheyAre() {
    assertThat(Failures.explain(new RuntimeException("outer", new NoSuchFileException("a"))))
        .isEqualTo("a: there is no such file");
  }

  @Test
  void whatNobodyHasWordsForIsSaidToBeSo() {
    assertThat(Failures.explain(new IllegalStateException("closed")))
        .isEqualTo("An error that isn't expected: java.lang.IllegalStateException: closed");
  }

  @Test
  void whatWrapsAnotherMessageIsLeftOut() {
    Exception refused = new FileAlreadyExistsException("/a");
    Exception storage = new RuntimeException("No checkpoint storage.", refused);
    Exception wrapped = new CompletionException(storage);

    assertThat(
            Failures.explainDeepest(
                new JobInitializationException(new JobID(), "No JobMaster.", wrapped)))
        .isEqualTo("No checkpoint storage. /a: there is such a file already");
    assertThat(
            Failures.explainDeepest(
                new JobInitializationException(
                    new JobID(), "No JobMaster.", new CompletionException(new IOException("b")))))
        .isEqualTo("b");
  }
}
