package dev.millrace.job.rows;

import dev.millrace.exchange.rows.RowTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A copy of a place that is read when it is told to, as its thread would. */
public final class SimulatedCopy implements AutoCloseable {

  private final Path path;
  private final CopiedPlace place;
  private LocalRows copy;
  private RowFeed feed;
  private int begun;
  private int wentOn;

  public SimulatedCopy(Path path, CopiedPlace place) throws IOException {
    this.path = path;
    this.place = place;
    this.copy = LocalRows.open(path);
  }

  /** Takes in what there is now; twice where it has to begin anew. */
  public void read() throws IOException {
    for (int i = 0; i < 2; i++) {
      try {
        readOnce();
        return;
      } catch (IOException e) {
        feed = null;
        if (i == 1) {
          throw e;
        }
      }
    }
  }

  private void readOnce() throws IOException {
    if (feed == null) {
      copy.discard();
      feed = place.follow(copy.stands(place.name()));
      if (feed.goesOn()) {
        wentOn++;
      } else {
        copy.beginAnew();
        begun++;
      }
    }
    feed.read(Duration.ZERO, copy);
    if (!copy.isWhole() && feed.hasCaughtUp()) {
      copy.becomeWhole();
    }
  }

  public void reopen() throws IOException {
    copy.close();
    feed = null;
    copy = LocalRows.open(path);
  }

  /** Returns the rows that are read of it, of all tables. */
  public List<Map<Long, List<Float>>> rows(List<RowTable> tables, Set<Long> ids) {
    List<Map<Long, List<Float>>> all = new ArrayList<>();
    long[] asked = ids.stream().mapToLong(Long::longValue).toArray();
    for (RowTable table : tables) {
      Map<Long, List<Float>> rows = new HashMap<>();
      List<byte[]> found = copy.get(RowRecords.key(table.name()), asked, asked.length);
      for (int i = 0; i < asked.length; i++) {
        if (found.get(i) != null) {
          ByteBuffer row = ByteBuffer.wrap(found.get(i)).order(ByteOrder.LITTLE_ENDIAN);
          List<Float> values = new ArrayList<>();
          while (row.hasRemaining()) {
            values.add(row.getFloat());
          }
          rows.put(asked[i], values);
        }
      }
      all.add(rows);
    }
    return all;
  }

  /** Returns how often it began anew. */
  public int begun() {
    return begun;
  }

  /** Returns how often it went on from where it stood. */
  public int wentOn() {
    return wentOn;
  }

  @Override
  public void close() {
    copy.close();
  }
}
