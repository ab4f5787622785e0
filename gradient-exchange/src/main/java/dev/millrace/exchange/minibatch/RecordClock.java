package dev.millrace.exchange.minibatch;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Time by the timestamps of records: the latest that is believed. It is never the time of day, so a
 * replay has the same outcome.
 *
 * <p>It never goes back, so a record with a timestamp of the far future mustn't move it. A time
 * that is further ahead than {@code reach} is doubted. Behind a gap in the stream all are, so
 * {@value #RUN} in a row are believed: the last of them, but no more than {@code reach} beyond the
 * one before, if that was earlier.
 *
 * @param now the latest time that is believed, in milliseconds; {@link #EARLIEST} before one is
 *     told
 * @param ahead where those lead that are doubted in a row; 0 where none is
 * @param run how many in a row are doubted
 */
public record RecordClock(long now, long ahead, int run) {

  /** So many doubted times in a row are believed. */
  public static final int RUN = 100;

  /** A time counts as one between this and its opposite: 48 bits hold it, with sign. */
  public static final long EARLIEST = -(1L << 47) + 1;

  /** Nobody has told of a time. */
  public static final RecordClock UNKNOWN = at(EARLIEST);

  /** Shows this, and doubts nothing. */
  public static RecordClock at(long now) {
    return new RecordClock(now, 0, 0);
  }

  /** Whether it was told of a time. */
  public boolean isKnown() {
    return now != EARLIEST;
  }

  /**
   * Returns the clock once it is told of a time.
   *
   * @param reach how far ahead a time is believed at once; the first one always is
   */
  public RecordClock told(long timestamp, long reach) {
    long time = inRange(timestamp);
    if (!isKnown() || time - now <= reach) {
      return time <= now && run == 0 ? this : at(Math.max(now, time));
    }
    // One that is far ahead of the others, too, leads next to nowhere, and the next one back.
    long next = run == 0 ? time : Math.min(time, ahead + reach);
    return run + 1 == RUN ? at(next) : new RecordClock(now, next, run + 1);
  }

  /** Returns when a record of this time uses something: at the clock's time, or its own later. */
  public long use(long timestamp) {
    return Math.max(now, inRange(timestamp));
  }

  private static long inRange(long timestamp) {
    return Math.max(EARLIEST, Math.min(timestamp, -EARLIEST));
  }

  /** Returns the clock of the two that shows more. */
  public RecordClock latest(RecordClock other) {
    return other.now > now ? other : this;
  }

  /** Writes what {@link #read} reads. */
  public void write(DataOutput out) throws IOException {
    out.writeLong(now);
    out.writeLong(ahead);
    out.writeInt(run);
  }

  /** Reads what {@link #write} wrote. */
  public static RecordClock read(DataInput in) throws IOException {
    return new RecordClock(in.readLong(), in.readLong(), in.readInt());
  }
}
