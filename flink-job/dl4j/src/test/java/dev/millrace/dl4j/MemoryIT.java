package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import org.bytedeco.javacpp.Pointer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hundred calls of fit take no more memory than twenty. */
@Tag("nightly")
class MemoryIT {

  private static final long MEGABYTE = 1L << 20;
  private static final long MOST_HEAP = 32 * MEGABYTE;
  private static final long MOST_NATIVE = 16 * MEGABYTE;

  @Test
  void memoryStaysTheSame() {
    MultiLayerNetwork network = Examples.network();
    try (ParallelWrapper wrapper = new ParallelWrapper.Builder<>(network).workers(2).build()) {
      fit(wrapper, 20);
      long heap = heap();
      long outside = Pointer.totalBytes();
      int threads = Thread.activeCount();

      fit(wrapper, 80);

      assertThat(heap() - heap).isLessThan(MOST_HEAP);
      assertThat(Pointer.totalBytes() - outside).isLessThan(MOST_NATIVE);
      assertThat(Thread.activeCount() - threads).isLessThan(10);
    }
  }

  private static void fit(ParallelWrapper wrapper, int times) {
    for (int i = 0; i < times; i++) {
      wrapper.fit(Examples.iterator(i, 4, 16));
    }
  }

  private static long heap() {
    System.gc();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    long used = runtime.totalMemory() - runtime.freeMemory();
    System.out.println("heap " + used + ", native " + Pointer.totalBytes());
    return used;
  }
}
