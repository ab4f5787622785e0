package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link FuzzedRequestsTest}, for longer; and bodies alone, which takes less for each. */
@Tag("slow")
class FuzzedRequestsIT {

  private static final Logger LOG = LoggerFactory.getLogger(FuzzedRequestsIT.class);

  private static final int REQUESTS = Integer.getInteger("millrace.fuzz.requests", 10_000);
  private static final int BODIES = Integer.getInteger("millrace.fuzz.bodies", 100_000);

  @Test
  void requestsThatAreWrongBringNothingDown(@TempDir Path directory) throws Exception {
    FuzzedRequestsTest.check(directory, REQUESTS, Seeds.next());
  }

  /** Whatever the bytes: a request, or a refusal that can be told to the client as JSON. */
  @Test
  void bodiesAreReadOrRefusedInWordsOfOurs() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    RequestReader reader = new RequestReader(Signature.of(TrainedModels.FLOWERS, true), 256);
    Map<Integer, Integer> statuses = new TreeMap<>();
    for (int i = 0; i < BODIES; i++) {
      byte[] body = FuzzedRequests.body(random);
      int status = 200;
      try {
        reader.read(new Body(body, body.length, body.length));
      } catch (RefusedRequestException e) {
        status = e.status();
        assertThat(Json.error(e.getMessage())).isNotEmpty();
        assertThat(e.getMessage())
            .as("seed %d, body %d", seed, i)
            .doesNotContain("Exception", "jackson");
      } catch (RuntimeException | Error e) {
        fail("seed %s, body %s: %s".formatted(seed, i, new String(body, ISO_8859_1)), e);
      }
      statuses.merge(status, 1, Integer::sum);
    }
    LOG.info("Bodies by status: {}", statuses);
    assertThat(statuses.keySet()).as("seed %d", seed).contains(200, 400).isSubsetOf(200, 400, 413);
  }
}
