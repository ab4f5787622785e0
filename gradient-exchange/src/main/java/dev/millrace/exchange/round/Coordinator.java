package dev.millrace.exchange.round;

import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

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

  private enum Status {
    ACTIVE,
    IDLE,
    LATE,
    DONE
  }

  private static final int FORMAT = 1;

  private final ModelTotals totals;
  private final Map<Integer, Status> statuses = new TreeMap<>();
  private final Map<Integer, Deque<Announcement>> announced = new TreeMap<>();
  private long generation;
  private long round;
  private Standings standings = new Standings();

  private UsualWeights usual = new UsualWeights();

  /** Known only while running: who has said hello since the start. */
  private final Set<Integer> greeted = new HashSet<>();

  private int replicas = -1;
  private boolean greetingsExpired;

  public Coordinator(ModelTotals totals) {
    this.totals = totals;
  }

  public void hello(Hello hello) {
    replicas = hello.replicas();
    statuses.keySet().removeIf(replica -> replica >= replicas);
    greeted.add(hello.replica());
    statuses.compute(hello.replica(), (replica, status) -> isAway(status) ? status : Status.ACTIVE);
  }

  private static boolean isAway(Status status) {
    return status == Status.IDLE || status == Status.LATE;
  }

  /** Records of announced contributions that no round has included yet. */
  public Ledger recordsUnderWay() {
    Ledger records = new Ledger();
    announced
        .values()
        .forEach(queue -> queue.forEach(open -> records.merge(open.metadata().ledger())));
    return records;
  }

  /**
   * A contribution is on its way to every block.
   *
   * @throws IllegalStateException if it isn't the replica's next one: no contribution may count
   *     twice nor be left out, and no block could make the round
   */
  public void announce(Announcement announcement) {
    int replica = announcement.replica();
    long newest = standings.of(replica).announced();
    if (announcement.sequence() != newest + 1) {
      throw new IllegalStateException(
          "Replica %d has announced contribution %d, and now announces contribution %d"
              .formatted(replica, newest, announcement.sequence()));
    }
    announced.computeIfAbsent(replica, any -> new ArrayDeque<>()).add(announcement);
    standings.announced(replica, announcement.sequence());
    statuses.put(replica, Status.ACTIVE);
  }

  public void idle(int replica) {
    statuses.put(replica, Status.IDLE);
  }

  public void farewell(Farewell farewell) {
    statuses.put(farewell.replica(), Status.DONE);
    totals.addRejected(farewell.rejected());
  }

  /** Whether a round can be closed now. */
  public boolean ready() {
    return hasAnnouncements()
        && !awaitsGreetings()
        && statuses.entrySet().stream()
            .allMatch(
                replica ->
                    replica.getValue() != Status.ACTIVE || announced.containsKey(replica.getKey()));
  }

  /** Whether at least half of the replicas that the open round waits for have announced. */
  public boolean hasQuorum() {
    long active = statuses.values().stream().filter(Status.ACTIVE::equals).count();
    return hasAnnouncements() && !awaitsGreetings() && 2L * announced.size() >= active;
  }

  public boolean hasAnnouncements() {
    return !announced.isEmpty();
  }

  /**
   * The round has waited long enough: makes those that it waits for late.
   *
   * @return how many these were
   */
  public int expire() {
    greetingsExpired = true;
    for (int replica = 0; replica < replicas; replica++) {
      statuses.putIfAbsent(replica, Status.ACTIVE);
    }
    int late = 0;
    for (var status : statuses.entrySet()) {
      if (status.getValue() == Status.ACTIVE && !announced.containsKey(status.getKey())) {
        status.setValue(Status.LATE);
        late++;
      }
    }
    return late;
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
    Measures measures = Measures.NONE;
    for (var queue = announced.entrySet().iterator(); queue.hasNext(); ) {
      Deque<Announcement> waiting = queue.next().getValue();
      Announcement next = waiting.removeFirst();
      if (waiting.isEmpty()) {
        queue.remove();
      }
      Member member = new Member(next.replica(), next.sequence(), next.metadata().weight());
      members.add(member);
      standings.included(member, round);
      usual.contributed(next.replica(), next.metadata().weight());
      totals.add(next.metadata());
      measures = measures.plus(next.metadata().measures());
    }
    totals.addRecent(measures);
    return new ClosedRound(round, members, usual.of(members, missing(members, whole)));
  }

  private Set<Integer> missing(List<Member> members, WholeRound whole) {
    Set<Integer> missing = new TreeSet<>();
    statuses.forEach(
        (replica, status) -> {
          if (status == Status.LATE || whole == WholeRound.OF_ALL) {
            missing.add(replica);
          }
        });
    members.forEach(member -> missing.remove(member.replica()));
    return missing;
  }

  /** A replica has left out what it had learned: it has nothing for the round that is open. */
  public void refuse(Refusal refusal) {
    totals.addRejected(refusal.refused());
    statuses.put(refusal.replica(), Status.IDLE);
  }

  /**
   * What replicas have to know of the newest round.
   *
   * @param localSteps that they make before their next contributions
   * @param ended whether training is over
   */
  public RoundHead head(int localSteps, boolean ended) {
    return new RoundHead(round, totals.steps(), totals.statistics().copy(), localSteps, ended);
  }

  /** What is known of a replica's contributions. */
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
          "Generation %d can't follow generation %d".formatted(newGeneration, generation));
    }
    generation = newGeneration;
  }

  public ModelVersion version() {
    return new ModelVersion(generation, round);
  }

  public ModelTotals totals() {
    return totals;
  }

  private boolean awaitsGreetings() {
    if (greetingsExpired) {
      return false;
    }
    for (int replica = 0; replica < replicas; replica++) {
      if (!greeted.contains(replica) && statuses.get(replica) != Status.DONE) {
        return true;
      }
    }
    // Without a single hello nobody is left to say one: all replicas have ended.
    return replicas < 0 && !statuses.values().stream().allMatch(Status.DONE::equals);
  }

  public void write(DataOutput out) throws IOException {
    out.writeByte(FORMAT);
    totals.write(out);
    out.writeLong(generation);
    out.writeLong(round);
    standings.write(out);
    out.writeInt(statuses.size());
    for (var status : statuses.entrySet()) {
      out.writeInt(status.getKey());
      out.writeUTF(status.getValue().name());
    }
    usual.write(out);
    List<Announcement> open = announced.values().stream().flatMap(Deque::stream).toList();
    out.writeInt(open.size());
    for (Announcement announcement : open) {
      CoordinatorMessage.WIRE.write(announcement, out);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @param window examples that recent measures cover from now on
   */
  public static Coordinator read(DataInput in, long window) throws IOException {
    WireFormat.readVersion(in, FORMAT, Coordinator.class);
    Coordinator coordinator = new Coordinator(ModelTotals.read(in, window));
    coordinator.generation = in.readLong();
    coordinator.round = in.readLong();
    coordinator.standings = Standings.read(in);
    for (int left = in.readInt(); left > 0; left--) {
      coordinator.statuses.put(in.readInt(), Status.valueOf(in.readUTF()));
    }
    coordinator.usual = UsualWeights.read(in);
    for (int left = in.readInt(); left > 0; left--) {
      Announcement open = (Announcement) CoordinatorMessage.WIRE.read(in);
      coordinator.announced.computeIfAbsent(open.replica(), any -> new ArrayDeque<>()).add(open);
    }
    return coordinator;
  }
}
