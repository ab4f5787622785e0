package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.log.LogEntry.Forgotten;
import dev.millrace.exchange.log.LogEntry.Round;
import dev.millrace.exchange.log.LogEntry.Start;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.exchange.savepoint.SavedTraining;
import dev.millrace.exchange.savepoint.SubtaskStrings;
import dev.millrace.job.train.TrainingSettings;
import dev.millrace.job.train.rebuild.RebuiltReplica.MadeOne;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A job's training, done again round by round, from the model that the job began with or from a
 * savepoint. It has the job's own objects, so each round's model is the same, bit by bit, but for
 * records that are forgotten. Replicas learn beside each other, each on a thread of its own.
 *
 * <p>Not thread-safe.
 */
public final class Rebuild implements AutoCloseable {

  private final TrainingSettings settings;
  private final LogChain chain;
  private final List<LoggedExamples> examples = new ArrayList<>();
  private final Lanes lanes;
  private final RecordSet forgotten;
  private final Tail tail;

  private final RebuiltModel model;
  private final AskedRounds asked;
  private final AskedReplicas askedReplicas;
  private Attempt attempt;

  /** Logs that replicas are to tell with their next contributions. */
  private final Map<Integer, String> told = new HashMap<>();

  /** How many entries were followed. */
  private int place;

