package dev.millrace.model.features;

import dev.millrace.model.io.WireFormat;
import dev.millrace.model.shape.WordColumn;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How often each word was seen, exactly, by {@link WordColumn}. Counts of disjoint examples add up,
 * in whatever order: the sum is the same.
 *
 * <p>Not thread-safe.
 */
public final class WordCounts implements Serializable {

  public static final WireFormat<WordCounts> WIRE = new CountsWire();

  private final List<Column> columns;

  /** Begins with no example. */
  public WordCounts(int columns) {
    this.columns = new ArrayList<>(columns);
    for (int i = 0; i < columns; i++) {
      this.columns.add(new Column());
    }
  }

  /** Returns these counts as {@link Vocabularies#rearranged} has its vocabularies. */
  public WordCounts rearranged(int[] places) {
    WordCounts moved = new WordCounts(places.length);
    for (int i = 0; i < places.length; i++) {
      if (places[i] >= 0) {
        moved.columns.get(i).merge(columns.get(places[i]));
      }
    }
    return moved;
  }

  public int columns() {
    return columns.size();
  }

  /** Counts a word; null for a missing one. Something is allocated for new words only. */
  public void add(int column, String wordOrNull) {
    columns.get(column).add(wordOrNull);
  }

  /** Adds what others have counted, of the same columns. */
  public void merge(WordCounts other) {
    if (other.columns() != columns()) {
      throw new IllegalArgumentException(
          "Counts of %s columns of words, where there are %s"
              .formatted(other.columns(), columns()));
    }
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).merge(other.columns.get(i));
    }
  }

  /** Returns how often a word was seen; 0 also where its count wasn't kept. */
  public long count(int column, String word) {
    Count count = columns.get(column).counts.get(word);
    return count == null ? 0 : count.value;
  }

  /** Returns how many examples, or steps of sequences, had a word, whichever. */
  public long seen(int column) {
    return columns.get(column).seen;
  }

  /** Returns how many had none. */
  public long missing(int column) {
    return columns.get(column).missing;
  }

  /** Returns how many words have a count. */
  public int words(int column) {
    return columns.get(column).counts.size();
  }

  /**
   * Returns the words that are wanted: the most frequent first, of equal ones the first by UTF-8
   * bytes.
   */
  public List<String> mostFrequent(int column, Predicate<String> wanted) {
    return columns.get(column).mostFrequent(wanted);
  }

  /** Keeps the counts of these words alone. What was seen stays. */
  void retain(int column, Predicate<String> kept) {
    columns.get(column).counts.keySet().removeIf(kept.negate());
  }

  /** Sets what was counted elsewhere. */
  void set(int column, Map<String, Long> counts, long seen, long missing) {
    Column set = columns.get(column);
    set.counts.clear();
    counts.forEach((word, count) -> set.counts.put(word, new Count(count)));
    set.seen = seen;
    set.missing = missing;
  }

  public WordCounts copy() {
    WordCounts copy = new WordCounts(columns());
    copy.merge(this);
    return copy;
  }

  /** A number that is counted up in its place. */
  private static final class Count implements Serializable {

    private long value;

    Count(long value) {
      this.value = value;
    }
  }

  private static final class Column implements Serializable {

    private final Map<String, Count> counts = new HashMap<>();
    private long seen;
    private long missing;

    void add(String wordOrNull) {
      if (wordOrNull == null) {
        missing++;
        return;
      }
      seen++;
      if (wordOrNull.length() > Vocabulary.MOST_LENGTH) {
        return;
      }
      Count known = counts.get(wordOrNull);
      if (known == null) {
        add(Vocabulary.wellFormed(wordOrNull), 1);
      } else {
        known.value++;
      }
    }

    private void add(String word, long more) {
      counts.computeIfAbsent(word, any -> new Count(0)).value += more;
    }

    void merge(Column other) {
      other.counts.forEach((word, count) -> add(word, count.value));
      seen += other.seen;
      missing += other.missing;
    }

    List<String> mostFrequent(Predicate<String> wanted) {
      Comparator<String> byCount = Comparator.comparingLong(word -> -counts.get(word).value);
      return counts.keySet().stream()
          .filter(wanted)
          .sorted(byCount.thenComparing(Vocabulary.ORDER))
          .toList();
    }

    /** Writes the counts in the order of the words, so that equal counts are equal bytes. */
    void write(DataOutput out) throws IOException {
      out.writeLong(seen);
      out.writeLong(missing);
      out.writeInt(counts.size());
      for (String word : counts.keySet().stream().sorted(Vocabulary.ORDER).toList()) {
        Vocabulary.writeWord(word, out);
        out.writeLong(counts.get(word).value);
      }
    }

    void read(DataInput in) throws IOException {
      seen = in.readLong();
      missing = in.readLong();
      for (int left = in.readInt(); left > 0; left--) {
        String word = Vocabulary.readWord(in);
        counts.put(word, new Count(in.readLong()));
      }
    }
  }

  private static final class CountsWire implements WireFormat<WordCounts>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(WordCounts counts, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(counts.columns());
      for (Column column : counts.columns) {
        column.write(out);
      }
    }

    @Override
    public WordCounts read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, WordCounts.class);
      WordCounts counts = new WordCounts(0);
      for (int left = in.readInt(); left > 0; left--) {
        Column column = new Column();
        column.read(in);
        counts.columns.add(column);
      }
      return counts;
    }
  }
}
