package dev.millrace.cli.run;

/** What a job has made of records, by its own counters. */
interface JobCounts {

  /** Returns what the job does, for the first line on the screen. */
  String title(int parallelism);

  /** Takes in what the job has counted since the last time. */
  void refresh(LocalJob job) throws InterruptedException;

  /** The counts, in one line. */
  String line();

  /**
   * The run in figures: a text for people, a bean for JSON.
   *
   * @param seconds from the start of the job to its end
   */
  Object summary(double seconds);
}
