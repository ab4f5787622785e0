package dev.millrace.registry;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Takes an answer's bytes, up to a number; a longer one is let go of. */
public final class BoundedBody implements BodySubscriber<byte[]> {

  private final int most;
  private final BodySubscriber<byte[]> taken = BodySubscribers.ofByteArray();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private Flow.Subscription subscription;
  private long found;

  /**
   * @param most number of bytes
   */
  public BoundedBody(int most) {
    this.most = most;
    taken.getBody().thenAccept(body::complete);
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription begun) {
    subscription = begun;
    taken.onSubscribe(begun);
  }

  @Override
  public void onNext(List<ByteBuffer> bytes) {
    found += bytes.stream().mapToLong(ByteBuffer::remaining).sum();
    if (found > most) {
      subscription.cancel();
      onError(new IOException("an answer of more than %s bytes".formatted(most)));
    } else {
      taken.onNext(bytes);
    }
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    taken.onComplete();
  }
}
