package dev.millrace.exchange.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.block.BlockUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class FeedbackChannelTest {

  private final FeedbackChannel channel = new FeedbackChannel();
  private final List<BlockUpdate> received = new ArrayList<>();

  @Test
  void givesOutTheNewestUpdateOfEachBlock() {
    channel.offer(update(0, 1));
    channel.offer(update(1, 1));
    channel.offer(update(0, 2));

    drain();

    assertThat(received).containsExactly(update(0, 2), update(1, 1));
    drain();
    assertThat(received).hasSize(2);
  }

  @Test
  void keepsTheNewerUpdateWhenAnOlderOneComesLater() {
    channel.offer(update(0, 2));
    channel.offer(update(0, 1));

    drain();

    assertThat(received).containsExactly(update(0, 2));
  }

  @Test
  void signalsOnceUntilItIsDrained() {
    Semaphore signals = new Semaphore(0);
    channel.listen(signals::release);
    channel.offer(update(0, 1));
    channel.offer(update(1, 1));
    assertThat(signals.availablePermits()).isEqualTo(1);

    drain();
    channel.offer(update(0, 2));

    assertThat(signals.availablePermits()).isEqualTo(2);
  }

  @Test
  void tellsALateListenerWhatWaits() {
    channel.offer(update(0, 1));
    Semaphore signals = new Semaphore(0);

    channel.listen(signals::release);

    assertThat(signals.availablePermits()).isEqualTo(1);
  }

  @Test
  void keepsNothingForAReplicaThatHasEnded() {
    channel.offer(update(0, 1));
    channel.end();
    channel.offer(update(0, 2));

    drain();

    assertThat(received).isEmpty();
  }

  @Test
  void losesNoBlockBetweenTwoThreads() throws InterruptedException {
    int rounds = 20_000;
    Semaphore signals = new Semaphore(0);
    channel.listen(signals::release);
    Thread sink =
        new Thread(
            () -> {
              for (int round = 1; round <= rounds; round++) {
                channel.offer(update(round % 3, round));
              }
            });
    sink.start();
    long[] newest = new long[3];
    while (newest[0] < rounds - 2 || newest[1] < rounds - 2 || newest[2] < rounds - 2) {
      signals.acquire();
      channel.drain(
          (head, standing) -> {},
          update -> {
            assertThat(update.round()).isGreaterThan(newest[update.block()]);
            newest[update.block()] = update.round();
          });
    }
    sink.join();
  }

  private void drain() {
    channel.drain((head, standing) -> {}, received::add);
  }

  private static BlockUpdate update(int block, long round) {
    return new BlockUpdate(block, round, NO_VALUES);
  }

  private static final float[] NO_VALUES = new float[0];
}
