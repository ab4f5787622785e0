package dev.millrace.exchange.rows;

import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * What a table is like in one shard.
 *
 * @param shard number of the shard
 * @param shards how many there are
 * @param table number of the table
 * @param dirty rows that have changed since they were saved
 * @param uses that were pushed since the shard was opened
 * @param norms the sum of Euclidean norms of some of the cached rows that have changed lately
 * @param normed how many rows these are of
 * @param hottest the ids with the most uses among the cached rows, the most first
 * @param hottestUses their uses
 */
public record RowReport(
    int shard,
    int shards,
    int table,
    RowCounts counts,
    long dirty,
    long uses,
    double norms,
    int normed,
    long[] hottest,
    long[] hottestUses) {

  public static final WireFormat<RowReport> WIRE = new ReportWire();

  /** How many of the hottest ids are told. */
  public static final int HOTTEST = 10;

  private static final class ReportWire implements WireFormat<RowReport>, Serializable {

    private static final long serialVersionUID = 1;

    @Override
    public void write(RowReport report, DataOutput out) throws IOException {
      out.writeInt(report.shard);
      out.writeInt(report.shards);
      out.writeInt(report.table);
      RowCounts counts = report.counts;
      out.writeLong(counts.rows());
      out.writeLong(counts.created());
      out.writeLong(counts.expired());
      out.writeLong(counts.usesWithoutRow());
      out.writeLong(counts.usesExpired());
      out.writeLong(counts.waiting());
      out.writeLong(counts.refused());
      out.writeLong(counts.hits());
      out.writeLong(counts.misses());
      out.writeLong(counts.written());
      out.writeLong(report.dirty);
      out.writeLong(report.uses);
      out.writeDouble(report.norms);
      out.writeInt(report.normed);
      out.writeInt(report.hottest.length);
      for (int i = 0; i < report.hottest.length; i++) {
        out.writeLong(report.hottest[i]);
        out.writeLong(report.hottestUses[i]);
      }
    }

    @Override
    public RowReport read(DataInput in) throws IOException {
      int shard = in.readInt();
      int shards = in.readInt();
      int table = in.readInt();
      RowCounts counts =
          new RowCounts(
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong());
      long dirty = in.readLong();
      long uses = in.readLong();
      double norms = in.readDouble();
      int normed = in.readInt();
      long[] hottest = new long[in.readInt()];
      long[] hottestUses = new long[hottest.length];
      for (int i = 0; i < hottest.length; i++) {
        hottest[i] = in.readLong();
        hottestUses[i] = in.readLong();
      }
      return new RowReport(
          shard, shards, table, counts, dirty, uses, norms, normed, hottest, hottestUses);
    }
  }
}
