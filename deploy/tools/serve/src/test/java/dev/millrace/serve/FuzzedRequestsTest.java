package dev.millrace.serve;

import static dev.millrace.serve.ServerUnderTest.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.job.testing.TellingModels;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FuzzedRequestsTest {

  private static final int COUNT = 1_000;

  /** So few requests may lack one of the answers, with another seed. */
  private static final long SEED = 1;

  @TempDir private Path directory;

  @Test
  void requestsThatAreWrongBringNothingDown() throws Exception {
    check(directory, COUNT, SEED);
  }

  /** The first tenth makes threads and caches; nothing grows after it. */
  static void check(Path directory, int count, long seed) throws IOException, InterruptedException {
    TellingModels.publish(directory, TrainedModels.flowers("dl4j", 1));
    try (ServerUnderTest server = ServerUnderTest.start(directory).ready()) {
      int port = server.address().getPort();
      String body = ServerUnderTest.features(1, 4, 1, 2, 3, 4);
      String expected = server.infer(body).body();
      FuzzedRequests.send(port, count / 10, seed);
      long heap = heap();
      int threads = threads();

      Map<Integer, Integer> statuses = FuzzedRequests.send(port, count, seed + 1);

      assertThat(statuses).as("seed %d", seed).containsKeys(200, 400, 404, 405, 415);
      assertThat(statuses.get(400)).as("seed %d", seed).isGreaterThan(count / 2);
      assertThat(server.infer(body).body()).as("seed %d", seed).isEqualTo(expected);
      assertThat(threads()).as("seed %d", seed).isLessThanOrEqualTo(threads);
      // What is garbage may take more than one collection to go; what leaks never goes.
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(heap() - heap).as("seed %d", seed).isLessThan(8 << 20));
    }
  }

  /** But for those of the pool, which has room for a fixed number and fills with time. */
  private static int threads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .filter(name -> name.startsWith("millrace-") && !name.startsWith("millrace-http"))
            .count();
  }

  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
