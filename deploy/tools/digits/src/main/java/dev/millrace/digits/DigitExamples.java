package dev.millrace.digits;

import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.file.ImageSize;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Generated digits: upright in the first half of the training images, turned by a quarter in the
 * second half and in the hold-out, which is what a model has to deal with in the end.
 */
final class DigitExamples implements ExampleSet {

  private static final int HOLD_OUT = 2_000;

  /** Flipped in the seed, so that no training image is in the hold-out. */
  private static final long HOLD_OUT_SEED = 0x5DEECE66DL;

  private static final ExampleShape SHAPE =
      new ExampleShape(
          DigitGenerator.IMAGE.pixels(), DigitGenerator.CLASSES, Target.CLASSIFICATION);

  private final long count;
  private final long seed;

  DigitExamples(long count, long seed) {
    this.count = count;
    this.seed = seed;
  }

  @Override
  public ExampleShape shape() {
    return SHAPE;
  }

  @Override
  public List<String> classes() {
    return IntStream.range(0, SHAPE.outputs()).mapToObj(Integer::toString).toList();
  }

  @Override
  public Optional<ImageSize> image() {
    return Optional.of(DigitGenerator.IMAGE);
  }

  @Override
  public ExampleSequence training() {
    return new DigitSequence(new DigitGenerator(seed, count / 2), SHAPE, count);
  }

  @Override
  public ExampleSequence holdOut() {
    return new DigitSequence(new DigitGenerator(seed ^ HOLD_OUT_SEED, 0), SHAPE, HOLD_OUT);
  }
}
