package dev.millrace.serve;

import dev.millrace.job.serve.PredictionRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@link SwappedModelsTest} does, for longer. */
@Tag("slow")
class SwappedModelsIT {

  private static final int VERSIONS = 200;

  @ParameterizedTest
  @EnumSource(names = {"ENGINE", "ONNX"})
  void twoHundredVersionsAreFollowedWithoutAFailedAnswer(
      PredictionRuntime runtime, @TempDir Path temporary) throws Exception {
    SwappedModelsTest.check(
        Files.createDirectories(temporary.resolve("models")), runtime, VERSIONS);
  }
}
