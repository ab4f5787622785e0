package dev.millrace.job.rows.files;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.flink.util.IOUtils;

/**
 * The rows of files of one table: of an id that several have, what the last of them says. Memory
 * holds buffers of a fixed size, however long the files are.
 *
 * @param files in the order of their versions
 * @param dropped ids that were removed up to this version are left out
 */
record MergedRows(RowDirectory directory, int dimension, List<RowFile> files, long dropped)
    implements SortedRows {

  private static final int BUFFERS = 32 << 20;

  private record Source(RowFileCursor rows, int number) {

    static final Comparator<Source> BY_ID_NEWEST_FIRST =
        Comparator.<Source>comparingLong(source -> source.rows.id())
            .thenComparing(Source::number, Comparator.reverseOrder());
  }

  @Override
  public void forEach(boolean withValues, Visitor visitor) throws IOException {
    List<RowFileCursor> cursors = new ArrayList<>();
    try {
      PriorityQueue<Source> sources =
          new PriorityQueue<>(Math.max(1, files.size()), Source.BY_ID_NEWEST_FIRST);
      for (RowFile file : files) {
        RowFileCursor cursor =
            new RowFileCursor(directory, file, dimension, withValues, BUFFERS / files.size());
        cursors.add(cursor);
        addNext(new Source(cursor, cursors.size()), sources);
      }
      while (!sources.isEmpty()) {
        Source newest = sources.poll();
        RowFileCursor row = newest.rows;
        long id = row.id();
        if (!row.isRemoved() || row.file().to() > dropped) {
          visitor.row(id, row.isRemoved(), row.values(), row.valuesAt());
        }
        while (!sources.isEmpty() && sources.peek().rows.id() == id) {
          addNext(sources.poll(), sources);
        }
        addNext(newest, sources);
      }
    } finally {
      IOUtils.closeAllQuietly(cursors);
    }
  }

  private static void addNext(Source source, PriorityQueue<Source> sources) throws IOException {
    if (source.rows.next()) {
      sources.add(source);
    }
  }
}
