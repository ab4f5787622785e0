package dev.millrace.exchange.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Records of any partitions, in any number: kept as runs, so that many which follow each other take
 * no more room than one.
 *
 * <p>Not thread-safe.
 */
public final class RecordSet {

  /** A run's count is an {@code int}. */
  private static final long MOST_OF_A_RUN = 999_999_999;

  private record Place(String topic, int partition) implements Comparable<Place> {

    private static final Comparator<Place> ORDER =
        Comparator.comparing(Place::topic).thenComparingInt(Place::partition);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  /** Where runs end, by where they begin. They neither touch nor overlap. */
  private final SortedMap<Place, NavigableMap<Long, Long>> ends = new TreeMap<>();

  /** Makes a set of the records of some runs. */
  public static RecordSet of(List<RecordRun> runs) {
    RecordSet set = new RecordSet();
    runs.forEach(set::add);
    return set;
  }

  /** Adds one record. */
  public void add(String topic, int partition, long offset) {
    add(new RecordRun(topic, partition, offset, 1));
  }

  /** Adds the records of a run, whichever of them are there already. */
  public void add(RecordRun run) {
    NavigableMap<Long, Long> ofPlace =
        ends.computeIfAbsent(new Place(run.topic(), run.partition()), any -> new TreeMap<>());
    long first = run.first();
    long end = run.end();
    Map.Entry<Long, Long> before = ofPlace.floorEntry(first);
    if (before != null && before.getValue() >= first) {
      first = before.getKey();
    }
    for (Map.Entry<Long, Long> met = ofPlace.ceilingEntry(first);
        met != null && met.getKey() <= end;
        met = ofPlace.ceilingEntry(first)) {
      end = Math.max(end, met.getValue());
      ofPlace.remove(met.getKey());
    }
    ofPlace.put(first, end);
  }

  /** Adds all records of another set. */
  public void addAll(RecordSet other) {
    other.runs().forEach(this::add);
  }

  public boolean isEmpty() {
    return ends.isEmpty();
  }

  public boolean contains(String topic, int partition, long offset) {
    Map.Entry<Long, Long> before = of(topic, partition).floorEntry(offset);
    return before != null && before.getValue() > offset;
  }

  /** Returns the first record of a partition from an offset on; empty if there is none. */
  public OptionalLong next(String topic, int partition, long from) {
    NavigableMap<Long, Long> ofPlace = of(topic, partition);
    Map.Entry<Long, Long> before = ofPlace.floorEntry(from);
    if (before != null && before.getValue() > from) {
      return OptionalLong.of(from);
    }
    Long next = ofPlace.ceilingKey(from);
    return next == null ? OptionalLong.empty() : OptionalLong.of(next);
  }

  /** Returns how many records there are. */
  public long count() {
    return runs().stream().mapToLong(RecordRun::count).sum();
  }

  /** Returns all of them, in order. */
  public List<RecordRun> runs() {
    List<RecordRun> runs = new ArrayList<>();
    ends.forEach(
        (place, ofPlace) ->
            ofPlace.forEach(
                (first, end) -> {
                  for (long at = first; at < end; at += MOST_OF_A_RUN) {
                    runs.add(
                        run(
                            place.topic(),
                            place.partition(),
                            at,
                            Math.min(end, at + MOST_OF_A_RUN)));
                  }
                }));
    return runs;
  }

  /**
   * Cuts a run into parts that are in the set as a whole, or not at all, and hands them out in
   * their order.
   */
  public void split(RecordRun run, Consumer<RecordRun> inside, Consumer<RecordRun> outside) {
    NavigableMap<Long, Long> ofPlace = of(run.topic(), run.partition());
    for (long at = run.first(); at < run.end(); ) {
      Map.Entry<Long, Long> before = ofPlace.floorEntry(at);
      boolean isInside = before != null && before.getValue() > at;
      Long next = isInside ? before.getValue() : ofPlace.higherKey(at);
      long end = next == null ? run.end() : Math.min(next, run.end());
      (isInside ? inside : outside).accept(run(run.topic(), run.partition(), at, end));
      at = end;
    }
  }

  private NavigableMap<Long, Long> of(String topic, int partition) {
    return ends.getOrDefault(new Place(topic, partition), Collections.emptyNavigableMap());
  }

  private static RecordRun run(String topic, int partition, long first, long end) {
    return new RecordRun(topic, partition, first, Math.toIntExact(end - first));
  }
}
