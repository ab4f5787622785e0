package dev.millrace.benchmark.continual;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.benchmark.stack.BenchmarkFailure;
import dev.millrace.benchmark.stack.TrainingRecords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** What a job told of a stream that it learned from: each record predicted first, learned then. */
final class Learned {

  /** The fewest examples that a record of progress stands for; so that its mean says much. */
  private static final int LEAST = 100;

  /**
   * How far it was.
   *
   * @param examples learned from
   * @param right how many of them were predicted rightly before
   */
  private record Point(long examples, double right) {}

  private final TrainingRecords records;
  private final List<Point> points = new ArrayList<>();

  Learned(TrainingRecords records) {
    this.records = records;
    points.add(new Point(0, 0));
    for (JsonNode progress : records.of("progress")) {
      long examples = progress.get("examples").asLong();
      if (progress.hasNonNull("accuracy") && examples > last().examples()) {
        points.add(new Point(examples, examples * progress.get("accuracy").asDouble()));
      }
    }
    if (points.size() == 1) {
      throw new BenchmarkFailure("The job learned nothing that it could be measured by");
    }
  }

  private Point last() {
    return points.get(points.size() - 1);
  }

  long examples() {
    return last().examples();
  }

  /** Prequential accuracy over all. */
  double accuracy() {
    return last().right() / last().examples();
  }

  /** Returns the accuracy of the examples from one to before another. */
  double accuracy(long from, long to) {
    return (right(to) - right(from)) / (to - from);
  }

  /**
   * Returns how many examples were right up to one. Between two records of progress the accuracy is
   * taken to have been the same.
   */
  private double right(long examples) {
    Point before = points.get(0);
    for (Point point : points) {
      if (point.examples() >= examples) {
        double share =
            point.examples() == before.examples()
                ? 0
                : (examples - before.examples()) / (double) (point.examples() - before.examples());
        return before.right() + share * (point.right() - before.right());
      }
      before = point;
    }
    return before.right();
  }

  /** Accuracy of equal parts of the stream, each as x (its end) and y. */
  List<double[]> curve(int parts) {
    List<double[]> curve = new ArrayList<>();
    long all = examples();
    long length = Math.max(LEAST, all / parts);
    for (long to = length; to <= all; to += length) {
      curve.add(new double[] {to, accuracy(to - length, to)});
    }
    return curve;
  }

  /**
   * Returns how many examples it took, after a change, until so many in a row were predicted well
   * again.
   *
   * @param window examples in a row
   * @param well accuracy that they need
   * @return examples from the change to the end of the first such row; none where there is none
   */
  OptionalLong recovery(long change, int window, double well) {
    for (long to = change + window; to <= examples(); to += window / 10) {
      if (accuracy(to - window, to) >= well) {
        return OptionalLong.of(to - change);
      }
    }
    return OptionalLong.empty();
  }

  /** Examples that had been learned from when each drift was found. */
  List<Long> drifts() {
    return records.of("drift").stream().map(drift -> drift.get("examples").asLong()).toList();
  }

  /** The last model that it published. */
  Path model() {
    List<JsonNode> models = records.of("snapshot");
    if (models.isEmpty()) {
      throw new BenchmarkFailure("The job published no model");
    }
    return Path.of(models.get(models.size() - 1).get("model").asText());
  }
}
