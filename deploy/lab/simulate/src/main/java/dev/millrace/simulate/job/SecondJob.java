package dev.millrace.simulate.job;

import dev.millrace.simulate.task.Task;
import java.util.Map;

/**
 * A job that was submitted a second time by mistake. Of what it does only its models count, and
 * that no task of it fails by itself.
 */
final class SecondJob implements JobEvents {

  private final JobEvents first;
  private Job job;

  /**
   * @param first hears what becomes of the first job
   */
  SecondJob(JobEvents first) {
    this.first = first;
  }

  void start(Job second) {
    job = second;
    job.start();
  }

  /** Its processes die. */
  void end() {
    job.discard();
  }

  @Override
  public void works(Task task, String what, long detail, byte[] bytesOrNull) {
    first.works(task, what, detail, bytesOrNull);
  }

  @Override
  public void sends(Task task, Object message) {
    first.sendsOfSecond(message);
  }

  @Override
  public void happened(String what, long detail) {
    first.happened("second: " + what, detail);
  }

  @Override
  public void completed(Completed checkpoint, JobOptions options) {
    first.completedBySecond(checkpoint);
  }

  @Override
  public void wrote(WrittenFile file, JobOptions options) {
    throw new UnsupportedOperationException("The place of models tells the first");
  }

  @Override
  public void brokeDown(Task task, Exception cause) {
    first.brokeDown(task, cause);
  }

  @Override
  public void ended(Completed last, boolean drained) {
    first.happened("second: ended", 0);
  }

  @Override
  public void stopped(Completed savepoint) {
    throw new UnsupportedOperationException("Nobody stops it");
  }

  @Override
  public void rolledBack(Completed older) {
    throw new UnsupportedOperationException("Nobody cancels it");
  }

  @Override
  public void forked() {
    throw new UnsupportedOperationException("It is submitted once");
  }

  @Override
  public void sendsOfSecond(Object message) {
    throw new UnsupportedOperationException("It is the second");
  }

  @Override
  public void wroteBySecond(WrittenFile file, JobOptions options) {
    throw new UnsupportedOperationException("The place of models tells the first");
  }

  @Override
  public void held(Map<String, byte[]> files) {
    throw new UnsupportedOperationException("The place of models tells the first");
  }

  @Override
  public void completedBySecond(Completed checkpoint) {
    throw new UnsupportedOperationException("It is the second");
  }
}
