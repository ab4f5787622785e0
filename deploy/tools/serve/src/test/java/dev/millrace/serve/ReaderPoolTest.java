package dev.millrace.serve;

import static dev.millrace.serve.ServerUnderTest.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.GlobalModel;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReaderPoolTest {

  private final AtomicInteger made = new AtomicInteger();
  private final ReaderPool<Integer> readers = new ReaderPool<>(model -> made.incrementAndGet());

  @Test
  void aReaderIsOfOneModelAndKeepsItFromNobody() throws Exception {
    ServedModel model = model(1);
    WeakReference<ServedModel> old = new WeakReference<>(model);
    readers.read(model, reader -> null);
    readers.read(model, reader -> null);
    assertThat(made).hasValue(1);

    model = model(2);

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(old.get()).isNull();
            });
    readers.read(model, reader -> null);
    assertThat(made).hasValue(2);
  }

  private static ServedModel model(int round) {
    GlobalModel model = TellingModels.model(TellingModels.SHAPE, round);
    return new ServedModel(
        model.spec(), model.version(), Instant.EPOCH, model.vector(), null, List.of());
  }
}
