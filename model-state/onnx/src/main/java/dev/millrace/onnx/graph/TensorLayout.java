package dev.millrace.onnx.graph;

/** What the dimensions of a value mean; the first counts examples. */
public enum TensorLayout {
  /** [examples, values]. */
  ROWS,
  /** [examples, steps, values], as sequences come in and go out. */
  STEPS,
  /** [examples, values, steps], as DL4J's layers of sequences have it. */
  SEQUENCE,
  /** [examples, channels, height, width]. */
  IMAGES,
  /** Anything else. */
  OTHER
}
