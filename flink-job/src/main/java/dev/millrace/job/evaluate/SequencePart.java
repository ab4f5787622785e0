package dev.millrace.job.evaluate;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.InvalidRowException;
import dev.millrace.job.evaluate.report.Evaluator;
import dev.millrace.model.Partition;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;

/**
 * Reads a part of a sequence: of n parts, part i has the batches i, i + n, i + 2n … The others are
 * passed over, which takes a fraction of the time that predicting takes, and needs nobody to hand
 * examples on.
 *
 * <p>The example is the same object each time: it is valid until the next one.
 */
final class SequencePart implements FlatMapFunction<Long, Received> {

  private final SequenceSource source;
  private final String name;
  private final int parts;

  /**
   * @param name stands for the file in rejected records
   */
  SequencePart(SequenceSource source, String name, int parts) {
    this.source = source;
    this.name = name;
    this.parts = parts;
  }

  @Override
  public void flatMap(Long part, Collector<Received> out) throws Exception {
    Partition partition = new Partition(name, 0);
    try (ExampleSequence sequence = source.open()) {
      Example example = new Example(sequence.shape());
      boolean more = true;
      for (long row = 0; more; row++) {
        if (Thread.interrupted()) {
          // The job is cancelled, and this is the only place that may notice.
          throw new InterruptedException();
        }
        if (row / Evaluator.BATCH % parts != part) {
          more = sequence.skip(example);
          continue;
        }
        try {
          more = sequence.next(example);
          if (more) {
            example.setOrigin(partition, row);
            out.collect(example);
          }
        } catch (InvalidRowException e) {
          out.collect(new RejectedRecord(partition, e.line(), 0, null, null, e.reason()));
        }
      }
    }
  }
}
