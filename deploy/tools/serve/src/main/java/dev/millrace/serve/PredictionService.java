package dev.millrace.serve;

import dev.millrace.job.follow.ServedModel;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server does for a {@link Front}: the same predictions, by the same rules, counted with
 * those of HTTP.
 *
 * <p>Thread-safe.
 */
public final class PredictionService {

  private static final Logger LOG = LoggerFactory.getLogger(PredictionService.class);

  private final String name;
  private final AccessToken token;
  private final Readiness readiness;
  private final ReaderPool<RequestReader> readers;
  private final Predictions predictions;
  private final BodyBudget bodies;
  private final ServerMetrics metrics;

  PredictionService(
      String name,
      AccessToken token,
      Readiness readiness,
      ReaderPool<RequestReader> readers,
      Predictions predictions,
      BodyBudget bodies,
      ServerMetrics metrics) {
    this.name = name;
    this.token = token;
    this.readiness = readiness;
    this.readers = readers;
    this.predictions = predictions;
    this.bodies = bodies;
    this.metrics = metrics;
  }

  /** Returns the model's name. */
  public String name() {
    return name;
  }

  /** Returns the memory for requests, HTTP's among them. */
  public BodyBudget bodies() {
    return bodies;
  }

  /** Whether requests are answered now. */
  public boolean isReady() {
    try {
      readiness.requireReady(Optional.empty());
      return true;
    } catch (RefusedRequestException e) {
      return false;
    }
  }

  /** Whether a model is served, and is the one that is meant. */
  public boolean isReady(String model, Optional<String> version) throws RefusedRequestException {
    requireName(model);
    readiness.requireModel(version);
    return isReady();
  }

  /**
   * Checks who asks.
   *
   * @param authorizationOrNull the header of that name
   * @throws RefusedRequestException if it doesn't show the token that there is
   */
  public void requireAccess(String authorizationOrNull) throws RefusedRequestException {
    if (!token.admits(authorizationOrNull)) {
      throw AccessToken.refusal();
    }
  }

  /** Describes the model. */
  public ModelDescription describe(String model, Optional<String> version)
      throws RefusedRequestException {
    requireName(model);
    ServedModel served = readiness.requireModel(version);
    return ModelDescription.of(
        name, served.version().toString(), served.spec().engine(), Signature.of(served));
  }

  /**
   * Predicts.
   *
   * @param begun when the request's first byte came, as {@link System#nanoTime}
   * @param executor makes the answer
   * @return the answer; whoever cancels it has the request left out of its batch
   * @throws RefusedRequestException if it can't be answered
   */
  @SuppressWarnings("FutureReturnValueIgnored") // What is done behind the answer ends nothing.
  public CompletableFuture<TensorAnswer> infer(TensorRequest request, long begun, Executor executor)
      throws RefusedRequestException {
    requireName(request.model());
    ServedModel model = readiness.requireModel(request.version());
    InferRequest read = readers.read(model, reader -> reader.read(request));
    CompletableFuture<Answer> predicted = predictions.predict(read, begun);
    CompletableFuture<TensorAnswer> answer =
        predicted.thenApplyAsync(found -> answer(request, read, found), executor);
    answer.whenComplete(
        (any, failure) -> {
          if (failure != null) {
            predicted.completeExceptionally(failure);
          }
          metrics.took(Duration.ofNanos(System.nanoTime() - begun));
        });
    return answer;
  }

  private TensorAnswer answer(TensorRequest request, InferRequest read, Answer answer) {
    try {
      // It was served when the request came; another may have predicted since.
      Readiness.requireVersion(answer.model(), request.version());
    } catch (RefusedRequestException e) {
      throw new CompletionException(e);
    }
    List<RawTensor> outputs = new ArrayList<>();
    for (WantedOutput wanted : read.outputs()) {
      OutputRows rows = new OutputRows(read, answer, wanted.tensor());
      outputs.add(
          new RawTensor(
              wanted.tensor().name(),
              wanted.tensor().type().name(),
              rows.shape(),
              ByteBuffer.wrap(rows.bytes())));
    }
    return new TensorAnswer(name, answer.model().version().toString(), request.id(), outputs);
  }

  private void requireName(String model) throws RefusedRequestException {
    if (!model.equals(name)) {
      throw Readiness.noModel(model, name);
    }
  }

  /** Returns what a client is told of why a request wasn't answered. */
  public RefusedRequestException refusal(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof RefusedRequestException refused) {
      return refused;
    }
    if (cause instanceof TimeoutException) {
      return predictions.late();
    }
    LOG.error("A request failed", cause);
    return new RefusedRequestException(
        HttpStatus.INTERNAL_SERVER_ERROR_500, "The server failed; its log says why");
  }

  /**
   * Counts an answer.
   *
   * @param api one of a few names
   * @param status that HTTP would have
   */
  public void answered(String api, int status) {
    metrics.answered(api, status);
  }
}
