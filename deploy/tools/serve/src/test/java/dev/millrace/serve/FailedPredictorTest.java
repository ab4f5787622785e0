package dev.millrace.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.serve.Batching;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.IdLists;
import dev.millrace.model.device.DeviceRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.Test;

class FailedPredictorTest {

  /** A log that can't be written to, as where there is no memory for a line of it. */
  private static final class FullLog extends AbstractAppender {

    FullLog() {
      super("full", null, null, false, Property.EMPTY_ARRAY);
    }

    @Override
    public void append(LogEvent event) {
      throw new OutOfMemoryError("in a test");
    }
  }

  @Test
  void aThreadThatEndsIsTold() throws Exception {
    CompletableFuture<Throwable> failed = new CompletableFuture<>();
    Predictors predictors =
        new Predictors(
            new Batching(1, 8, Duration.ZERO, 100),
            DeviceRequest.any(),
            new ServerMetrics(),
            failed::complete);
    GlobalModel model = TellingModels.model(TellingModels.SHAPE, 1);
    predictors.serve(
        PredictingModel.ofEngine(
            new ServedModel(
                model.spec(), model.version(), Instant.now(), model.vector(), null, List.of())));
    // It has fewer features than its row, and so predicting fails.
    Pending pending =
        new Pending(
            new InferRequest(null, 1, new float[0], new String[0], IdLists.NONE, 0, List.of()),
            System.nanoTime());
    Logger log = (Logger) LogManager.getLogger(Predictor.class);
    FullLog full = new FullLog();
    full.start();
    log.addAppender(full);
    try {
      predictors.offer(pending);

      assertThat(failed.get(1, TimeUnit.MINUTES)).isNotNull();
    } finally {
      log.removeAppender(full);
    }
    predictors.close();
  }

  @Test
  void aServerThatHasFailedIsNotReady() throws Exception {
    Readiness readiness =
        new Readiness(
            () -> {
              GlobalModel model = TellingModels.model(TellingModels.SHAPE, 1);
              return Optional.of(
                  new ServedModel(
                      model.spec(),
                      model.version(),
                      Instant.now(),
                      model.vector(),
                      null,
                      List.of()));
            });
    readiness.requireReady(Optional.empty());

    readiness.fail();

    assertThatThrownBy(() -> readiness.requireReady(Optional.empty()))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessageContaining("has failed");
  }
}