  /**
   * Contributions that were made before their round, or were on their way in the state that this
   * began with. They are known by themselves: where records are forgotten their numbers are others
   * than the log's, and differ by another number behind each time that records were.
   */
  private final Set<Contributed> early = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * Begins where a chain does.
   *
   * @param settings of the job
   * @param chain what is to be done
   * @param from the state that the chain begins behind; empty where it begins with the job
   * @param examples makes what reads them, for each number of a replica
   * @param forgotten records that are left out
   * @param tail what is to be done behind the chain
   * @throws UnusableLogException if the chain doesn't begin there
   */
  Rebuild(
      TrainingSettings settings,
      LogChain chain,
      Optional<SavedTraining> from,
      Supplier<LoggedExamples> examples,
      RecordSet forgotten,
      Tail tail)
      throws IOException {
    this.settings = settings;
    this.chain = chain;
    this.forgotten = forgotten;
    this.tail = tail;
    // The log doesn't tell how many there were before it began.
    int replicas =
        from.isPresent() && chain.replicas() == 0 ? from.get().replicas().size() : chain.replicas();
    int most = Math.max(replicas, chain.mostReplicas());
    this.lanes = new Lanes(most);
    try {
      for (int number = 0; number < most; number++) {
        this.examples.add(examples.get());
      }
      this.model = new RebuiltModel(settings, from, most);
      int blocks = settings.replica().layout().count();
      this.asked = AskedRounds.of(chain.entries(), tail.logs(), blocks);
      long generation =
          from.isPresent() ? model.version().generation() : chain.start().version().generation();
      this.askedReplicas = AskedReplicas.of(generation, chain.entries(), tail, blocks);
      if (from.isPresent()) {
        beginAt(from.get(), replicas);
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private void beginAt(SavedTraining saved, int replicas) throws IOException {
    attempt = attempt(model.version().generation(), replicas);
    Tail.learners(saved).forEach((number, one) -> attempt.replicas().get(number).begin(one));
    model.greet(replicas);
    noteUnderWay();
  }

  /** Rounds take the oldest contributions of a replica first: those that were on their way. */
  private void noteUnderWay() {
    Map<Integer, Integer> left = new HashMap<>();
    model.underWay().forEach(one -> left.merge(one.replica(), 1, Integer::sum));
    later()
        .filter(member -> left.merge(member.replica(), -1, Integer::sum) >= 0)
        .forEach(early::add);
  }

  private Attempt attempt(long generation, int count) {
    return new Attempt(
        lanes,
        attempt,
        generation,
        count,
        (of, number) ->
            new RebuiltReplica(
                settings.replica(),
                of,
                number,
                count,
                model.rounds(),
                examples.get(number),
                forgotten));
  }

  /**
   * Does the next thing that the log says.
   *
   * @throws UnusableLogException if it can't be done, or isn't what the log says
   */
  void make(LogEntry entry) {
    if (entry instanceof Start start) {
      begin(start);
    } else if (entry instanceof Round round) {
      make(round);
    } else if (entry instanceof Forgotten once) {
      passOver(once);
    }
    model.rounds().keep(round -> asked.isAskedBehind(place, round));
    place++;
  }

  private void begin(Start next) {
    contributeOlder(next.version().generation());
    attempt = attempt(next.version().generation(), next.replicas());
    if (model.isEmpty()) {
      beginAnew();
    }
    model.begin(next.version().generation());
    model.greet(next.replicas());
  }

  /**
   * Makes contributions that attempts before had announced, and that rounds have yet to take: a
   * replica that takes a number over is told how many there are.
   */
  private void contributeOlder(long generation) {
    List<Contributed> older =
        later()
            .filter(member -> member.generation() < generation && !early.contains(member))
            .toList();
    for (Contributed member : older) {
      List<Contributed> unused = contribute(List.of(member));
      early.add(member);
    }
  }

  /** Returns what is to be contributed from here on, in order. */
  private Stream<Contributed> later() {
    Stream<Contributed> ofRounds =
        chain.entries().stream()
            .skip(place)
            .filter(Round.class::isInstance)
            .flatMap(round -> ((Round) round).members().stream());
    return Stream.concat(ofRounds, tail.underWay().stream());
  }

  private void beginAnew() {
    for (int number = 0; number < attempt.replicas().size(); number++) {
      RebuiltReplica replica = attempt.replicas().get(number);
      lanes.run(number, () -> replica.begin(settings.initial()));
    }
    model.begin(attempt.replicas().get(0).model());
  }

  /** Passes over it, since its records are left out already. */
  private void passOver(Forgotten once) {
    model.begin(once.version().generation());
    model.requireVersion(once.version());
  }

  private void make(Round round) {
    attempt.wake(model.version().round(), waits());
    List<Contributed> unused =
        contribute(round.members().stream().filter(member -> !early.remove(member)).toList());
    model.close(round);
    attempt.prune(askedReplicas, place);
  }

  private boolean waits() {
    return settings.coordinator().pace().schedule().waits();
  }

  /** Has contributions made. Returns those that come to nothing. */
  private List<Contributed> contribute(List<Contributed> members) {
    List<RebuiltReplica.Made> made =
        attempt.areApart(members)
            ? lanes.all(members, Contributed::replica, this::play)
            : members.stream().map(one -> lanes.on(one.replica(), () -> play(one))).toList();
    List<Contributed> nothing = new ArrayList<>();
    for (int at = 0; at < members.size(); at++) {
      if (!take(members.get(at), made.get(at))) {
        nothing.add(members.get(at));
      }
    }
    return nothing;
  }

  private RebuiltReplica.Made play(Contributed member) {
    return attempt.replica(member.replica(), member.generation()).play(member.log());
  }

  /** Returns whether a contribution of its replica came of it. */
  private boolean take(Contributed member, RebuiltReplica.Made made) {
    made.refusals().forEach(model::refuse);
    List<MadeOne> all = made.contributions();
    if (all.size() != 1 || (forgotten.isEmpty() && !isOf(member, all.get(0)))) {
      requireForgetting(member, all);
    }
    boolean isTold = false;
    for (MadeOne one : all) {
      // Whoever follows the log of what comes of this does all of it for the first.
      boolean tells = !isTold && one.announcement().replica() == member.replica();
      model.announce(one, member.generation(), tells ? member.log() : "");
      isTold |= tells;
    }
    return isTold;
  }

  private static boolean isOf(Contributed member, MadeOne one) {
    return one.announcement().replica() == member.replica()
        && one.announcement().sequence() == member.sequence();
  }

  /** Other contributions than the job made come of what is forgotten alone. */
  private void requireForgetting(Contributed member, List<MadeOne> made) {
    if (forgotten.isEmpty()) {
      throw new UnusableLogException(
          "Replica %s should have made contribution %s, and has made %s, of the log '%s'"
              .formatted(
                  member.replica(),
                  member.sequence(),
                  made.stream().map(one -> one.announcement().sequence()).toList(),
                  member.log()));
    }
    if (settings.coordinator().pace().schedule().fragments() > 1) {
      throw new UnusableLogException(
          ("All that replica %s learned for contribution %s is forgotten, and the model was exchanged"
                  + " in fragments, whose turns would change. Begin at a state behind it, or train"
                  + " a new model")
              .formatted(member.replica(), member.sequence()));
    }
  }

  /**
   * Does what was done behind the newest round of a savepoint, see {@link Tail}.
   *
   * @throws UnusableLogException if a job couldn't go on from that
   */
  void finish() {
    attempt.wake(model.version().round(), waits());
    Map<Integer, String> without = new HashMap<>();
    for (Contributed member : tail.underWay()) {
      // A replica may have several.
      if (!early.remove(member) && !contribute(List.of(member)).isEmpty()) {
        without.merge(member.replica(), member.log(), (one, next) -> one + " " + next);
      }
    }
    for (var replica : tail.pending().entrySet()) {
      int number = replica.getKey();
      RebuiltReplica.Made made =
          lanes.on(number, () -> attempt.replicas().get(number).play(replica.getValue()));
      made.refusals().forEach(model::refuse);
      if (!made.contributions().isEmpty()) {
        throw new UnusableLogException(
            ("For what is forgotten replica %s had refused what it had learned right before this"
                    + " savepoint. Let the job go on for a round, and take another one")
                .formatted(number));
      }
      told.put(number, (without.getOrDefault(number, "") + " " + replica.getValue()).strip());
    }
    model.done(tail.done());
  }

  /**
   * Counts what was made as of another generation, so that no version has two meanings.
   *
   * @param generation greater than any in the log
   */
  void begin(long generation) {
    model.begin(generation);
  }

  /**
   * Writes a savepoint beside one, with what was made in the place of what that has.
   *
   * @param saved to which the chain leads, and what is behind it
   * @param name of its file of metadata
   * @return its path
   * @throws UnusableLogException if that doesn't have the same records
   */
  String write(SavedTraining saved, String name) throws IOException {
    SortedMap<Integer, SubtaskStrings> before = saved.replicas();
    SortedMap<Integer, SubtaskStrings> replicas = new TreeMap<>(before);
    for (var replica : told.entrySet()) {
      int number = replica.getKey();
      List<byte[]> waiting = before.get(number).list(ReplicaOperator.EXAMPLES_STATE);
      replicas.put(number, attempt.replicas().get(number).save(replica.getValue(), waiting));
    }
    Ledger theirs = saved.head().ledger().copy();
    theirs.merge(saved.head().announced());
    addRecords(before.values(), theirs);
    Ledger made = model.records();
    addRecords(replicas.values(), made);
    SameRecords.require(theirs, made, forgotten, !tail.done().isEmpty() || chain.someEnded());
    return model.write(saved, replicas, name);
  }

  private static void addRecords(Collection<SubtaskStrings> replicas, Ledger all)
      throws IOException {
    all.merge(SavedTraining.underWay(replicas));
    all.merge(SavedTraining.waiting(replicas));
  }

  /**
   * Returns contributions that have yet to be in a round, as the log behind this will tell them.
   */
  List<Contributed> underWay() {
    return model.underWay();
  }

  /** Returns the version of the newest round. */
  ModelVersion version() {
    return model.version();
  }

  /** Returns the model of the newest round, as the job would publish it. */
  public GlobalModel model() {
    return model.model();
  }

  @Override
  public void close() {
    lanes.close();
    if (attempt != null) {
      attempt.close();
    }
    examples.forEach(LoggedExamples::close);
  }
}
