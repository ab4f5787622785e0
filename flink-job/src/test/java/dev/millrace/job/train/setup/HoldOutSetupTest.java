package dev.millrace.job.train.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.follow.RowPlace;
import dev.millrace.job.follow.ServedRows;
import dev.millrace.job.train.publish.HoldOutSource;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class HoldOutSetupTest {

  private static boolean read;
  private static boolean closed;

  private static final class Rows implements ServedRows {

    @Override
    public Reader reader(ExampleShape shape) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void aSetIsReadOnceItsRowsAreThere() {
    read = false;
    HoldOutSource set =
        () -> {
          read = true;
          throw new IOException("no set");
        };
    RowPlace nowhere =
        () -> {
          throw new IOException("no rows yet");
        };

    assertThatThrownBy(() -> new HoldOutSetup.SetWithRows(set, nowhere).read())
        .isInstanceOf(IOException.class)
        .hasMessage("no rows yet");
    assertThat(read).isFalse();
  }

  @Test
  void rowsAreClosedWhereTheSetCannotBeRead() {
    closed = false;
    HoldOutSource set =
        () -> {
          throw new IOException("no set");
        };

    assertThatThrownBy(() -> new HoldOutSetup.SetWithRows(set, Rows::new).read())
        .isInstanceOf(IOException.class)
        .hasMessage("no set");
    assertThat(closed).isTrue();
  }
}
