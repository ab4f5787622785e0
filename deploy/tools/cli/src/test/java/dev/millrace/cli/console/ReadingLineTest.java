package dev.millrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ReadingLineTest {

  private final StringWriter written = new StringWriter();
  private long nanos;

  @Test
  void onATerminalNothingIsLeft() {
    try (ReadingLine line = line(80)) {
      for (int i = 0; i < 3; i++) {
        nanos += 1_000_000_000L;
        line.records(50_030);
      }
      assertThat(written.toString()).endsWith(Screen.CLEAR_LINE + "150,090 records read");
    }

    assertThat(written.toString())
        .endsWith("150,090 records read" + Screen.CLEAR_LINE)
        .doesNotContain("\n");
  }

  @Test
  void elsewhereEveryLineIsAWholeOne() {
    try (ReadingLine line = line(0)) {
      for (int blocks = 1; blocks <= 8; blocks++) {
        nanos += 1_000_000_000L;
        line.read(blocks, 8, 1_000_000L * blocks);
      }
    }

    assertThat(written.toString().lines())
        .containsExactly("1 of 8 blocks (12 %) · 1.0 MB", "6 of 8 blocks (75 %) · 6.0 MB");
    assertThat(written.toString()).endsWith(System.lineSeparator());
  }

  @Test
  void whatIsReadQuicklyShowsNothing() {
    try (ReadingLine line = line(80)) {
      nanos += 400_000_000L;
      line.records(100_060);
    }

    assertThat(written.toString()).isEmpty();
  }

  @Test
  void anInterruptEndsTheReading() {
    try (ReadingLine line = line(80)) {
      Thread.currentThread().interrupt();

      assertThatIllegalStateException().isThrownBy(() -> line.records(1));
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  private ReadingLine line(int columns) {
    return new ReadingLine(new Screen(new PrintWriter(written), columns), () -> nanos);
  }
}
