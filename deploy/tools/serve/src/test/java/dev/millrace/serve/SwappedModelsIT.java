package dev.millrace.serve;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@link SwappedModelsTest} does, for longer. */
@Tag("slow")
class SwappedModelsIT {

  private static final int VERSIONS = 200;

  @Test
  void twoHundredVersionsAreFollowedWithoutAFailedAnswer(@TempDir Path temporary) throws Exception {
    SwappedModelsTest.check(Files.createDirectories(temporary.resolve("models")), VERSIONS);
  }
}
