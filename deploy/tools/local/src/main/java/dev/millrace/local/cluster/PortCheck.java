package dev.millrace.local.cluster;

import java.util.ArrayList;
import java.util.List;

/** Finds ports that are taken before anything is started. */
final class PortCheck {

  private PortCheck() {}

  /**
   * @throws ClusterException naming every port that can't be listened on, and the option to change
   *     it
   */
  static void require(ClusterPlan plan) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < plan.jobManagers(); i++) {
      check(plan.ports().rest() + i, "--rest-port", problems);
    }
    if (plan.highlyAvailable()) {
      check(plan.ports().zooKeeper(), "--zookeeper-port", problems);
    } else {
      check(plan.ports().rpc(), "--rpc-port", problems);
    }
    if (plan.broker()) {
      check(plan.ports().broker(), "--broker-port", problems);
    }
    if (!problems.isEmpty()) {
      throw new ClusterException(String.join(System.lineSeparator(), problems));
    }
  }

  private static void check(int port, String option, List<String> problems) {
    Ports.problem(port)
        .ifPresent(
            reason ->
                problems.add(
                    "Port %s can't be used: %s. Give another with %s"
                        .formatted(port, reason, option)));
  }
}
