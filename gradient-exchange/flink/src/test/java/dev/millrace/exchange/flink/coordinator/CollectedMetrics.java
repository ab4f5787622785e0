package dev.millrace.exchange.flink.coordinator;

import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.metrics.groups.TaskManagerMetricGroup;
import org.apache.flink.runtime.metrics.groups.TaskMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;

/** A task whose operators' metrics a test can look at. */
final class CollectedMetrics {

  private CollectedMetrics() {}

  /** Puts each metric into {@code target} by its name. */
  static TaskMetricGroup into(Map<String, Metric> target) {
    TestingMetricRegistry registry =
        TestingMetricRegistry.builder()
            .setRegisterConsumer((metric, name, group) -> target.put(name, metric))
            .build();
    return TaskManagerMetricGroup.createTaskManagerMetricGroup(
            registry, "host", ResourceID.generate())
        .addJob(new JobID(), "job")
        .addTask(ExecutionAttemptID.randomId(), "task");
  }
}
