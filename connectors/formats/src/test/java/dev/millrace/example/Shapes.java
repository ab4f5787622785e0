package dev.millrace.example;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;

/** Shapes that the format tests share. */
final class Shapes {

  static final ExampleShape CLASSES = new ExampleShape(2, 3, Target.CLASSIFICATION);
  static final ExampleShape SUBSETS = new ExampleShape(2, 3, Target.MULTI_LABEL);
  static final ExampleShape NUMBERS = new ExampleShape(2, 3, Target.REGRESSION);
  static final ExampleShape NUMBER = new ExampleShape(2, 1, Target.REGRESSION);

  private Shapes() {}
}
