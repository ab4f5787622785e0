package dev.millrace.history;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.assigners.FileSplitAssigner;

/**
 * Hands out files in the order of their paths, those that a reader gives back too: after a failure
 * it may be several.
 */
final class PathOrder implements FileSplitAssigner {

  private final TreeMap<String, FileSourceSplit> files = new TreeMap<>();

  PathOrder(Collection<FileSourceSplit> files) {
    addSplits(files);
  }

  @Override
  public Optional<FileSourceSplit> getNext(String hostOrNull) {
    return Optional.ofNullable(files.pollFirstEntry()).map(Map.Entry::getValue);
  }

  @Override
  public void addSplits(Collection<FileSourceSplit> splits) {
    splits.forEach(split -> files.put(split.splitId(), split));
  }

  @Override
  public Collection<FileSourceSplit> remainingSplits() {
    return List.copyOf(files.values());
  }
}
