package dev.millrace.job.rows.files;

import dev.millrace.exchange.rows.RowTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges files of rows on another thread, each table's one merge at a time, so that a table has a
 * few files of which each is larger than all later ones together: a row is written again some
 * times, and never much more than twice the rows are kept. Belongs to one thread, but for the
 * merges themselves.
 */
final class RowMerges implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RowMerges.class);

  /** A table with more files is merged where it isn't as it should be. */
  private static final int MOST_FILES = 8;

  /** Files that are open at once. */
  private static final int MOST_INPUTS = 32;

  /** Looks at a table whose merge failed that go by before it is tried again. */
  private static final int PAUSE = 10;

  private final RowDirectory directory;
  private final Executor executor;
  private final List<Merge> running = new ArrayList<>();
  private final Map<String, Integer> pauses = new HashMap<>();
  private volatile boolean closed;

  /** A merge that takes the place of its inputs. */
  record Merge(String table, List<RowFile> inputs, CompletableFuture<RowFile> output) {

    /**
     * Puts the result into a table's files.
     *
     * @return false if the inputs aren't there in a row
     */
    boolean replaceIn(List<RowFile> files) {
      int from = files.indexOf(inputs.get(0));
      int to = from + inputs.size();
      if (from < 0 || to > files.size() || !files.subList(from, to).equals(inputs)) {
        return false;
      }
      files.subList(from, to).clear();
      files.add(from, output.join());
      return true;
    }
  }

  RowMerges(RowDirectory directory, Executor executor) {
    this.directory = directory;
    this.executor = executor;
  }

  /** Returns the files that are to be merged; none where they are as they should be. */
  static List<RowFile> choose(List<RowFile> files) {
    long later = 0;
    int first = files.size();
    for (int i = files.size() - 1; i >= 0; i--) {
      if (later > 0 && files.get(i).bytes() <= later) {
        first = i;
      }
      later += files.get(i).bytes();
    }
    if (first > 0 && files.size() <= MOST_FILES) {
      return List.of();
    }
    return files.subList(first, Math.min(files.size(), first + MOST_INPUTS));
  }

  /** Whether a table has no merge that runs or waits, and none has just failed. */
  boolean mayMerge(RowTable table) {
    boolean waits =
        pauses.computeIfPresent(table.name(), (name, left) -> left == 1 ? null : left - 1) != null;
    return !waits && running.stream().noneMatch(one -> one.table.equals(table.name()));
  }

  /**
   * Begins to merge files of a table that follow one another.
   *
   * @param dropped ids that were removed up to this version are left out; 0 for none
   * @param name of the new file
   */
  void begin(RowTable table, List<RowFile> files, long dropped, String name) {
    List<RowFile> inputs = List.copyOf(files);
    RowFile plan =
        RowFile.plan(name, dropped, inputs.get(0).from(), inputs.get(inputs.size() - 1).to());
    CompletableFuture<RowFile> output = new CompletableFuture<>();
    running.add(new Merge(table.name(), inputs, output));
    executor.execute(
        () -> {
          try {
            output.complete(merge(table, inputs, plan));
          } catch (IOException | RuntimeException e) {
            deleteHalf(name);
            output.completeExceptionally(e);
          }
        });
  }

  private RowFile merge(RowTable table, List<RowFile> inputs, RowFile plan) throws IOException {
    MergedRows merged = new MergedRows(directory, table.dimension(), inputs, plan.dropped());
    return RowFileWriter.write(
        directory,
        table.name(),
        table.dimension(),
        (withValues, visitor) ->
            merged.forEach(
                withValues,
                (id, removed, from, at) -> {
                  if (closed) {
                    throw new IOException("the job has ended");
                  }
                  visitor.row(id, removed, from, at);
                }),
        plan);
  }

  private void deleteHalf(String file) {
    try {
      directory.delete(file);
    } catch (IOException e) {
      LOG.debug("Half of {} is left in {}", file, directory, e);
    }
  }

  /** Returns the merges that have ended. One that failed is tried again some time. */
  List<Merge> ended() {
    List<Merge> ended = running.stream().filter(one -> one.output.isDone()).toList();
    running.removeAll(ended);
    return ended.stream().filter(this::succeeded).toList();
  }

  private boolean succeeded(Merge merge) {
    try {
      merge.output.join();
      return true;
    } catch (CompletionException e) {
      pauses.put(merge.table, PAUSE);
      LOG.warn(
          "Rows of the table '{}' in {} can't be merged; it is tried again",
          merge.table,
          directory,
          e.getCause());
      return false;
    }
  }

  /** Has a merge that runs give up. */
  @Override
  public void close() {
    closed = true;
  }
}
