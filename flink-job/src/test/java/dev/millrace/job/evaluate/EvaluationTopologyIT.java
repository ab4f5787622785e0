package dev.millrace.job.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.job.evaluate.report.EvaluatedModel;
import dev.millrace.job.evaluate.report.ReportSubject;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.TestEnvironment;
import dev.millrace.job.testing.TestModels;
import dev.millrace.kafka.record.ReceivedTypeInfo;
import dev.millrace.model.InitialModel;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluationTopologyIT {

  private static final int EXAMPLES = 2_000;

  /** Of this process, as are the tasks. */
  private static final AtomicInteger FAILURES_LEFT = new AtomicInteger();

  @TempDir Path directory;

  @Test
  void afterAFailureNothingCountsTwice() throws Exception {
    FAILURES_LEFT.set(2);
    InitialModel model = TestModels.random("linear", Blobs.SHAPE);
    Path json = directory.resolve("evaluation.json");
    StreamExecutionEnvironment environment = TestEnvironment.local(2, "hashmap", null, 5);

    new EvaluationTopology(
            new EvaluatedModel(model.spec(), model.vector(), null),
            new ReportSubject(
                new ReportSubject.Model("model.zip", null, "dl4j", "linear", 27, false),
                new ReportSubject.Data("blobs", null),
                Blobs.SHAPE,
                List.of("a", "b", "c")),
            json.toUri().toString())
        .ofFiles(environment, FailingBlobs::new, new ReceivedTypeInfo());
    // What evaluators have found is no state: from a checkpoint they would go on without it.
    assertThat(environment.getCheckpointConfig().isCheckpointingEnabled()).isFalse();
    environment.execute();

    JsonNode measures = new JsonMapper().readTree(json.toFile());
    assertThat(measures.get("examples").asLong()).isEqualTo(EXAMPLES);
    assertThat(FAILURES_LEFT).hasNonPositiveValue();
  }

  /** Fails in its midst, the first times. */
  private static final class FailingBlobs implements ExampleSequence {

    private final Blobs blobs = new Blobs(1);
    private int read;

    @Override
    public ExampleShape shape() {
      return Blobs.SHAPE;
    }

    @Override
    public long count() {
      return EXAMPLES;
    }

    @Override
    public boolean next(Example into) throws IOException {
      if (read == EXAMPLES) {
        return false;
      }
      if (read == EXAMPLES / 2 && FAILURES_LEFT.getAndDecrement() > 0) {
        throw new IOException("planted");
      }
      into.set(blobs.next());
      read++;
      return true;
    }

    @Override
    public void close() {}
  }
}
