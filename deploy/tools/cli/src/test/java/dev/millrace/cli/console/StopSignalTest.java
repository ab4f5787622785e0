package dev.millrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.millrace.cli.console.StopSignal.InterruptedRunException;
import java.io.IOException;
import java.util.ServiceConfigurationError;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StopSignalTest {

  private final StopSignal interrupt = new StopSignal();

  @Test
  void workThatEndsGivesItsResultOrItsFailure() throws Exception {
    assertThat(interrupt.during(() -> 5)).isEqualTo(5);
    assertThatThrownBy(
            () ->
                interrupt.during(
                    () -> {
                      throw new IOException("disk full");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("disk full");
    assertThatThrownBy(
            () ->
                interrupt.during(
                    () -> {
                      throw new ServiceConfigurationError("of another release");
                    }))
        .isInstanceOf(ServiceConfigurationError.class);
  }

  @Test
  void aSignalInterruptsTheWork() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch wasInterrupted = new CountDownLatch(1);

    assertThatThrownBy(
            () ->
                interrupt.during(
                    () -> {
                      interrupt.received(130);
                      try {
                        never.await();
                      } catch (InterruptedException e) {
                        wasInterrupted.countDown();
                      }
                      return 0;
                    }))
        .asInstanceOf(type(InterruptedRunException.class))
        .satisfies(e -> assertThat(e.exitCode()).isEqualTo(130));
    assertThat(wasInterrupted.await(1, TimeUnit.MINUTES)).isTrue();
  }
}
