package dev.millrace.dl4j.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;

/** Gives each reader its shares, once; a share that comes back goes to the reader of its number. */
final class ShareEnumerator implements SplitEnumerator<Share, Set<Integer>> {

  private final SplitEnumeratorContext<Share> context;
  private final int shares;
  private final Set<Integer> given;
  private final List<Share> back = new ArrayList<>();

  /**
   * @param given shares that readers have, or had at the checkpoint
   */
  ShareEnumerator(SplitEnumeratorContext<Share> context, int shares, Set<Integer> given) {
    this.context = context;
    this.shares = shares;
    this.given = new TreeSet<>(given);
  }

  @Override
  public void start() {}

  @Override
  public void addReader(int reader) {
    for (int number = reader; number < shares; number += context.currentParallelism()) {
      if (given.add(number)) {
        context.assignSplit(Share.first(number, shares), reader);
      }
    }
    for (Share share : List.copyOf(back)) {
      if (share.number() % context.currentParallelism() == reader) {
        back.remove(share);
        context.assignSplit(share, reader);
      }
    }
    context.signalNoMoreSplits(reader);
  }

  @Override
  public void addSplitsBack(List<Share> splits, int reader) {
    back.addAll(splits);
  }

  @Override
  public void handleSplitRequest(int reader, String host) {
    // Readers ask for nothing.
  }

  @Override
  public Set<Integer> snapshotState(long checkpoint) {
    return new TreeSet<>(given);
  }

  @Override
  public void close() {}
}
