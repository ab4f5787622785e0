package dev.millrace.exchange.feedback;

import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The processes that replicas have said hello from. Each is told of a round in one message, which
 * is about its own replicas only: so a round costs as many messages as there are processes, and
 * bytes in proportion to the replicas.
 *
 * <p>Where contributions are gathered, the replicas of a process send theirs to the gatherer of the
 * same number as the lowest of them that had said hello when the first of them was told anything.
 *
 * <p>Not thread-safe.
 */
public final class ReplicaProcesses {

  /** One process. */
  private static final class ReplicaProcess {

    /** Which feedback sink there takes what is for it: that of the first replica. */
    final int sink;

    /** The homes by replica. */
    final NavigableMap<Integer, String> homes = new TreeMap<>();

    int gatherer = HeadDelivery.NO_GATHERER;

    ReplicaProcess(int sink) {
      this.sink = sink;
    }

    int gatherer() {
      if (gatherer == HeadDelivery.NO_GATHERER) {
        gatherer = homes.firstKey();
      }
      return gatherer;
    }
  }

  private final boolean gathers;
  private final Map<String, ReplicaProcess> byName = new LinkedHashMap<>();
  private final Map<Integer, ReplicaProcess> byReplica = new HashMap<>();
  private int replicas;
  private boolean told;

  /** {@code gathers} says whether the contributions of a process are gathered in it. */
  public ReplicaProcesses(boolean gathers) {
    this.gathers = gathers;
  }

  /** A replica has said hello. */
  public void hello(Hello hello) {
    ReplicaProcess process =
        byName.computeIfAbsent(
            ReplicaLinks.process(hello.home()), any -> new ReplicaProcess(hello.replica()));
    process.homes.put(hello.replica(), hello.home());
    byReplica.put(hello.replica(), process);
    replicas = hello.replicas();
  }

  /** Returns how many replicas the job has, as the newest hello says. */
  public int replicas() {
    return replicas;
  }

  /** The gatherer that a replica which has said hello sends its contributions to. */
  public int gatherer(int replica) {
    return byReplica.get(replica).gatherer();
  }

  /** Makes the delivery to one replica alone; {@code standings} are by replica. */
  public HeadDelivery delivery(Hello hello, RoundHead head, IntFunction<Standing> standings) {
    return delivery(
        byReplica.get(hello.replica()),
        head,
        Map.of(hello.home(), standings.apply(hello.replica())));
  }

  /** Tells all replicas that have said hello. */
  public void tell(RoundHead head, IntFunction<Standing> standings, Consumer<HeadDelivery> out) {
    told = true;
    for (ReplicaProcess process : byName.values()) {
      Map<String, Standing> byHome = new HashMap<>();
      process.homes.forEach((replica, home) -> byHome.put(home, standings.apply(replica)));
      out.accept(delivery(process, head, byHome));
    }
  }

  /** Whether all who had said hello were told together. */
  public boolean haveBeenTold() {
    return told;
  }

  private HeadDelivery delivery(
      ReplicaProcess process, RoundHead head, Map<String, Standing> byHome) {
    int gatherer = gathers ? process.gatherer() : HeadDelivery.NO_GATHERER;
    return new HeadDelivery(process.sink, head, byHome, gatherer);
  }
}
