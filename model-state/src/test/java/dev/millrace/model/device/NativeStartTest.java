package dev.millrace.model.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.testing.LockedDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NativeStartTest {

  @TempDir private Path directory;

  /** What another process runs. */
  public static void main(String[] arguments) {
    NativeStart.run("child", Path.of(arguments[0]), () -> System.out.println("loaded"));
  }

  @Test
  void oneProcessLoadsAtATime() throws Exception {
    try (LockedDirectory locked = LockedDirectory.of(directory)) {
      assertThat(locked.waiting(NativeStartTest.class, directory.toString()))
          .doesNotContain("loaded");

      assertThat(locked.released()).contains("loaded");
    }
  }

  @Test
  void anInterruptOfTheCallerDoesNotReachWhatIsLoaded() {
    AtomicBoolean loaded = new AtomicBoolean();
    Thread.currentThread().interrupt();

    NativeStart.run(
        "engine",
        directory,
        () -> {
          try {
            new ReentrantLock().lockInterruptibly();
            loaded.set(true);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });

    assertThat(Thread.interrupted()).isTrue();
    assertThat(loaded).isTrue();
  }

  /** Otherwise the end of one would take the lock from the other. */
  @Test
  void soDoTwoJobsOfAProcess() throws Exception {
    AtomicBoolean loaded = new AtomicBoolean();
    try (LockedDirectory locked = LockedDirectory.of(directory)) {
      Thread job =
          new Thread(() -> NativeStart.run("engine", directory, () -> loaded.set(true)), "job");
      job.start();
      locked.waiting(NativeStartTest.class, directory.toString());
      assertThat(loaded).isFalse();

      assertThat(locked.released()).contains("loaded");
      job.join();
    }
    assertThat(loaded).isTrue();
  }

  @Test
  void whereNoFileCanBeMadeItLoadsAllTheSame() throws IOException {
    AtomicBoolean loaded = new AtomicBoolean();
    Path file = Files.createFile(directory.resolve("file"));

    NativeStart.run("engine", file, () -> loaded.set(true));

    assertThat(loaded).isTrue();
  }

  @Test
  void theCallerGetsTheErrorAsItIs() {
    LinkageError error = new UnsatisfiedLinkError("no libtorch");

    assertThatThrownBy(
            () ->
                NativeStart.run(
                    "engine",
                    directory,
                    () -> {
                      throw error;
                    }))
        .isSameAs(error);
  }
}
