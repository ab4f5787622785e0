package dev.millrace.dl4j.spark;

/** Why settings of both training masters change nothing. */
final class Reasons {

  static final String IN_TURN = "Workers take the data in turn, as it comes.";
  static final String NOT_CACHED = "Data is read, and not kept elsewhere.";
  static final String DIRECTORY =
      "Files of training are in the directory that the TrainingContext has.";
  static final String ORDER = "Data is learned in the order that it has.";

  static final String MEMORY = "Replicas reuse their memory, and free it when they end.";

  private Reasons() {}
}
