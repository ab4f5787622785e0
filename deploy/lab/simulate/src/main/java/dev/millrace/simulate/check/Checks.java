package dev.millrace.simulate.check;

import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.model.Ledger;
import dev.millrace.model.ModelVersion;
import dev.millrace.simulate.job.Completed;
import dev.millrace.simulate.job.Input;
import dev.millrace.simulate.job.JobOptions;
import dev.millrace.simulate.job.ModelState;
import dev.millrace.snapshot.PartitionProgress;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The invariants of docs/internals/protocol.md that a run shows, and how often each was looked at.
 */
public final class Checks {

  private static final String LEDGER = "1 every record is in the ledger exactly once";
  private static final String PARAMETERS = "2 ledger and parameters describe the same records";
  private static final String MEMBERS = "3 all blocks are of the same round";
  private static final String VERSIONS = "10 versions only grow";
  private static final String END = "20 the job ends";
  private static final String SOUND = "no task fails by itself";

  private final Input input;
  private final Map<String, Long> looked = new TreeMap<>();
  private final Publications publications = new Publications(this);
  private final Rounds rounds = new Rounds(this);
  private ModelVersion newest;
  private boolean exact = true;
  private boolean decayed;

  /** Counts that go back rounded are added to what is learned, and taken off again. */
  private double rounding;

  private long lost;
  private long doubled;

  /** Checks a run with that input. */
  public Checks(Input input) {
    this.input = input;
  }

  /** Returns how often each invariant was looked at. */
  public Map<String, Long> looked() {
    return looked;
  }

  public long lost() {
    return lost;
  }

  public long doubled() {
    return doubled;
  }

  /** Returns what looks at rounds as they are decided. */
  public Rounds rounds() {
    return rounds;
  }

  private void look(String invariant) {
    looked.merge(invariant + (input.isStream() ? ", stream" : ", Kafka"), 1L, Long::sum);
  }

  private void require(String invariant, boolean holds, String message) {
    require(invariant, holds, () -> message);
  }

  void require(String invariant, boolean holds, Supplier<String> message) {
    look(invariant);
    if (!holds) {
      throw new Violation(invariant, message.get());
    }
  }

  /** A checkpoint is complete. */
  public void completed(Completed checkpoint, JobOptions options) {
    exact &= options.isExact();
    decayed |= options.decays();
    rounding = Math.max(rounding, rounding(options));
    ModelState state = ModelState.of(checkpoint);
    ModelVersion version = state.coordinator().version();
    require(
        VERSIONS,
        newest == null || newest.compareTo(version) <= 0,
        "a checkpoint has %s, after one with %s".formatted(version, newest));
    newest = version;
    publications.completed(version);
    Ledger ledger = state.coordinator().totals().ledger();
    for (GlobalBlock block : state.blocks().values()) {
      if (!block.isInitialized()) {
        continue;
      }
      require(
          MEMBERS,
          block.round() == version.round(),
          "block %s is at round %s, the coordinator at %s"
              .formatted(block.block(), block.round(), version));
      if (exact && ledger.entries().size() > 0 && !options.hasFragments()) {
        requireCount(
            block,
            options,
            ledger.learnedCount(),
            rounding,
            "in checkpoint " + checkpoint.barrier());
      }
    }
    look(LEDGER);
    ledger.entries().forEach((partition, entry) -> prefix(partition.number(), entry.taken()));
  }

  /** Values at even places of the vector count examples, those at odd ones add them up. */
  private void requireCount(
      GlobalBlock block, JobOptions options, long learned, double tolerance, String when) {
    float[] values = block.update().values();
    for (int i = 0; i < values.length; i++) {
      if ((block.block() * options.blockSize() + i) % 2 == 0) {
        require(
            PARAMETERS,
            Math.abs(values[i] - (double) learned) <= tolerance,
            "the ledger has %s examples, block %s says %s, %s"
                .formatted(learned, block.block(), values[i], when));
      }
    }
  }

  /**
   * Each record of a partition at most once. Late contributions may be missing in between, so that
   * is no prefix.
   */
  void prefix(int partition, Ledger.Span taken) {
    long count = taken.count();
    if (count > taken.last() - taken.first() + 1) {
      doubled += count - (taken.last() - taken.first() + 1);
      throw new Violation(LEDGER, "of partition %s the ledger has %s".formatted(partition, taken));
    }
  }

