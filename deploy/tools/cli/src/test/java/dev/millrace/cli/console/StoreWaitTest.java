package dev.millrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StoreWaitTest {

  private final CountDownLatch told = new CountDownLatch(1);
  private final StringWriter text = new StringWriter();
  private final PrintWriter err = new PrintWriter(new TellingWriter());

  @Test
  void whileAStoreDoesNotAnswerItIsSaidWhatIsWaitedForAndUntilWhen() throws IOException {
    InputStream read =
        StoreWait.during("s3://bucket/models", err, Duration.ofMillis(1), this::silentUntilTold);

    assertThat(read).isEmpty();
    assertThat(text.toString()).contains("s3://bucket/models", "nine minutes", "Ctrl-C");
  }

  @Test
  void ofAStoreThatAnswersAndOfThisMachineNothingIsSaid() {
    String answer =
        StoreWait.during("s3://bucket/models", err, Duration.ofDays(1), () -> "answer")
            + StoreWait.during("/models", err, Duration.ZERO, () -> " of")
            + StoreWait.during("file:///models", err, Duration.ZERO, () -> " each");

    assertThat(answer).isEqualTo("answer of each");

    assertThat(text.toString()).isEmpty();
  }

  /** A file whose server doesn't answer before that is told. */
  private InputStream silentUntilTold() throws IOException {
    try {
      assertThat(told.await(1, TimeUnit.MINUTES)).as("it is said").isTrue();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return new ByteArrayInputStream(new byte[0]);
  }

  private final class TellingWriter extends Writer {

    @Override
    public void write(char[] characters, int from, int length) {
      text.write(characters, from, length);
    }

    @Override
    public void flush() {
      told.countDown();
    }

    @Override
    public void close() {}
  }
}
