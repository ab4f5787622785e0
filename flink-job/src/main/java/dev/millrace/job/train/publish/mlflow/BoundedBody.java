package dev.millrace.job.train.publish.mlflow;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** The body of an answer, as far as memory is given to it: a longer one fails the request. */
final class BoundedBody implements BodySubscriber<byte[]> {

  private final int most;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private Flow.Subscription subscription;

  /**
   * @param most number of bytes
   */
  BoundedBody(int most) {
    this.most = most;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription begun) {
    subscription = begun;
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    for (ByteBuffer part : parts) {
      if (part.remaining() > most - bytes.size()) {
        subscription.cancel();
        body.completeExceptionally(
            new IOException(
                String.format(Locale.ROOT, "the answer has more than %,d bytes", most)));
        return;
      }
      byte[] read = new byte[part.remaining()];
      part.get(read);
      bytes.writeBytes(read);
    }
  }

  @Override
  public void onError(Throwable cause) {
    body.completeExceptionally(cause);
  }

  @Override
  public void onComplete() {
    body.complete(bytes.toByteArray());
  }
}
