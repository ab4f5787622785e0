package dev.millrace.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.InitialModel;
import dev.millrace.model.testing.SummingEngine;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class CachedInitialModelTest {

  private final StreamExecutionEnvironment environment =
      StreamExecutionEnvironment.createLocalEnvironment(1);

  @Test
  void travelsAsAFileUntilTheJobIsSubmitted() throws IOException, ClassNotFoundException {
    InitialModel model =
        new InitialModel(SummingEngine.spec(3), new float[] {1, 2, Float.MIN_VALUE}, 7, null);

    byte[] inTheGraph =
        InstantiationUtil.serializeObject(CachedInitialModel.of(model, environment, ""));

    assertThat(inTheGraph).hasSizeLessThan(200);
    Path file = Path.of(URI.create(environment.getCachedFiles().iterator().next().f1.filePath));
    try (InputStream in = Files.newInputStream(file)) {
      InitialModel read = InstantiationUtil.deserializeObject(in, getClass().getClassLoader());
      assertThat(read.vector()).containsExactly(model.vector());
      assertThat(read.spec()).isEqualTo(model.spec());
      assertThat(read.iteration()).isEqualTo(7);
    }

    environment.getJobListeners().forEach(listener -> listener.onJobSubmitted(null, null));
    assertThat(file).doesNotExist();
  }
}
