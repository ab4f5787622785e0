package dev.millrace.model.dl4j;

import dev.millrace.model.LayerDescription;
import dev.millrace.model.io.HeapRoom;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.util.Locale;
import org.bytedeco.javacpp.Pointer;

/** What ND4J may still take of native memory, asked before a network takes its arrays there. */
final class NativeRoom {

  /** A network has its parameters and their gradients. */
  private static final int ARRAYS = 2;

  /** An example that a network is tried with, in a minibatch and as rows of ND4J's. */
  private static final int COPIES = 4;

  private NativeRoom() {}

  /**
   * Checks that there is room for a network and an example.
   *
   * @throws InvalidModelException if there is none, or the configuration tells no sizes
   */
  static void require(Network network, ExampleShape shape, String origin) {
    HeapRoom.require(
        ((long) shape.features() + shape.labels()) * Float.BYTES * COPIES, "An example for it");
    long bytes = (long) parameters(network, origin) * Float.BYTES * ARRAYS;
    long most = Pointer.maxBytes();
    long left = most - Pointer.totalBytes();
    if (most > 0 && bytes > left) {
      throw new InvalidModelException(
          String.format(
              Locale.ROOT,
              "%s takes %,d MB of native memory, and this process may take %,d MB more; give it"
                  + " more (-Dorg.bytedeco.javacpp.maxbytes=…), or publish a smaller model",
              origin,
              bytes >> 20,
              left >> 20));
    }
  }

  private static int parameters(Network network, String origin) {
    try {
      return network.layers().descriptions().stream()
          .map(LayerDescription::parameters)
          .mapToInt(range -> range.to())
          .max()
          .orElse(0);
    } catch (RuntimeException e) {
      throw new InvalidModelException(
          "%s is no network that can be computed: %s".formatted(origin, e.getMessage()), e);
    }
  }
}
