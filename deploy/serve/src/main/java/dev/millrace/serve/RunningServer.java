package dev.millrace.serve;

import dev.millrace.job.follow.AgreeingModels;
import dev.millrace.job.follow.ModelWatch;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.serve.PredictionServer;
import dev.millrace.job.serve.ServerSettings;
import dev.millrace.model.InvalidModelException;
import dev.millrace.model.UnusableEngineException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All parts of a server: a watch for models, predictors, HTTP. */
final class RunningServer implements PredictionServer {

  private static final Logger LOG = LoggerFactory.getLogger(RunningServer.class);

  private final ServerMetrics metrics = new ServerMetrics();
  private final CompletableFuture<Void> failure = new CompletableFuture<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Duration drain;
  private final Predictors predictors;
  private final HttpFront http;
  private final Api api;
  private final ModelWatch watch;

  /**
   * @throws IOException if it can't listen, or a file that the settings name can't be used
   */
  RunningServer(ServerSettings settings) throws IOException {
    this.drain = settings.limits().drain();
    this.http = new HttpFront(settings.endpoint(), settings.limits(), metrics);
    this.predictors = new Predictors(settings.batching(), settings.device(), metrics);
    this.metrics.watch(predictors::waitingRows, predictors::newest);
    Inference inference =
        new Inference(settings.name(), predictors, settings.limits(), metrics, http.threads());
    this.api =
        new Api(settings.name(), new AccessToken(settings.endpoint().token()), inference, metrics);
    try {
      this.http.start(api);
    } catch (IOException e) {
      closePredictors();
      throw e;
    }
    this.watch =
        ModelWatch.start(settings.models(), new AgreeingModels(), settings.poll(), new Found());
  }

  /** What the watch finds, on its thread. */
  private final class Found implements ModelWatch.Listener {

    @Override
    public void publish(ServedModel model) {
      boolean first = predictors.newest().isEmpty();
      try {
        predictors.serve(model);
      } catch (UnusableEngineException e) {
        if (first) {
          throw e;
        }
        // The model before it still predicts.
        throw new InvalidModelException(e.getMessage(), e);
      }
      metrics.swapped();
      if (first) {
        LOG.info("Begins with model {}", model.version());
      } else {
        LOG.debug("Serves model {}", model.version());
      }
    }

    @Override
    public void refuse(String why) {
      metrics.refused();
    }

    @Override
    public void fail(Throwable cause) {
      failure.completeExceptionally(cause);
    }
  }

  @Override
  public URI address() {
    return http.address();
  }

  @Override
  public CompletableFuture<Void> failure() {
    return failure.copy();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    api.drain();
    try {
      Thread.sleep(drain.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    predictors.hurry();
    http.stop();
    watch.close();
    closePredictors();
  }

  private void closePredictors() {
    try {
      predictors.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
