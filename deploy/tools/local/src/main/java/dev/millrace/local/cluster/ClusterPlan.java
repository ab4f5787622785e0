package dev.millrace.local.cluster;

import java.util.Map;

/**
 * What a cluster shall be made of.
 *
 * @param slots of each TaskManager: how many replicas it can train
 * @param highlyAvailable two JobManagers with ZooKeeper, so that one may be lost
 * @param broker whether a Kafka broker is started, too
 * @param modelValues parameters and updater state of the models that the memory is made for
 * @param overrides keys of Flink's configuration, which win over all else
 */
public record ClusterPlan(
    int taskManagers,
    int slots,
    boolean highlyAvailable,
    boolean broker,
    Ports ports,
    long modelValues,
    Map<String, String> overrides) {

  public ClusterPlan {
    overrides = Map.copyOf(overrides);
  }

  int jobManagers() {
    return highlyAvailable ? 2 : 1;
  }
}
