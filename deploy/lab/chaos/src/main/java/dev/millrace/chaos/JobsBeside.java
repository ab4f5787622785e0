package dev.millrace.chaos;

import dev.millrace.snapshot.PartitionProgress.Offsets;
import dev.millrace.snapshot.SnapshotDescription;
import example.beside.Way;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** One job for each {@link Way}, which trains on the same topic under the same faults. */
final class JobsBeside {

  private static final Duration LIMIT = Duration.ofMinutes(10);

  private record Job(Way way, String id, JobFiles files) {}

  private final JobControl control;
  private final List<Job> jobs = new ArrayList<>();

  /**
   * @param control of their cluster
   */
  JobsBeside(JobControl control) {
    this.control = control;
  }

  /**
   * Submits them.
   *
   * @param directory for their models
   * @param checkpoints where checkpoints go
   */
  void submit(String servers, String topic, Path directory, String checkpoints)
      throws IOException, InterruptedException {
    for (Way way : Way.values()) {
      JobFiles files = new JobFiles(directory.resolve("beside-" + way));
      String models = files.models().toString();
      String id = control.submit(way, checkpoints, List.of(way.name(), servers, topic, models));
      jobs.add(new Job(way, id, files));
    }
  }

  /**
   * Waits until each has so many records, and stops it.
   *
   * @return what is wrong, a sentence each
   */
  List<String> problems(long records, Consumer<String> say)
      throws IOException, InterruptedException {
    List<String> problems = new ArrayList<>();
    for (Job job : jobs) {
      job.files().latest(records, LIMIT);
      String savepoint = control.stop(job.id());
      SnapshotDescription model = job.files().latest(records, LIMIT).description();
      say.accept(
          String.format(
              Locale.ROOT,
              "Trained beside, by %s: model %s has %,d records; savepoint: %s",
              job.way(),
              model.version(),
              model.learned(),
              savepoint));
      model.ledger().stream()
          .filter(partition -> !isPrefix(partition.learned()))
          .map(
              partition ->
                  "Trained beside, by %s: not each record once: %s".formatted(job.way(), partition))
          .forEach(problems::add);
      if (model.learned() != records) {
        problems.add(
            String.format(
                Locale.ROOT,
                "Trained beside, by %s: %,d records of %,d",
                job.way(),
                model.learned(),
                records));
      }
    }
    return problems;
  }

  /** Whether these are the first records of a partition, each once. */
  private static boolean isPrefix(Offsets learned) {
    long count = learned.count();
    return count == 0 || learned.equals(new Offsets(count, count * (count - 1) / 2, 0L, count - 1));
  }
}
