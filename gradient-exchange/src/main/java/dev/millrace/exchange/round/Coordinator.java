package dev.millrace.exchange.round;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Away;
import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.round.ReplicaStatuses.Status;
import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.exchange.steering.CoordinatorHook;
import dev.millrace.exchange.steering.NoSteering;
import dev.millrace.model.Ledger;
import dev.millrace.model.MeasuresSum;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.grow.Places;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Decides, in one place, which contributions make up each round, and keeps the totals of the global
 * model that they make.
 *
 * <p>A round is ready when every active replica has announced a contribution. A replica becomes
 * idle when it says so, and late when a round was {@linkplain #expire made without it}; it becomes
 * active again by announcing. What it announces late is a member of a later round: no contribution
 * is lost, none is taken twice. After a start or restore no round is ready until every replica that
 * isn't done has said hello, so that an undisturbed run and a restored one decide alike.
 *
 * <p>Not thread-safe.
 */
public final class Coordinator {

  private static final int FORMAT = 1;

  private final ModelTotals totals;
  private ReplicaStatuses statuses = new ReplicaStatuses();
  private Announced announced = new Announced();
  private long generation;
  private long round;
  private Standings standings = new Standings();
  private MeanWeights usual = new MeanWeights();

  /** Measures of the round that is being closed; kept for its memory alone. */
  private final MeasuresSum ofRound = new MeasuresSum();

  private final SteeringController controller;

  /** What the members of the newest round did for it. */
  private final List<Contributed> logged = new ArrayList<>();

  /** The blocks that the newest round changed. */
  private List<Fragment> changed = List.of();

  /** Known only while running: who has said hello since the start. */
  private final BitSet greeted = new BitSet();

  private int replicas = -1;
  private boolean greetingsExpired;

  /** Coordinates training as it is configured. */
  public Coordinator(ModelTotals totals) {
    this(totals, NoSteering.NONE);
  }

  /** {@code hook} says what training does beside. */
  public Coordinator(ModelTotals totals, CoordinatorHook hook) {
    this.totals = totals;
    this.controller = new SteeringController(hook);
  }

  public void hello(Hello hello) {
    replicas = hello.replicas();
    statuses.forgetFrom(replicas);
    greeted.set(hello.replica());
    if (!statuses.isAway(hello.replica())) {
      statuses.set(hello.replica(), Status.ACTIVE);
    }
  }

  /** Records of announced contributions that no round has included yet. */
  public Ledger recordsUnderWay() {
    return announced.records();
  }

  /** Returns what was done for announced contributions that no round has included yet. */
  public List<Contributed> loggedUnderWay() {
    return announced.waiting().stream().map(Coordinator::logged).toList();
  }

  private static Contributed logged(Announced.Waiting waiting) {
    Announcement one = waiting.announcement();
    return new Contributed(
        one.replica(), one.sequence(), waiting.generation(), one.metadata().log());
  }

  /** Announced contributions that no round has included yet. */
  public List<ContributionId> contributionsUnderWay() {
    return announced.all().stream()
        .map(open -> new ContributionId(open.replica(), open.sequence()))
        .toList();
  }

  /**
   * A contribution is on its way to every block.
   *
   * @throws IllegalStateException if it isn't the replica's next one: no contribution may count
   *     twice nor be left out, and no block could make the round
   */
  public void announce(Announcement announcement) {
    announce(announcement, generation);
  }

  /**
   * Takes an announcement again that had been made in that generation, see {@link
   * #announce(Announcement)}.
   */
  public void announce(Announcement announcement, long ofGeneration) {
    int replica = announcement.replica();
    long newest = standings.of(replica).announced();
    if (announcement.sequence() != newest + 1) {
      throw new IllegalStateException(
          "Replica %s has announced contribution %s, and now announces contribution %s"
              .formatted(replica, newest, announcement.sequence()));
    }
    announced.add(announcement, ofGeneration);
    standings.announced(replica, announcement.sequence());
    statuses.set(replica, Status.ACTIVE);
  }

  public void idle(int replica) {
    statuses.set(replica, Status.IDLE);
  }

  public void farewell(Farewell farewell) {
    statuses.set(farewell.replica(), Status.DONE);
    totals.addRejected(farewell.rejected());
  }

  /** Whether a round can be closed now. Asked at each announcement: a few words a replica. */
  public boolean ready() {
    return isOpen() && statuses.activeWithout(announced.open()).isEmpty();
  }

  /** Whether at least half of the replicas that the open round waits for have announced. */
  public boolean hasQuorum() {
    return isOpen() && 2L * announced.replicas() >= statuses.count(Status.ACTIVE);
  }

  public boolean hasAnnouncements() {
    return !announced.isEmpty();
  }

  /** Whether a round has a contribution, and all who may be in it have said hello. */
  public boolean isOpen() {
    return hasAnnouncements() && (greetingsExpired || !awaitsReplicas());
  }

  /**
   * The round has waited long enough, or nobody is left to wait for: makes those that it waits for
   * late, and those who haven't said hello.
   *
   * @return how many these were
   */
  public int expire() {
    greetingsExpired = true;
    for (int replica = 0; replica < replicas; replica++) {
      if (!statuses.isKnown(replica)) {
        statuses.set(replica, Status.ACTIVE);
      }
    }
    BitSet late = statuses.activeWithout(announced.open());
    late.stream().forEach(replica -> statuses.set(replica, Status.LATE));
    return late.cardinality();
  }

  /**
   * Closes the next round over the oldest announced contribution of each replica.
   *
   * @param whole what the round is a part of
   * @throws IllegalStateException if nothing has been announced
   */
  public ClosedRound close(WholeRound whole) {
    if (!hasAnnouncements()) {
      throw new IllegalStateException("A round needs at least one contribution");
    }
    round++;
    List<Member> members = new ArrayList<>();
    ofRound.clear();
    logged.clear();
    for (Announced.Waiting waiting : announced.takeOldest()) {
      Announcement next = waiting.announcement();
      double weight = next.metadata().weight();
      usual.contributed(next.replica(), weight);
      Member member =
          new Member(
              next.replica(), next.sequence(), next.fragment(), weight, usual.of(next.replica()));
      members.add(member);
      standings.included(member, round);
      totals.add(next.metadata());
      controller.add(next.metadata());
      ofRound.add(next.metadata().measures());
      logged.add(logged(waiting));
    }
    totals.closeRound(ofRound.get());
    controller.close(totals);
    ClosedRound closed = new ClosedRound(round, members, participation(members, whole));
    changed = closed.fragments();
    return closed;
  }

  /**
   * Makes the next round of no contribution, which changes nothing: where a job that is followed
   * had a round, and nothing is left of it.
   */
  public ClosedRound pass() {
    round++;
    logged.clear();
    changed = List.of();
    return new ClosedRound(round, List.of(), Participation.WHOLE);
  }

  /** Returns the replicas whose input has ended. */
  public BitSet done() {
    return statuses.of(Status.DONE);
  }

  private Participation participation(List<Member> members, WholeRound whole) {
    BitSet away = statuses.known();
    members.forEach(member -> away.clear(member.replica()));
    BitSet late = statuses.of(Status.LATE);
    late.and(away);
    away.andNot(late);
    return usual.of(
        members, late, whole.missing(members.size() + late.cardinality(), away.cardinality()));
  }

  /**
   * Returns how the newest round was made; empty if none was. What members tell is empty where they
   * kept no log when they contributed.
   */
  public Optional<LogEntry.Round> logged() {
    if (logged.isEmpty()) {
      return Optional.empty();
    }
    Away away =
        new Away(statuses.of(Status.IDLE), statuses.of(Status.LATE), statuses.of(Status.DONE));
    return Optional.of(new LogEntry.Round(version(), logged, List.of(), away, false));
  }

  /** A replica has left out what it had learned: it has nothing for the round that is open. */
  public void refuse(Refusal refusal) {
    totals.add(refusal);
    statuses.set(refusal.replica(), Status.IDLE);
  }

  /** Returns the part that decides what training does beside what it is configured to. */
  public SteeringController controller() {
    return controller;
  }

  /**
   * Returns what replicas have to know of the newest round.
   *
   * @param localSteps of the schedule, before their next contributions
   * @param ended whether training is over
   */
  public RoundHead head(int localSteps, boolean ended) {
    return new RoundHead(
        round,
        totals.progress(),
        totals.updaterSteps(),
        totals.learned().withoutCounts(),
        controller.steering().localSteps(localSteps),
        ended,
        changed,
        controller.steering());
  }

  /** Returns what is known of a replica's contributions. */
  public Standing standing(int replica) {
    return standings.of(replica);
  }

  /**
   * Counts the rounds from now on as those of a later generation: what follows a restore may differ
   * from what was published before it.
   *
   * @param newGeneration greater than that of any model that has been published
   */
  public void begin(long newGeneration) {
    if (newGeneration < generation) {
      throw new IllegalArgumentException(
          "Generation %s can't follow generation %s".formatted(newGeneration, generation));
    }
    generation = newGeneration;
  }

  public ModelVersion version() {
    return new ModelVersion(generation, round);
  }

  public ModelTotals totals() {
    return totals;
  }

  /** Whether any replica that hasn't ended has yet to say hello, however long it takes. */
  public boolean awaitsReplicas() {
    if (replicas < 0) {
      // Before the first hello. Nobody is left to say one where all replicas have ended.
      int known = statuses.known().cardinality();
      return known == 0 || statuses.count(Status.DONE) < known;
    }
    return !unheardOf().isEmpty();
  }

  /** Replicas that have yet to say hello, as far as is known how many there are. */
  BitSet unheardOf() {
    BitSet unheardOf = new BitSet();
    unheardOf.set(0, Math.max(0, replicas));
    unheardOf.andNot(statuses.of(Status.DONE));
    unheardOf.andNot(greeted);
    return unheardOf;
  }

  /** Replicas whose contributions the open round waits for. */
  BitSet awaited() {
    return isOpen() ? statuses.activeWithout(announced.open()) : new BitSet();
  }

  /**
   * The model takes more features now. All blocks are others.
   *
   * @throws IllegalStateException if contributions are under way, which are of the smaller model
   */
  public void grow(Places places) {
    if (hasAnnouncements()) {
      throw new IllegalStateException("Contributions to the smaller model are under way");
    }
    totals.grow(places);
    changed = List.of(Fragment.WHOLE);
  }

  public void write(DataOutput out) throws IOException {
    out.writeByte(FORMAT);
    totals.write(out);
    out.writeLong(generation);
    out.writeLong(round);
    standings.write(out);
    statuses.write(out);
    usual.write(out);
    RoundHead.writeFragments(changed, out);
    announced.write(out);
    controller.write(out);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @param window examples that recent measures cover from now on
   * @param ofStep examples that a step of the whole job takes from now on
   */
  public static Coordinator read(DataInput in, long window, int ofStep) throws IOException {
    return read(in, window, ofStep, NoSteering.NONE);
  }

  /**
   * Reads a coordinator as {@link #read(DataInput, long, int)} does; {@code hook} is the one from
   * now on.
   */
  public static Coordinator read(DataInput in, long window, int ofStep, CoordinatorHook hook)
      throws IOException {
    WireFormat.readVersion(in, FORMAT, Coordinator.class);
    Coordinator coordinator = new Coordinator(ModelTotals.read(in, window, ofStep), hook);
    coordinator.generation = in.readLong();
    coordinator.round = in.readLong();
    coordinator.standings = Standings.read(in);
    coordinator.statuses = ReplicaStatuses.read(in);
    coordinator.usual = MeanWeights.read(in);
    coordinator.changed = RoundHead.readFragments(in);
    coordinator.announced = Announced.read(in);
    coordinator.controller.read(in);
    return coordinator;
  }
}
