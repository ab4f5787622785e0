package dev.millrace.model;

import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which records a model has learned from, which it has rejected, which were held out of training to
 * measure it by, and which were skipped, per partition: how many, the sum of their offsets, the
 * first and the last. Count and sum together tell a lost record and a doubled one apart from a
 * complete range. Ledgers of disjoint records merge by addition, in any order. Two topics that had
 * one name, one after the other, are kept apart by their ids.
 *
 * <p>Not thread-safe.
 */
public final class Ledger implements Serializable {

  /**
   * Offsets of one partition that had one fate.
   *
   * @param offsetSum sum of the offsets modulo 2<sup>64</sup>
   */
  public record Span(long count, long offsetSum, long first, long last) implements Serializable {

    public static final Span EMPTY = new Span(0, 0, Long.MAX_VALUE, -1);

    static Span of(long offset) {
      return new Span(1, offset, offset, offset);
    }

    public Span plus(long offset) {
      return new Span(
          count + 1, offsetSum + offset, Math.min(first, offset), Math.max(last, offset));
    }

    public Span plus(Span other) {
      return new Span(
          count + other.count,
          offsetSum + other.offsetSum,
          Math.min(first, other.first),
          Math.max(last, other.last));
    }
  }

  /** The fate of the records of one partition. */
  public record Entry(Span learned, Span rejected, Span heldOut, Span skipped)
      implements Serializable {

    /** Makes an entry of a partition of which no record was held out or skipped. */
    public Entry(Span learned, Span rejected) {
      this(learned, rejected, Span.EMPTY, Span.EMPTY);
    }

    Entry plus(Entry more) {
      return new Entry(
          learned.plus(more.learned),
          rejected.plus(more.rejected),
          heldOut.plus(more.heldOut),
          skipped.plus(more.skipped));
    }

    /** Records of any fate together: what was taken from the partition. */
    public Span taken() {
      return learned.plus(rejected).plus(heldOut).plus(skipped);
    }
  }

  public static final WireFormat<Ledger> WIRE = new LedgerWire();

  private final SortedMap<Partition, Entry> entries = new TreeMap<>();

  public void learned(Partition partition, long offset) {
    enter(partition, new Entry(Span.of(offset), Span.EMPTY));
  }

  public void rejected(Partition partition, long offset) {
    enter(partition, new Entry(Span.EMPTY, Span.of(offset)));
  }

  /** Enters a record that the model is measured by, and never learns from. */
  public void heldOut(Partition partition, long offset) {
    enter(partition, new Entry(Span.EMPTY, Span.EMPTY, Span.of(offset), Span.EMPTY));
  }

  /** Enters a record that says nothing to learn from, such as a delete. */
  public void skipped(Partition partition, long offset) {
    enter(partition, new Entry(Span.EMPTY, Span.EMPTY, Span.EMPTY, Span.of(offset)));
  }

  public void merge(Ledger other) {
    other.entries.forEach(this::enter);
  }

  /** Enters what another ledger has learned as rejected, and all else as it is. */
  public void reject(Ledger other) {
    other.entries.forEach(
        (partition, theirs) ->
            enter(
                partition,
                new Entry(
                    Span.EMPTY,
                    theirs.rejected().plus(theirs.learned()),
                    theirs.heldOut(),
                    theirs.skipped())));
  }

  public Ledger copy() {
    Ledger copy = new Ledger();
    copy.merge(this);
    return copy;
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** The entries by partition, in order; a view. */
  public SortedMap<Partition, Entry> entries() {
    return Collections.unmodifiableSortedMap(entries);
  }

  public long learnedCount() {
    return entries.values().stream().mapToLong(entry -> entry.learned().count()).sum();
  }

  public long rejectedCount() {
    return entries.values().stream().mapToLong(entry -> entry.rejected().count()).sum();
  }

  /** Says where all records are: {@code flowers-0 from offset 40 to 47, flowers-1 …}. */
  public String places() {
    return entries.entrySet().stream()
        .map(
            entry ->
                "%s from offset %s to %s"
                    .formatted(
                        entry.getKey(),
                        entry.getValue().taken().first(),
                        entry.getValue().taken().last()))
        .collect(Collectors.joining(", "));
  }

  private void enter(Partition partition, Entry more) {
    entries.merge(partition, more, Entry::plus);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ledger ledger && entries.equals(ledger.entries);
  }

  @Override
  public int hashCode() {
    return entries.hashCode();
  }

  @Override
  public String toString() {
    return entries.toString();
  }

  private static final class LedgerWire implements WireFormat<Ledger>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(Ledger ledger, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(ledger.entries.size());
      for (var entry : ledger.entries.entrySet()) {
        entry.getKey().write(out);
        write(entry.getValue().learned(), out);
        write(entry.getValue().rejected(), out);
        write(entry.getValue().heldOut(), out);
        write(entry.getValue().skipped(), out);
      }
    }

    @Override
    public Ledger read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, Ledger.class);
      Ledger ledger = new Ledger();
      for (int left = in.readInt(); left > 0; left--) {
        Partition partition = Partition.read(in);
        ledger.entries.put(
            partition, new Entry(readSpan(in), readSpan(in), readSpan(in), readSpan(in)));
      }
      return ledger;
    }

    private static void write(Span span, DataOutput out) throws IOException {
      out.writeLong(span.count());
      out.writeLong(span.offsetSum());
      out.writeLong(span.first());
      out.writeLong(span.last());
    }

    private static Span readSpan(DataInput in) throws IOException {
      return new Span(in.readLong(), in.readLong(), in.readLong(), in.readLong());
    }
  }
}
