package dev.millrace.serve;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/**
 * The body of a request. It takes memory as its bytes come, not for the length that its headers
 * claim, and no more than the budget has.
 *
 * <p>A request has one reader at a time: whoever answers it before it is whole reads what is left
 * of it, so its end by time waits until nobody else reads. Two at once would give a buffer back
 * twice, and then two connections have it.
 */
final class RequestBody {

  private static final int FIRST_BYTES = 4 << 10;
  private static final int MOST_ARRAY = Integer.MAX_VALUE - 8;

  private final Request request;
  private final int most;

  /** A body has the length that is told, or may have more. */
  private final int room;

  private final BodyBudget budget;
  private final BodyBudget.Share share;
  private final CompletableFuture<RequestBody> whole = new CompletableFuture<>();

  /** Whether its time is over: whoever reads stops. */
  private volatile boolean late;

  // Of one thread after the other: whichever Jetty reads with.
  private byte[] bytes = new byte[0];
  private int length;

  /**
   * @param maxBody most bytes that it may have
   */
  RequestBody(Request request, long maxBody, BodyBudget budget) {
    this.request = request;
    this.most = (int) Math.min(maxBody, MOST_ARRAY);
    this.room = request.getLength() < 0 ? most : (int) Math.min(request.getLength(), most);
    this.budget = budget;
    this.share = budget.share(1);
  }

  /**
   * Begins to read.
   *
   * @param nanos time that it has
   * @param executor ends it when its time is over
   * @return completes with this when all of it is there, and exceptionally with a {@link
   *     RefusedRequestException} where it is too long or there is no room, or with a {@link
   *     java.util.concurrent.TimeoutException}; nobody reads the request any more then
   * @throws RefusedRequestException if that is clear before a byte is read
   */
  @SuppressWarnings("FutureReturnValueIgnored") // Each outcome of it is an outcome of the body.
  CompletableFuture<RequestBody> read(long nanos, Executor executor)
      throws RefusedRequestException {
    long told = request.getLength();
    if (told > most) {
      throw tooLong();
    }
    if (!budget.hasRoomFor(told)) {
      throw budget.noRoom();
    }
    Request.addCompletionListener(request, failure -> share.close());
    CompletableFuture<Void> time =
        new CompletableFuture<Void>().orTimeout(nanos, TimeUnit.NANOSECONDS);
    time.exceptionally(
        over -> {
          late = true;
          executor.execute(() -> end(over));
          return null;
        });
    whole.whenComplete((body, failure) -> time.complete(null));
    readOn();
    return whole;
  }

  /** Ends it, when nobody reads. */
  private synchronized void end(Throwable failure) {
    whole.completeExceptionally(failure);
  }

  private synchronized void readOn() {
    while (!whole.isDone() && !late) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        request.demand(this::readOn);
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        whole.completeExceptionally(chunk.getFailure());
        return;
      }
      try {
        add(chunk.getByteBuffer());
      } catch (RefusedRequestException | RuntimeException | Error e) {
        whole.completeExceptionally(e);
      } finally {
        chunk.release();
      }
      if (chunk.isLast()) {
        whole.complete(this);
      }
    }
  }

  private void add(ByteBuffer more) throws RefusedRequestException {
    int count = more.remaining();
    if (count > most - length) {
      throw tooLong();
    }
    if (length + count > bytes.length) {
      long wanted = Math.max(FIRST_BYTES, Math.max(2L * bytes.length, length + count));
      int capacity = (int) Math.min(room, wanted);
      if (!share.growTo(capacity)) {
        throw budget.noRoom();
      }
      bytes = Arrays.copyOf(bytes, capacity);
    }
    more.get(bytes, length, count);
    length += count;
  }

  private RefusedRequestException tooLong() {
    return new RefusedRequestException(
        HttpStatus.PAYLOAD_TOO_LARGE_413,
        "The body has more than %s bytes, which is the most that this server takes; send fewer rows at once"
            .formatted(most));
  }

  /** Its bytes; those behind its length are none of it. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /**
   * Returns what was sent.
   *
   * @param jsonLengthOrNull the header that says how long the JSON is
   * @throws RefusedRequestException if that is no such length
   */
  Body body(String jsonLengthOrNull) throws RefusedRequestException {
    try {
      int json = jsonLengthOrNull == null ? length : Integer.parseInt(jsonLengthOrNull);
      if (json >= 0 && json <= length) {
        return new Body(bytes, length, json);
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw RefusedRequestException.bad(
        "%s is \"%s\"; it must be the bytes of JSON in the body, which has %s"
            .formatted(Inference.JSON_LENGTH, Tokens.shorten(jsonLengthOrNull), length));
  }

  /** Lets others have its memory. It has no bytes any more. */
  void release() {
    bytes = new byte[0];
    length = 0;
    share.close();
  }
}
