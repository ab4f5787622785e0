package dev.millrace.job.join;

import java.util.ArrayList;
import java.util.List;

/**
 * The plain program that a join is compared with: it keeps every record that has ever come, and
 * looks through all of them each time.
 */
final class NeverForgetting {

  /** What became of a record. */
  enum Fate {
    WAITS,
    PAIRED,
    UNLABELLED,
    LATE,
    DUPLICATE
  }

  private static final class Entry {
    final JoinRecord record;
    Fate fate = Fate.WAITS;

    Entry(JoinRecord record) {
      this.record = record;
    }
  }

  private final long within;
  private final long before;
  private final List<Entry> all = new ArrayList<>();
  private final List<String> pairs = new ArrayList<>();
  private long watermark = Long.MIN_VALUE;

  NeverForgetting(long within, long before) {
    this.within = within;
    this.before = before;
  }

  void arrive(JoinRecord record) {
    Entry entry = new Entry(record);
    if (record.side() == Side.FEATURES) {
      features(entry);
    } else {
      label(entry);
    }
    all.add(entry);
  }

  private void features(Entry entry) {
    long time = entry.record.time();
    if (all.stream().anyMatch(e -> isOf(e, entry, Side.FEATURES) && knows(e))) {
      entry.fate = Fate.DUPLICATE;
      return;
    }
    for (Entry label : all) {
      if (isOf(label, entry, Side.LABEL) && label.fate == Fate.WAITS) {
        if (belong(entry, label)) {
          pair(entry, label);
          return;
        }
        label.fate = Fate.LATE;
      }
    }
    entry.fate = watermark >= time + within ? Fate.LATE : Fate.WAITS;
  }

  private void label(Entry entry) {
    long time = entry.record.time();
    for (Entry features : all) {
      if (isOf(features, entry, Side.FEATURES) && knows(features)) {
        if (features.fate == Fate.PAIRED) {
          entry.fate = Fate.DUPLICATE;
        } else if (features.fate == Fate.WAITS && belong(features, entry)) {
          pair(features, entry);
        } else {
          entry.fate = Fate.LATE;
        }
        return;
      }
    }
    boolean another =
        all.stream().anyMatch(e -> isOf(e, entry, Side.LABEL) && e.fate == Fate.WAITS);
    entry.fate =
        another ? Fate.DUPLICATE : watermark >= time + before + within ? Fate.LATE : Fate.WAITS;
  }

  /** Whether features are still of importance to what comes. */
  private boolean knows(Entry features) {
    return switch (features.fate) {
      case WAITS -> true;
      case PAIRED, UNLABELLED -> watermark < features.record.time() + 2 * within + before;
      default -> false;
    };
  }

  private static boolean isOf(Entry entry, Entry other, Side side) {
    return entry.record.side() == side && entry.record.key().equals(other.record.key());
  }

  private boolean belong(Entry features, Entry label) {
    long later = label.record.time() - features.record.time();
    return later <= within && later >= -before;
  }

  private void pair(Entry features, Entry label) {
    features.fate = Fate.PAIRED;
    label.fate = Fate.PAIRED;
    pairs.add(features.record.raw().offset() + "+" + label.record.raw().offset());
  }

  /** The watermark has risen. */
  void advance(long newest) {
    watermark = newest;
    for (Entry entry : all) {
      long time = entry.record.time();
      if (entry.fate == Fate.WAITS && entry.record.side() == Side.FEATURES) {
        entry.fate = newest >= time + within ? Fate.UNLABELLED : Fate.WAITS;
      } else if (entry.fate == Fate.WAITS) {
        entry.fate = newest >= time + before + within ? Fate.LATE : Fate.WAITS;
      }
    }
  }

  /** Offsets of features and label of each pair. */
  List<String> pairs() {
    return pairs;
  }

  /** Offsets of all records with this fate, in order. */
  List<Long> offsets(Fate fate) {
    return all.stream()
        .filter(entry -> entry.fate == fate)
        .map(entry -> entry.record.raw().offset())
        .sorted()
        .toList();
  }
}
