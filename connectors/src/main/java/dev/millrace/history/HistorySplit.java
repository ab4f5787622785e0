package dev.millrace.history;

import java.util.Objects;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.connector.file.src.FileSourceSplit;

/**
 * A file, or a split of the source behind: one of them is null.
 *
 * @param labels of the file's last records, where labels are features; else no bytes
 */
record HistorySplit<L extends SourceSplit>(FileSourceSplit fileOrNull, byte[] labels, L liveOrNull)
    implements SourceSplit {

  private static final byte[] NO_LABELS = {};

  HistorySplit {
    if ((fileOrNull == null) == (liveOrNull == null)) {
      throw new IllegalArgumentException("A split is a file or another split");
    }
    Objects.requireNonNull(labels, "labels");
  }

  static <L extends SourceSplit> HistorySplit<L> file(FileSourceSplit split) {
    return new HistorySplit<>(split, NO_LABELS, null);
  }

  static <L extends SourceSplit> HistorySplit<L> live(L split) {
    return new HistorySplit<>(null, NO_LABELS, split);
  }

  @Override
  public String splitId() {
    return fileOrNull == null ? liveOrNull.splitId() : fileOrNull.splitId();
  }
}
