package dev.millrace.simulate.check;

import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.kafka.models.SimulatedModelTopic;
import dev.millrace.model.Ledger;
import dev.millrace.model.ModelVersion;
import dev.millrace.simulate.job.Completed;
import dev.millrace.simulate.job.Input;
import dev.millrace.simulate.job.JobOptions;
import dev.millrace.simulate.job.ModelState;
import dev.millrace.simulate.job.WrittenFile;
import dev.millrace.snapshot.SnapshotDescription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The invariants of docs/internals/protocol.md that a run shows, and how often each was looked at.
 */
public final class Checks {

  private static final String PARAMETERS = "2 ledger and parameters describe the same records";
  private static final String MEMBERS = "3 all blocks are of the same round";
  private static final String VERSIONS = "10 versions only grow";
  private static final String END = "20 the job ends";
  private static final String SOUND = "no task fails by itself";

  private final Input input;
  private final Map<String, long[]> looked = new HashMap<>();
  private final Ledgers ledgers;
  private final Publications publications;
  private final OwnModels own = new OwnModels(this);
  private final Held held = new Held(this);
  private final Bits bits = new Bits(this);
  private final Adoptions adoptions = new Adoptions(this);
  private final Topics topics = new Topics(this);
  private final Rounds rounds = new Rounds(this);
  private ModelVersion newest;
  private boolean exact = true;
  private boolean decayed;

  /** Whether contributions were of all blocks: what they left out is kept, over restarts too. */
  private boolean whole = true;

  /** Counts that go back rounded are added to what is learned, and taken off again. */
  private double rounding;

  /** Checks a run with that input. */
  public Checks(Input input) {
    this.input = input;
    this.ledgers = new Ledgers(this, input);
    this.publications = new Publications(this, ledgers);
  }

  /** Returns how often each invariant was looked at. */
  public Map<String, Long> looked() {
    Map<String, Long> byWay = new TreeMap<>();
    String way = input.isStream() ? ", stream" : ", Kafka";
    looked.forEach((invariant, count) -> byWay.put(invariant + way, count[0]));
    return byWay;
  }

  public long lost() {
    return ledgers.lost();
  }

  public long doubled() {
    return ledgers.doubled();
  }

  /** The job begins, or begins again. */
  public void begins(Completed fromOrNull, JobOptions options) {
    rounds.begins(fromOrNull, options);
    adoptions.begins(fromOrNull, options);
  }

  /** Returns what looks at rounds as they are decided. */
  public Rounds rounds() {
    return rounds;
  }

  void look(String invariant) {
    looked.computeIfAbsent(invariant, any -> new long[1])[0]++;
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
    whole &= !options.hasFragments();
    rounding = Math.max(rounding, rounding(options));
    ModelState state = ModelState.of(checkpoint);
    ModelVersion version = state.coordinator().version();
    require(
        VERSIONS,
        newest == null || newest.compareTo(version) <= 0,
        () -> "a checkpoint has %s, after one with %s".formatted(version, newest));
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
          () ->
              "block %s is at round %s, the coordinator at %s"
                  .formatted(block.block(), block.round(), version));
      if (exact && whole && ledger.entries().size() > 0) {
        requireCount(block, options, ledger.learnedCount(), rounding, checkpoint.barrier());
      }
    }
    ledgers.completed(ledger);
  }

  /** Values at even places of the vector count examples, those at odd ones add them up. */
  private void requireCount(
      GlobalBlock block, JobOptions options, long learned, double tolerance, Object when) {
    float[] values = block.update().values();
    for (int i = 0; i < values.length; i++) {
      if ((block.block() * options.blockSize() + i) % 2 == 0) {
        float count = values[i];
        require(
            PARAMETERS,
            Math.abs(count - (double) learned) <= tolerance,
            () ->
                "the ledger has %s examples, block %s says %s, at %s"
                    .formatted(learned, block.block(), count, when));
      }
    }
  }

  /** A file is in the place of models. */
  public void wrote(WrittenFile file, JobOptions options, boolean bySecond) {
    double tolerance = Math.max(rounding, rounding(options));
    boolean counts = exact && options.isExact() && whole && !options.hasFragments();
    publications
        .wrote(file, counts, tolerance)
        .ifPresent(
            model -> {
              own.describe(model, bySecond);
              adoptions.described(model.version());
            });
  }

  /** A job sends something: maybe what a model is made of. */
  public void made(Object message, boolean bySecond) {
    if (message instanceof PublishedPart.Head head) {
      own.make(head, bySecond);
    }
  }

  /** The job is submitted a second time. */
  public void forked() {
    own.fork();
    adoptions.forked();
  }

  /** A person has put a model back, and nobody is at the place of models. */
  public void held(Map<String, byte[]> files) {
    held.look(files);
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
    ledgers.ended(ledger, drained);
    double tolerance = exact ? rounding : 0.01 * ledger.learnedCount();
    for (GlobalBlock block : state.blocks().values()) {
      if (decayed) {
        continue;
      }
      requireCount(block, options, ledger.learnedCount(), tolerance, "the end");
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
        float sum = values[i];
        require(
            PARAMETERS,
            Math.abs(sum - input.values()) <= rounding,
            () ->
                "all examples add up to %s, and block %s says %s"
                    .formatted(input.values(), block.block(), sum));
      }
    }
  }

  /** The job begins anew from an older checkpoint: what came after that is no part of it. */
  public void rolledBack(Completed older) {
    newest = ModelState.of(older).coordinator().version();
    adoptions.rolledBack();
  }

  /** The job, which was alone at its place of models, has ended with these files there. */
  public void left(Map<String, byte[]> files) {
    adoptions.ended(models(files));
  }

  /** A record has come to the topic of models. */
  public void sent(SimulatedModelTopic topic) {
    topics.look(topic);
  }

  /** A checkpoint is complete, with these files in the place of models. */
  public void published(Completed checkpoint, Map<String, byte[]> files) {
    adoptions.completed(checkpoint, () -> models(files));
  }

  private List<SnapshotDescription> models(Map<String, byte[]> files) {
    return files.entrySet().stream()
        .flatMap(file -> publications.description(file.getKey(), file.getValue()).stream())
        .toList();
  }

  /** A second job, which publishes to the same place, has completed a checkpoint. */
  public void completedBySecond(Completed checkpoint) {
    publications.completed(ModelState.of(checkpoint).coordinator().version());
  }

  /** The job was one whose end no failure changes. */
  public void same(ModelState undisturbed, ModelState disturbed) {
    bits.requireSame(undisturbed, disturbed);
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
