package dev.millrace.source;

import java.util.List;
import java.util.Objects;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A split with the numbers of the records that were read of it.
 *
 * @param counts its own, if there is one, and others that it carries: see {@link SplitCounts}
 */
record CountedSplit<S extends SourceSplit>(S split, List<SplitCounts.Count> counts)
    implements SourceSplit {

  CountedSplit {
    Objects.requireNonNull(split, "split");
    counts = List.copyOf(counts);
  }

  @Override
  public String splitId() {
    return split.splitId();
  }
}
