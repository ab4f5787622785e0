package dev.millrace.dl4j.spark;

/** Counts the examples of a pass. */
interface ExampleCount {

  /** Returns how many were given since the pass began. */
  long examples();
}
