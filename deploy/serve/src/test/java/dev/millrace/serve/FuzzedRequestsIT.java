package dev.millrace.serve;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@link FuzzedRequestsTest} does, for longer. */
@Tag("slow")
class FuzzedRequestsIT {

  private static final int COUNT = 10_000;

  @Test
  void tenThousandRequestsThatAreWrongBringNothingDown(@TempDir Path directory) throws Exception {
    FuzzedRequestsTest.check(directory, COUNT);
  }
}
