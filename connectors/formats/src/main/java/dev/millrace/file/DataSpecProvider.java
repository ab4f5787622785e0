package dev.millrace.file;

/** Reads specifications of one more kind of data. Found by {@link java.util.ServiceLoader}. */
public interface DataSpecProvider {

  /** Returns what stands in front of the colon. */
  String kind();

  /**
   * Reads what stands behind the colon.
   *
   * @throws IllegalArgumentException if it is none; the message says how it must be
   */
  DataSpec parse(String rest);
}
