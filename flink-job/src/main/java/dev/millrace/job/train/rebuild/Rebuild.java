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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private Attempt attempt;

  /** Logs that replicas are to tell with their next contributions. */
  private final Map<Integer, String> told = new HashMap<>();

  /** How many entries were followed. */
  private int place;

  /**
   * How many contributions of the job weren't made, since nothing was left to learn for them, less
   * those that it had refused for what is forgotten; by replica.
   */
  private final Map<Integer, Long> leftOut = new HashMap<>();

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
      this.asked =
          AskedRounds.of(chain.entries(), tail.logs(), settings.replica().layout().count());
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
    Stream<Contributed> later =
        chain.entries().stream()
            .skip(place)
            .filter(Round.class::isInstance)
            .flatMap(round -> ((Round) round).members().stream());
    Stream.concat(later, tail.underWay().stream())
        .filter(member -> member.generation() < generation)
        .forEach(member -> contribute(List.of(member)));
  }

  private void beginAnew() {
    for (int number = 0; number < attempt.replicas().size(); number++) {
      RebuiltReplica replica = attempt.replicas().get(number);
      lanes.run(number, () -> replica.begin(settings.initial()));
    }
    model.begin(attempt.replicas().get(0).model());
  }

  /** Passes over it, since its records are left out already. The log counts as this does now. */
  private void passOver(Forgotten once) {
    model.begin(once.version().generation());
    model.requireVersion(once.version());
    leftOut.clear();
  }

  private void make(Round round) {
    attempt.wake(model.version().round(), waits());
    contribute(round.members());
    model.close(round);
    attempt.prune();
  }

  private boolean waits() {
    return settings.coordinator().pace().schedule().waits();
  }

  private void contribute(List<Contributed> members) {
    List<Contributed> left = members.stream().filter(this::isToBeMade).toList();
    List<RebuiltReplica.Made> made =
        // A replica that takes the place of another has that do something first.
        attempt.isSettled()
            ? lanes.all(left, Contributed::replica, this::play)
            : left.stream().map(one -> lanes.on(one.replica(), () -> play(one))).toList();
    for (int at = 0; at < left.size(); at++) {
      take(left.get(at), made.get(at));
    }
  }

  /** Whether it wasn't on its way in the state that this began with. */
  private boolean isToBeMade(Contributed member) {
    return sequence(member) > model.announced(member.replica());
  }

  /** Returns which contribution it is here. */
  private long sequence(Contributed member) {
    return member.sequence() - leftOut.getOrDefault(member.replica(), 0L);
  }

  private RebuiltReplica.Made play(Contributed member) {
    return attempt.replica(member.replica(), member.generation()).play(member.log());
  }

  private void take(Contributed member, RebuiltReplica.Made made) {
    long sequence = sequence(member);
    made.refusals().forEach(model::refuse);
    List<MadeOne> all = made.contributions();
    if (all.size() != 1 || all.get(0).announcement().sequence() != sequence) {
      requireForgetting(member, all);
      count(member.replica(), 1);
      all.forEach(one -> count(one.announcement().replica(), -1));
    }
    all.forEach(one -> model.announce(one, member));
  }

  private void count(int replica, long more) {
    leftOut.merge(replica, more, Long::sum);
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
      long before = leftOut.getOrDefault(member.replica(), 0L);
      // A replica may have several.
      contribute(List.of(member));
      if (leftOut.getOrDefault(member.replica(), 0L) > before) {
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
