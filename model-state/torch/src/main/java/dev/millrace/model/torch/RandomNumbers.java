package dev.millrace.model.torch;

import dev.millrace.model.Steps;
import java.util.function.Supplier;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Generator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The random numbers of networks that draw some, such as those with dropout. libtorch has one
 * generator a device for the whole process, so such networks compute their outputs one after the
 * other, each with a seed made of its replica's stream and the step. The first step shows whether a
 * network draws any; one that draws none takes no lock from then on.
 */
final class RandomNumbers {

  /** A class of libtorch's: each job has its own RandomNumbers, and the generator is one. */
  private static final Object LOCK = Generator.class;

  private final Generator generator;
  private long stream;
  private boolean tried;
  private boolean drawn = true;

  /** Holds the random numbers of a module on a device. */
  RandomNumbers(TorchDevice device, Natives natives) {
    try (PointerScope scope = new PointerScope()) {
      this.generator = natives.keep(torch.globalContext().defaultGenerator(device.device()));
    }
  }

  void setStream(long number) {
    stream = number;
  }

  /** Computes the outputs of the step that follows these. */
  Tensor during(Steps made, Supplier<Tensor> forward) {
    if (!drawn) {
      return forward.get();
    }
    synchronized (LOCK) {
      long seed = mix(mix(mix(stream) + made.iteration()) + made.ofUpdater());
      generator.set_current_seed(seed);
      return tried ? forward.get() : first(forward);
    }
  }

  private Tensor first(Supplier<Tensor> forward) {
    Tensor before = generator.get_state();
    Tensor outputs = forward.get();
    drawn = !before.equal(generator.get_state());
    tried = true;
    return outputs;
  }

  /** Neighbours get seeds that are far from each other (SplitMix64, Steele et al. 2014). */
  private static long mix(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
