package dev.millrace.model.torch;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Generator;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The random numbers of networks that draw some, such as those with dropout. libtorch has one
 * generator a device for the whole process, so such networks compute their outputs one after the
 * other, each with a seed made of its replica's stream and the step. Networks that draw none take
 * no lock.
 */
final class RandomNumbers {

  private static final ReentrantLock GENERATORS = new ReentrantLock();

  /** What random operations are called; a name too many costs a lock, one too few the bits. */
  private static final Pattern RANDOM =
      Pattern.compile(
          "dropout|rand|bernoulli|normal_|torch\\.normal|multinomial|exponential_|uniform|poisson"
              + "|cauchy|geometric_|log_normal|rrelu|fractional_max_pool|gumbel");

  private final boolean drawn;
  private final Generator generator;
  private long stream;

  /** For a module on a device. */
  RandomNumbers(JitModule module, TorchDevice device, Natives natives) {
    try (PointerScope scope = new PointerScope();
        BytePointer code = module.dump_to_str(true, false, false)) {
      this.drawn = RANDOM.matcher(code.getString()).find();
      this.generator =
          drawn ? natives.keep(torch.globalContext().defaultGenerator(device.device())) : null;
    }
  }

  boolean areDrawn() {
    return drawn;
  }

  void setStream(long number) {
    stream = number;
  }

  /** Computes the outputs of the step that follows so many. */
  Tensor during(long iteration, Supplier<Tensor> forward) {
    if (!drawn) {
      return forward.get();
    }
    GENERATORS.lock();
    try {
      generator.set_current_seed(mix(mix(stream) + iteration));
      return forward.get();
    } finally {
      GENERATORS.unlock();
    }
  }

  /** Neighbours get seeds that are far from each other (SplitMix64, Steele et al. 2014). */
  private static long mix(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
