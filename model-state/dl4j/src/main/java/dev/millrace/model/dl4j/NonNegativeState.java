package dev.millrace.model.dl4j;

import dev.millrace.model.shape.IndexRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.nn.updater.UpdaterBlock;
import org.nd4j.linalg.learning.AMSGradUpdater;
import org.nd4j.linalg.learning.AdaBeliefUpdater;
import org.nd4j.linalg.learning.AdaDeltaUpdater;
import org.nd4j.linalg.learning.AdaGradUpdater;
import org.nd4j.linalg.learning.AdaMaxUpdater;
import org.nd4j.linalg.learning.AdamUpdater;
import org.nd4j.linalg.learning.NadamUpdater;
import org.nd4j.linalg.learning.RmsPropUpdater;

/** Finds the updater state that an updater takes roots of or divides by. */
final class NonNegativeState {

  /**
   * Updaters cut the state of a block into equal parts: how many, and which of them, from the one
   * named to the last, hold squares or absolute values.
   */
  private record Parts(int count, int firstNonNegative) {}

  private static final Map<Class<?>, Parts> PARTS =
      Map.of(
          AdamUpdater.class, new Parts(2, 1),
          NadamUpdater.class, new Parts(2, 1),
          AdaMaxUpdater.class, new Parts(2, 1),
          AdaBeliefUpdater.class, new Parts(2, 1),
          AMSGradUpdater.class, new Parts(3, 1),
          AdaGradUpdater.class, new Parts(1, 0),
          RmsPropUpdater.class, new Parts(1, 0),
          AdaDeltaUpdater.class, new Parts(2, 0));

  private NonNegativeState() {}

  /** Ranges of the vector [parameters | updater state]; none for updaters that aren't DL4J's. */
  static List<IndexRange> of(List<UpdaterBlock> blocks, int parameters) {
    List<IndexRange> ranges = new ArrayList<>();
    for (UpdaterBlock block : blocks) {
      int from = parameters + block.getUpdaterViewOffsetStart();
      int to = parameters + block.getUpdaterViewOffsetEnd();
      if (to > from) {
        Parts parts = PARTS.get(block.getGradientUpdater().getClass());
        if (parts != null) {
          int part = (to - from) / parts.count();
          ranges.add(new IndexRange(from + parts.firstNonNegative() * part, to));
        }
      }
    }
    return ranges;
  }
}