  /** Returns what a model has taken of a partition. */
  static Ledger.Span taken(PartitionProgress partition) {
    return new Ledger.Entry(
            span(partition.learned()),
            span(partition.rejected()),
            span(partition.heldOut()),
            span(partition.skipped()))
        .taken();
  }

  private static Ledger.Span span(PartitionProgress.Offsets offsetsOrNull) {
    return offsetsOrNull == null || offsetsOrNull.count() == 0
        ? Ledger.Span.EMPTY
        : new Ledger.Span(
            offsetsOrNull.count(),
            offsetsOrNull.sum(),
            offsetsOrNull.first(),
            offsetsOrNull.last());
  }

  /** A file is in the place of models. */
  public void wrote(String name, byte[] bytes, JobOptions options) {
    double tolerance = Math.max(rounding, rounding(options));
    publications.wrote(name, bytes, options, exact && options.isExact(), tolerance);
  }

  /**
   * The job has ended.
   *
   * @param drained whether there was more to read
   */
  public void ended(Completed last, JobOptions options, boolean drained) {
    look(END);
    ModelState state = ModelState.of(last);
    Ledger ledger = state.coordinator().totals().ledger();
    if (input.isStream()) {
      endedStream(ledger, drained);
    } else {
      endedPartitions(ledger, drained);
    }
    double tolerance = exact ? rounding : 0.01 * ledger.learnedCount();
    for (GlobalBlock block : state.blocks().values()) {
      if (decayed) {
        continue;
      }
      requireCount(block, options, ledger.learnedCount(), tolerance, "at the end");
      if (exact && !drained) {
        requireSum(block, options);
      }
    }
  }

  /** Less than a record. */
  private static double rounding(JobOptions options) {
    return options.feedback() == null ? 0 : 0.5;
  }

  private void requireSum(GlobalBlock block, JobOptions options) {
    float[] values = block.update().values();
    for (int i = 0; i < values.length; i++) {
      if ((block.block() * options.blockSize() + i) % 2 == 1) {
        require(
            PARAMETERS,
            Math.abs(values[i] - input.values()) <= rounding,
            "all examples add up to %s, and block %s says %s"
                .formatted(input.values(), block.block(), values[i]));
      }
    }
  }

  private void endedPartitions(Ledger ledger, boolean drained) {
    for (int p = 0; p < input.partitions(); p++) {
      Ledger.Entry entry = ledger.entries().get(Input.partition(p));
      Ledger.Span taken = entry == null ? Ledger.Span.EMPTY : entry.taken();
      requireFirst("partition " + p, taken, drained ? taken.count() : input.count(p));
    }
  }

  /** Records of a stream have the places that they are given when they are taken. */
  private void endedStream(Ledger ledger, boolean drained) {
    long sum = 0;
    for (var entry : ledger.entries().entrySet()) {
      Ledger.Span taken = entry.getValue().taken();
      sum += taken.count();
      requireFirst(entry.getKey().toString(), taken, taken.count());
    }
    long all = drained ? sum : input.records();
    lost += Math.max(0, all - sum);
    doubled += Math.max(0, sum - all);
    require(LEDGER, sum == all, "the ledger has %s records, not %s".formatted(sum, all));
  }

  private void requireFirst(String where, Ledger.Span taken, long count) {
    Ledger.Span all =
        count == 0
            ? Ledger.Span.EMPTY
            : new Ledger.Span(count, count * (count - 1) / 2, 0, count - 1);
    lost += Math.max(0, count - taken.count());
    doubled += Math.max(0, taken.count() - count);
    require(
        LEDGER, taken.equals(all), "of %s the ledger has %s, not %s".formatted(where, taken, all));
  }

  /** The job begins anew from an older checkpoint: what came after that is no part of it. */
  public void rolledBack(Completed older) {
    newest = ModelState.of(older).coordinator().version();
  }

  /** A second job, which publishes to the same place, has completed a checkpoint. */
  public void completedBySecond(Completed checkpoint) {
    publications.completed(ModelState.of(checkpoint).coordinator().version());
  }

  /** A task failed that nothing was done to. */
  public Violation brokeDown(String task, Exception cause) {
    return new Violation(SOUND, "%s: %s".formatted(task, cause), cause);
  }

  /** The job goes on and on. */
  public Violation endless(String what) {
    return new Violation(END, what);
  }
}
