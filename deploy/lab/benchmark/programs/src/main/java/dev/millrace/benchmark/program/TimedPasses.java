package dev.millrace.benchmark.program;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.nd4j.linalg.dataset.DataSet;

/**
 * Minibatches from memory, the same in each pass, which remembers when each pass was read to its
 * end. One thread reads at a time.
 */
final class TimedPasses extends ExistingDataSetIterator {

  private static final long serialVersionUID = 1;

  private final List<Long> ends = Collections.synchronizedList(new ArrayList<>());

  TimedPasses(List<DataSet> minibatches) {
    super(minibatches);
  }

  @Override
  public void reset() {
    super.reset();
    ends.add(System.nanoTime());
  }

  @Override
  public boolean resetSupported() {
    return true;
  }

  /** Returns the seconds of each pass but the first of those since the last call. */
  List<Double> seconds() {
    List<Double> seconds = new ArrayList<>();
    for (int pass = 1; pass < ends.size(); pass++) {
      seconds.add((ends.get(pass) - ends.get(pass - 1)) / 1e9);
    }
    ends.clear();
    return seconds;
  }
}
