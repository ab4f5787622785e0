package dev.millrace.serve.grpc;

import dev.millrace.serve.PredictionService;
import dev.millrace.serve.RefusedRequestException;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A call with one message, and its one answer. */
final class UnaryCall extends ServerCall.Listener<byte[]> {

  private final ServerCall<byte[], byte[]> call;
  private final String api;
  private final InferenceService.Method method;
  private final PredictionService service;
  private final CallMemory memory;
  private final long begun = System.nanoTime();
  private final CompletableFuture<byte[]> answer = new CompletableFuture<>();

  // Of the call's events alone, which come one after the other.
  private byte[] message;

  /**
   * @param memory that its message takes, which is given back once it is read
   * @param timeout from now to the answer; a client may set a shorter one
   */
  @SuppressWarnings("FutureReturnValueIgnored") // Each outcome of it ends the call.
  UnaryCall(
      ServerCall<byte[], byte[]> call,
      String api,
      InferenceService.Method method,
      PredictionService service,
      CallMemory memory,
      Duration timeout) {
    this.call = call;
    this.api = api;
    this.method = method;
    this.service = service;
    this.memory = memory;
    answer.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS).whenComplete(this::end);
  }

  @Override
  public void onMessage(byte[] next) {
    if (message == null) {
      message = next;
    } else {
      refuse(RefusedRequestException.bad("The call has two messages; send one"));
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // Each outcome of it completes the answer.
  public void onHalfClose() {
    if (answer.isDone()) {
      return;
    }
    if (message == null) {
      refuse(RefusedRequestException.bad("The call has no message; send one"));
      return;
    }
    try {
      CompletableFuture<byte[]> found = method.answer(message, begun);
      found.whenComplete(
          (bytes, failure) -> {
            if (failure == null) {
              answer.complete(bytes);
            } else {
              answer.completeExceptionally(failure);
            }
          });
      answer.whenComplete((any, failure) -> found.cancel(false));
    } catch (RefusedRequestException | RuntimeException e) {
      answer.completeExceptionally(e);
    } finally {
      message = new byte[0];
      memory.giveBack();
    }
  }

  @Override
  public void onCancel() {
    answer.cancel(false);
  }

  void refuse(RefusedRequestException why) {
    answer.completeExceptionally(why);
  }

  /** Ends the call: the answer completes once. */
  private void end(byte[] bytes, Throwable failure) {
    if (failure instanceof CancellationException) {
      // Nobody waits any more, or the client's own time is over: gRPC has ended the call.
      service.answered(api, 499);
      return;
    }
    RefusedRequestException refused = failure == null ? null : service.refusal(failure);
    service.answered(api, refused == null ? 200 : refused.status());
    synchronized (call) {
      if (call.isCancelled()) {
        return;
      }
      if (refused == null) {
        call.sendHeaders(new Metadata());
        call.sendMessage(bytes);
        call.close(Status.OK, new Metadata());
      } else {
        call.close(status(refused.status()).withDescription(refused.getMessage()), new Metadata());
      }
    }
  }

  private static Status status(int http) {
    return switch (http) {
      case 401 -> Status.UNAUTHENTICATED;
      case 404 -> Status.NOT_FOUND;
      case 413 -> Status.RESOURCE_EXHAUSTED;
      case 503 -> Status.UNAVAILABLE;
      case 504 -> Status.DEADLINE_EXCEEDED;
      default -> http < 500 ? Status.INVALID_ARGUMENT : Status.INTERNAL;
    };
  }
}
