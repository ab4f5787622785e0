package dev.millrace.serve;

import static dev.millrace.serve.ServerUnderTest.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.model.IdLists;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RequestQueueTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final AtomicBoolean otherWork = new AtomicBoolean();

  @Test
  void whatWaitsIsTakenTogetherUpToABatchAndInOrder() throws Exception {
    RequestQueue queue = new RequestQueue(4, Duration.ZERO, 100);
    List<Pending> requests = List.of(pending(2), pending(2), pending(3), pending(1), pending(9));
    requests.forEach(queue::offer);

    assertThat(take(queue)).isEqualTo(requests.subList(0, 2));
    assertThat(take(queue)).isEqualTo(requests.subList(2, 4));
    assertThat(queue.rows()).isEqualTo(9);
    assertThat(take(queue)).isEqualTo(requests.subList(4, 5));
    assertThat(queue.rows()).isZero();
  }

  @Test
  void aBatchWaitsForOthersUntilItIsFull() throws Exception {
    RequestQueue queue = new RequestQueue(2, LONG, 100);
    Pending first = pending(1);
    queue.offer(first);
    CompletableFuture<List<Pending>> taken = taking(queue);
    Pending second = pending(1);

    assertThat(taken).isNotDone();
    queue.offer(second);

    assertThat(taken.join()).containsExactly(first, second);
  }

  @Test
  void aBatchWaitsNoLongerThanItsFirstRequestMay() throws Exception {
    RequestQueue queue = new RequestQueue(2, Duration.ofMillis(50), 100);
    Pending first = pending(1);
    queue.offer(first);

    assertThat(take(queue)).containsExactly(first);

    assertThat(System.nanoTime() - first.since()).isGreaterThanOrEqualTo(50_000_000);
  }

  @Test
  void moreRowsThanMayWaitAreRefusedUnlessNoneWaits() throws Exception {
    RequestQueue queue = new RequestQueue(2, Duration.ZERO, 5);

    assertThat(queue.offer(pending(7))).isTrue();
    assertThat(queue.offer(pending(1))).isFalse();
    take(queue);
    assertThat(queue.offer(pending(4))).isTrue();
    assertThat(queue.offer(pending(2))).isFalse();
    assertThat(queue.offer(pending(1))).isTrue();
  }

  @Test
  void whatWaitsWhenItIsClosedIsStillTaken() throws Exception {
    RequestQueue queue = new RequestQueue(2, LONG, 100);
    Pending first = pending(1);
    queue.offer(first);

    queue.close();

    assertThat(queue.offer(pending(1))).isFalse();
    assertThat(queue.isClosed()).isFalse();
    assertThat(take(queue)).containsExactly(first);
    assertThat(queue.isClosed()).isTrue();
    assertThat(take(queue)).isEmpty();
  }

  @Test
  void whoeverWaitsComesBackForOtherWork() {
    RequestQueue queue = new RequestQueue(2, LONG, 100);
    CompletableFuture<List<Pending>> taken = taking(queue);

    otherWork.set(true);
    queue.wake();

    await().atMost(PATIENCE).until(taken::isDone);
    assertThat(taken.join()).isEmpty();
  }

  /** A thread that is woken for a request may have been asked for other work meanwhile. */
  @Test
  void aRequestThatIsLeftBehindIsTakenByAnother() throws Exception {
    RequestQueue queue = new RequestQueue(2, Duration.ZERO, 100);
    CompletableFuture<List<Pending>> asked = new CompletableFuture<>();
    Thread first = new Thread(() -> complete(asked, () -> queue.take(otherWork::get)));
    first.start();
    awaitWaiting(first);
    CompletableFuture<List<Pending>> taken = new CompletableFuture<>();
    Thread second = new Thread(() -> complete(taken, () -> queue.take(() -> false)));
    second.start();
    awaitWaiting(second);
    Pending request = pending(1);

    otherWork.set(true);
    queue.offer(request);

    assertThat(asked.get(PATIENCE.toMinutes(), TimeUnit.MINUTES)).isEmpty();
    assertThat(taken.get(PATIENCE.toMinutes(), TimeUnit.MINUTES)).containsExactly(request);
  }

  private static void awaitWaiting(Thread thread) {
    await().atMost(PATIENCE).until(() -> thread.getState() == Thread.State.WAITING);
  }

  private static <T> void complete(CompletableFuture<T> result, Callable<T> work) {
    try {
      result.complete(work.call());
    } catch (Exception e) {
      result.completeExceptionally(e);
    }
  }

  private List<Pending> take(RequestQueue queue) throws InterruptedException {
    return queue.take(otherWork::get);
  }

  private CompletableFuture<List<Pending>> taking(RequestQueue queue) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return take(queue);
          } catch (InterruptedException e) {
            throw new CompletionException(e);
          }
        });
  }

  private static Pending pending(int rows) {
    return new Pending(
        new InferRequest(null, rows, new float[rows], new String[0], IdLists.NONE, 0, List.of()),
        System.nanoTime());
  }
}
