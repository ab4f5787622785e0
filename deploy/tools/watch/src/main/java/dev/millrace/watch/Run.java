package dev.millrace.watch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The metric records of one job from its first start on, thinned by kind.
 *
 * <p>Not thread-safe.
 */
final class Run {

  /** The most records of each kind: more points than a page has pixels. */
  private static final int MOST = 2_000;

  private static final String REPLICA = "replica";

  /**
   * Kinds whose records are tables of many numbers: 2,000 of them take more memory than all else
   * together.
   */
  private static final Set<String> TABLES =
      Set.of("layers", "rejections", "rows", "segments", REPLICA);

  private static final int MOST_TABLES = 200;

  /** Kinds that a source may have: what is unknown is kept, too, but not any number of it. */
  private static final int MOST_KINDS = 160;

  /** Bytes of a run without records. */
  private static final int EMPTY_BYTES = 4_000;

  private final String id;
  private final String title;
  private final Map<String, Series> kinds = new LinkedHashMap<>();
  private long count;
  private long generation = -1;
  private long round = -1;

  /** Whether it has told that it began. */
  private boolean began;

  /** The latest time of a record, in milliseconds since the epoch. */
  private long newest = Long.MIN_VALUE;

  Run(String id, String title) {
    this.id = id;
    this.title = title;
  }

  String id() {
    return id;
  }

  String title() {
    return title;
  }

  /**
   * Whether a record is of a job that began after this one: it says that it begins, or its
   * generation is lower than one that was there. Restarts and restores raise the generation. Models
   * keep theirs: one may be committed by a later attempt than the one that made it.
   */
  boolean isOver(ObjectNode record) {
    String type = record.path("type").asText();
    if (type.equals("snapshot")) {
      return false;
    }
    if (type.equals("run")) {
      // A job may tell of its first round sooner than that it began.
      return count > 0
          && (began || record.path("time").asLong(Long.MAX_VALUE) >= newest)
          && !record.path("restored").asBoolean()
          && record.path("attempt").asInt() == 0;
    }
    long next = record.path("generation").asLong(generation);
    return next < generation || (next == generation && round > 0 && beginsAnew(record));
  }

  /**
   * Says whether a record is of generation 0 again, after rounds: the job was started without a
   * savepoint.
   */
  private boolean beginsAnew(ObjectNode record) {
    return record.path("type").asText().equals("progress")
        && record.path("round").asLong() * 2 < round
        && record.path("generation").asLong() == 0;
  }

  /** Returns how many records have come, those that are no longer kept included. */
  long count() {
    return count;
  }

  void add(ObjectNode record) {
    count++;
    newest = Math.max(newest, record.path("time").asLong(newest));
    String type = record.path("type").asText();
    began |= type.equals("run");
    // Thinned together, one replica would be in the place of another.
    String kind = type.equals(REPLICA) ? type + record.path(REPLICA).asInt() : type;
    Series series = kinds.get(kind);
    if (series == null) {
      if (kinds.size() == MOST_KINDS) {
        return;
      }
      series =
          new Series(
              TABLES.contains(type) ? MOST_TABLES : MOST, Thinning.of(type), Downsampling.of(type));
      kinds.put(kind, series);
    }
    series.add(record);
    generation = Math.max(generation, record.path("generation").asLong(generation));
    if (record.path("generation").asLong(-1) == generation) {
      round = Math.max(record.path("round").asLong(round), 0);
    }
  }

  /** Bytes of memory that it takes. */
  long bytes() {
    return EMPTY_BYTES + kinds.values().stream().mapToLong(Series::bytes).sum();
  }

  /**
   * Keeps less: of its largest kind half, or nothing.
   *
   * @return whether there was anything
   */
  boolean thin() {
    Optional<Map.Entry<String, Series>> largest =
        kinds.entrySet().stream().max(Comparator.comparingLong(kind -> kind.getValue().bytes()));
    if (largest.isEmpty()) {
      return false;
    }
    if (!largest.get().getValue().halve()) {
      kinds.remove(largest.get().getKey());
    }
    return true;
  }

  /** All that is kept, in order of time; what comes later doesn't change it. */
  List<KeptRecord> records() {
    return kinds.values().stream()
        .flatMap(series -> series.records().stream())
        .sorted(Comparator.comparingLong(KeptRecord::time))
        .toList();
  }
}
