package dev.millrace.model.features;

import dev.millrace.model.io.WireFormat;
import dev.millrace.model.shape.WordColumn;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The vocabularies that a model learns, one for each {@link WordColumn}, and how often their words
 * were seen.
 *
 * <p>What is counted is added up first, in whatever order. Then {@link #fill} gives free places to
 * the most frequent words that have none. So vocabularies depend on which counts came between two
 * calls of it, and on nothing else.
 *
 * <p>Not thread-safe.
 */
public final class Vocabularies implements Serializable {

  public static final WireFormat<Vocabularies> WIRE = new VocabulariesWire();

  /** Where examples have no words. Nothing can be added. */
  public static final Vocabularies NONE = new Vocabularies(List.of());

  /** A word that was seen less often gets no place: it may be a slip of the pen. */
  public static final int LEAST_COUNT = 2;

  /**
   * The words of all vocabularies take so many bytes in an archive at most: those that come later
   * get no place. It is half of what an entry of an archive may have when it is read.
   */
  static final long MOST_BYTES = 32 << 20;

  /** So many times as many words as a vocabulary may hold are counted without a place. */
  public static final int WAITING = 8;

  private final int[] most;
  private final Vocabulary[] vocabularies;
  private final WordCounts counts;

  /** Empty ones. */
  public Vocabularies(List<WordColumn> columns) {
    this(
        columns.stream().mapToInt(WordColumn::words).toArray(),
        columns.stream().map(column -> Vocabulary.EMPTY).toArray(Vocabulary[]::new),
        new WordCounts(columns.size()));
  }

  private Vocabularies(int[] most, Vocabulary[] vocabularies, WordCounts counts) {
    this.most = most;
    this.vocabularies = vocabularies;
    this.counts = counts;
  }

  /** Ones that are known from elsewhere, such as an archive. */
  static Vocabularies of(
      List<WordColumn> columns, List<Vocabulary> vocabularies, WordCounts counts) {
    return new Vocabularies(
        columns.stream().mapToInt(WordColumn::words).toArray(),
        vocabularies.toArray(Vocabulary[]::new),
        counts);
  }

  /**
   * Returns these vocabularies, each in the place of its column, with room for as many words as
   * that may have.
   *
   * @param places by number of the column there, its number here; negative for a new one
   */
  public Vocabularies rearranged(List<WordColumn> columns, int[] places) {
    Vocabulary[] moved = new Vocabulary[places.length];
    Arrays.setAll(moved, i -> places[i] < 0 ? Vocabulary.EMPTY : vocabularies[places[i]]);
    return of(columns, List.of(moved), counts.rearranged(places));
  }

  public boolean isEmpty() {
    return vocabularies.length == 0;
  }

  public int columns() {
    return vocabularies.length;
  }

  /** The words of a column as they are now. */
  public Vocabulary of(int column) {
    return vocabularies[column];
  }

  /** Returns how often words were seen: all that have a place, and some that wait for one. Live. */
  public WordCounts counts() {
    return counts;
  }

  /** Returns how many words a column's vocabulary may hold. */
  public int most(int column) {
    return most[column];
  }

  /** Adds what was counted of further examples. Words get no places yet. */
  public void merge(WordCounts more) {
    counts.merge(more);
  }

  /**
   * Gives free places to words that were seen at least {@value #LEAST_COUNT} times, the most
   * frequent first, of equal ones the first by UTF-8 bytes, as long as all words fit into an
   * archive. Counts of words that still have none are cut to {@value #WAITING} times the
   * vocabulary's size by the same order; of a full vocabulary none are kept.
   */
  public void fill() {
    for (int column = 0; column < vocabularies.length; column++) {
      fill(column);
    }
  }

  private void fill(int column) {
    int free = most[column] - vocabularies[column].size();
    if (free > 0) {
      List<String> wanted =
          waiting(column, word -> counts.count(column, word) >= LEAST_COUNT).limit(free).toList();
      List<String> taken = firstOf(wanted, MOST_BYTES - jsonBytes());
      if (!taken.isEmpty()) {
        vocabularies[column] = vocabularies[column].with(taken);
      }
    }
    Vocabulary filled = vocabularies[column];
    long room = filled.size() == most[column] ? 0 : (long) WAITING * most[column];
    if (counts.words(column) - filled.size() > room) {
      Set<String> kept = new HashSet<>(waiting(column, word -> true).limit(room).toList());
      counts.retain(column, word -> filled.has(word) || kept.contains(word));
    }
  }

  private long jsonBytes() {
    return Arrays.stream(vocabularies).mapToLong(Vocabulary::jsonBytes).sum();
  }

  /** Returns the first words, as many as take so many bytes in an archive at most. */
  static List<String> firstOf(List<String> words, long bytes) {
    long left = bytes;
    int taken = 0;
    for (String word : words) {
      left -= Vocabulary.jsonBytes(word);
      if (left < 0) {
        break;
      }
      taken++;
    }
    return words.subList(0, taken);
  }

  /** Words without a place, the most frequent first. */
  private Stream<String> waiting(int column, Predicate<String> wanted) {
    Vocabulary vocabulary = vocabularies[column];
    return counts.mostFrequent(column, wanted.and(word -> !vocabulary.has(word))).stream();
  }

  public Vocabularies copy() {
    return new Vocabularies(most, vocabularies.clone(), counts.copy());
  }

  /** Returns the words alone, without their counts: completing features takes no more. */
  public Vocabularies withoutCounts() {
    return isEmpty()
        ? NONE
        : new Vocabularies(most, vocabularies.clone(), new WordCounts(vocabularies.length));
  }

  private static final class VocabulariesWire implements WireFormat<Vocabularies>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(Vocabularies vocabularies, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(vocabularies.columns());
      for (int column = 0; column < vocabularies.columns(); column++) {
        out.writeInt(vocabularies.most[column]);
        vocabularies.vocabularies[column].write(out);
      }
      WordCounts.WIRE.write(vocabularies.counts, out);
    }

    @Override
    public Vocabularies read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, Vocabularies.class);
      int columns = in.readInt();
      List<Integer> most = new ArrayList<>();
      List<Vocabulary> vocabularies = new ArrayList<>();
      for (int column = 0; column < columns; column++) {
        most.add(in.readInt());
        vocabularies.add(Vocabulary.read(in));
      }
      WordCounts counts = WordCounts.WIRE.read(in);
      if (counts.columns() != columns) {
        throw new IOException(
            "%s vocabularies, and counts of %s".formatted(columns, counts.columns()));
      }
      return new Vocabularies(
          most.stream().mapToInt(Integer::intValue).toArray(),
          vocabularies.toArray(Vocabulary[]::new),
          counts);
    }
  }
}
