package dev.millrace.serve;

import dev.millrace.http.ConnectionLimits;
import dev.millrace.http.ForeignPages;
import dev.millrace.job.follow.AgreeingModels;
import dev.millrace.job.follow.ModelWatch;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.serve.Endpoint;
import dev.millrace.job.serve.Endpoint.Access;
import dev.millrace.job.serve.Limits;
import dev.millrace.job.serve.PredictionServer;
import dev.millrace.job.serve.SecretFile;
import dev.millrace.job.serve.ServerSettings;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InvalidModelException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All parts of a server: a watch for models, predictors, HTTP. */
final class RunningServer implements PredictionServer {

  private static final Logger LOG = LoggerFactory.getLogger(RunningServer.class);

  /** What the headers of a request may take at most. */
  private static final Duration HEADERS = Duration.ofSeconds(10);

  /** A port for health takes more connections than anybody has probes. */
  private static final ConnectionLimits HEALTH = new ConnectionLimits(64, 64, HEADERS, HEADERS);

  private final ServerMetrics metrics = new ServerMetrics();
  private final CompletableFuture<Void> failure = new CompletableFuture<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Duration drain;
  private final ModelOpener opener;
  private final Predictors predictors;
  private final Readiness readiness;
  private final ExecutorService readers;
  private final HttpFront http;
  private final Optional<HttpFront> health;
  private final Optional<Front> grpc;
  private final ModelWatch watch;

  /**
   * @throws IOException if it can't listen, or a file that the settings name can't be used
   */
  RunningServer(ServerSettings settings) throws IOException {
    Endpoint endpoint = settings.endpoint();
    Limits limits = settings.limits();
    this.drain = limits.drain();
    this.opener = new ModelOpener(settings.runtime(), settings.device());
    this.http = new HttpFront(endpoint, connections(limits), metrics);
    this.health =
        endpoint.healthPort().isPresent()
            ? Optional.of(new HttpFront(ofHealth(endpoint), HEALTH, metrics))
            : Optional.empty();
    AccessToken token = new AccessToken();
    if (endpoint.access() instanceof Access.Token shown) {
      http.reread(
          RereadFiles.read(
              List.of(shown.file()), () -> token.become(SecretFile.read(shown.file()))));
    }
    this.predictors = new Predictors(settings.batching(), settings.device(), metrics, this::failed);
    this.readiness = new Readiness(predictors::newest);
    this.readers =
        Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(), RunningServer::reader);
    BodyBudget bodies = BodyBudget.ofHeap(limits.maxBody(), limits.maxConnections());
    this.metrics.watch(
        predictors::waitingRows, bodies::taken, predictors::newest, predictors::byRuntime);
    Vitals vitals = new Vitals(readiness, metrics);
    Predictions predictions = new Predictions(predictors, limits);
    Inference inference =
        new Inference(readiness, predictions, limits, bodies, metrics, readers, http.threads());
    ReaderPool<RequestReader> tensors =
        new ReaderPool<>(model -> new RequestReader(Signature.of(model), limits.maxRows()));
    ForeignPages pages =
        new ForeignPages(endpoint.access() instanceof Access.ThisMachine, endpoint.host());
    try {
      http.start(
          new Api(
              settings.name(),
              token,
              pages,
              vitals,
              readiness,
              inference,
              new TensorForm(settings.name(), tensors),
              new RecordForm(settings.name(), limits.maxRows()),
              metrics));
      if (health.isPresent()) {
        health.get().start(vitals);
      }
      this.grpc =
          endpoint.grpcPort().isPresent()
              ? Optional.of(
                  startGrpc(
                      settings,
                      new PredictionService(
                          settings.name(),
                          token,
                          readiness,
                          tensors,
                          predictions,
                          bodies,
                          metrics)))
              : Optional.empty();
    } catch (IOException e) {
      http.stop();
      end();
      throw e;
    }
    this.watch =
        ModelWatch.start(
            settings.models(), new AgreeingModels(settings.models()), settings.poll(), new Found());
  }

  private Front startGrpc(ServerSettings settings, PredictionService service) throws IOException {
    Endpoint endpoint = settings.endpoint();
    Front front =
        Front.find()
            .orElseThrow(
                () ->
                    new IOException(
                        "This server has no gRPC: its jars aren't on the class path; get opt/serve"
                            + " back from the distribution"))
            .start(endpoint, settings.limits(), service);
    if (endpoint.tls().isPresent()) {
      http.reread(RereadFiles.read(KeyMaterial.files(endpoint.tls().get()), front::rereadKeys));
    }
    return front;
  }

  private static ConnectionLimits connections(Limits limits) {
    Duration timeout = limits.timeout();
    return ConnectionLimits.of(
        limits.maxConnections(),
        timeout.compareTo(HEADERS) < 0 ? timeout : HEADERS,
        timeout.multipliedBy(2));
  }

  private static Endpoint ofHealth(Endpoint endpoint) {
    return new Endpoint(
        endpoint.host(),
        endpoint.healthPort().orElseThrow(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        new Access.Anybody());
  }

  private static Thread reader(Runnable work) {
    Thread thread = new Thread(work, "millrace-http-reader");
    thread.setDaemon(true);
    return thread;
  }

  private void failed(Throwable cause) {
    readiness.fail();
    failure.completeExceptionally(cause);
  }

  /** What the watch finds, on its thread. */
  private final class Found implements ModelWatch.Listener {

    @Override
    public void publish(ServedModel model) {
      boolean first = predictors.newest().isEmpty();
      try {
        serve(opener.open(model));
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

    private void serve(PredictingModel model) {
      boolean served = false;
      try {
        predictors.serve(model);
        served = true;
      } finally {
        if (!served) {
          model.retire();
        }
      }
    }

    @Override
    public void refuse(String why) {
      metrics.refused();
    }

    @Override
    public void fail(Throwable cause) {
      failed(cause);
    }
  }

  @Override
  public URI address() {
    return http.address();
  }

  @Override
  public Optional<URI> healthAddress() {
    return health.map(HttpFront::address);
  }

  @Override
  public Optional<URI> grpcAddress() {
    return grpc.map(Front::address);
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
    readiness.drain();
    boolean interrupted = false;
    try {
      Thread.sleep(drain.toMillis());
    } catch (InterruptedException e) {
      // It ends the pause alone: requests are still answered, and threads ended.
      interrupted = true;
    }
    predictors.hurry();
    grpc.ifPresent(Front::stop);
    http.stop();
    watch.close();
    end();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Health is told until the last. */
  private void end() {
    try {
      readers.shutdown();
      // Requests have their answers by now.
      readers.awaitTermination(1, TimeUnit.SECONDS);
      predictors.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    opener.close();
    health.ifPresent(HttpFront::stop);
  }
}
