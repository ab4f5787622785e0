package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.flink.feedback.HeadDelivery;
import dev.millrace.exchange.flink.feedback.ReplicaLinks;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The processes that replicas have said hello from. Each is told of a round in one message, which
 * is about its own replicas only: so a round costs as many messages as there are processes, and
 * bytes in proportion to the replicas.
 *
 * <p>Not thread-safe.
 */
public final class ReplicaProcesses {

  /**
   * One process.
   *
   * @param sink which feedback sink there takes what is for it: that of the first replica
   * @param homes by replica
   */
  private record ReplicaProcess(int sink, Map<Integer, String> homes) {

    HeadDelivery delivery(RoundHead head, IntFunction<Standing> standings) {
      Map<String, Standing> byHome = new HashMap<>();
      homes.forEach((replica, home) -> byHome.put(home, standings.apply(replica)));
      return new HeadDelivery(sink, head, byHome);
    }
  }

  private final Map<String, ReplicaProcess> byName = new LinkedHashMap<>();

  /**
   * A replica has said hello.
   *
   * @param standings by replica
   * @return what to tell it alone
   */
  public HeadDelivery hello(Hello hello, RoundHead head, IntFunction<Standing> standings) {
    ReplicaProcess process =
        byName.computeIfAbsent(
            ReplicaLinks.process(hello.home()),
            any -> new ReplicaProcess(hello.replica(), new HashMap<>()));
    process.homes().put(hello.replica(), hello.home());
    return new HeadDelivery(
        process.sink(), head, Map.of(hello.home(), standings.apply(hello.replica())));
  }

  /** Tells all replicas that have said hello. */
  public void tell(RoundHead head, IntFunction<Standing> standings, Consumer<HeadDelivery> out) {
    byName.values().forEach(process -> out.accept(process.delivery(head, standings)));
  }
}
