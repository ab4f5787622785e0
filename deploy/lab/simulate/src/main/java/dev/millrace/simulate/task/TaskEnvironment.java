package dev.millrace.simulate.task;

import java.io.File;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobInfo;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.accumulators.AccumulatorRegistry;
import org.apache.flink.runtime.broadcast.BroadcastVariableManager;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.checkpoint.CheckpointMetrics;
import org.apache.flink.runtime.checkpoint.TaskStateSnapshot;
import org.apache.flink.runtime.checkpoint.channel.ChannelStateWriteRequestExecutorFactory;
import org.apache.flink.runtime.checkpoint.channel.ChannelStateWriter;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.externalresource.ExternalResourceInfoProvider;
import org.apache.flink.runtime.io.disk.iomanager.IOManager;
import org.apache.flink.runtime.io.network.TaskEventDispatcher;
import org.apache.flink.runtime.io.network.api.writer.ResultPartitionWriter;
import org.apache.flink.runtime.io.network.partition.consumer.IndexedInputGate;
import org.apache.flink.runtime.jobgraph.JobType;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.jobgraph.tasks.InputSplitProvider;
import org.apache.flink.runtime.jobgraph.tasks.TaskOperatorEventGateway;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.memory.SharedResources;
import org.apache.flink.runtime.metrics.groups.TaskMetricGroup;
import org.apache.flink.runtime.metrics.groups.UnregisteredMetricGroups;
import org.apache.flink.runtime.query.TaskKvStateRegistry;
import org.apache.flink.runtime.state.TaskStateManager;
import org.apache.flink.runtime.taskexecutor.GlobalAggregateManager;
import org.apache.flink.runtime.taskmanager.TaskManagerActions;
import org.apache.flink.runtime.taskmanager.TaskManagerRuntimeInfo;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;

/** What a task is told of where it runs. Most is the same for all. */
final class TaskEnvironment implements Environment {

  private static final JobID JOB = new JobID(0, 1);
  private static final JobVertexID VERTEX = new JobVertexID(0, 1);
  private static final ExecutionAttemptID ATTEMPT = ExecutionAttemptID.randomId();
  private static final Configuration NO_OPTIONS = new Configuration();
  private static final ExecutionConfig EXECUTION = new ExecutionConfig();
  private static final TaskStateManager STATES = Blank.of(TaskStateManager.class);
  private static final UserCodeClassLoader CLASSES =
      SimpleUserCodeClassLoader.create(TaskEnvironment.class.getClassLoader());
  private static final TaskManagerRuntimeInfo TASK_MANAGER = new TaskManager();
  private static final ExternalResourceInfoProvider NO_DEVICES =
      ExternalResourceInfoProvider.NO_EXTERNAL_RESOURCES;

  private final TaskMetricGroup metrics =
      UnregisteredMetricGroups.createUnregisteredTaskMetricGroup();
  private final AccumulatorRegistry accumulators = new AccumulatorRegistry(JOB, ATTEMPT);
  private final TaskInfo task;

  TaskEnvironment(TaskInfo task) {
    this.task = task;
  }

  @Override
  public ExecutionConfig getExecutionConfig() {
    return EXECUTION;
  }

  @Override
  public JobID getJobID() {
    return JOB;
  }

  @Override
  public JobType getJobType() {
    return JobType.STREAMING;
  }

  @Override
  public JobVertexID getJobVertexId() {
    return VERTEX;
  }

  @Override
  public ExecutionAttemptID getExecutionId() {
    return ATTEMPT;
  }

  @Override
  public Configuration getTaskConfiguration() {
    return NO_OPTIONS;
  }

  @Override
  public TaskManagerRuntimeInfo getTaskManagerInfo() {
    return TASK_MANAGER;
  }

  @Override
  public TaskMetricGroup getMetricGroup() {
    return metrics;
  }

  @Override
  public Configuration getJobConfiguration() {
    return NO_OPTIONS;
  }

  @Override
  public JobInfo getJobInfo() {
    return Blank.of(JobInfo.class);
  }

  @Override
  public TaskInfo getTaskInfo() {
    return task;
  }

  @Override
  public InputSplitProvider getInputSplitProvider() {
    throw unused();
  }

  @Override
  public TaskOperatorEventGateway getOperatorCoordinatorEventGateway() {
    throw unused();
  }

  @Override
  public IOManager getIOManager() {
    throw unused();
  }

  @Override
  public MemoryManager getMemoryManager() {
    throw unused();
  }

  @Override
  public SharedResources getSharedResources() {
    throw unused();
  }

  @Override
  public UserCodeClassLoader getUserCodeClassLoader() {
    return CLASSES;
  }

  @Override
  public Map<String, Future<Path>> getDistributedCacheEntries() {
    return Map.of();
  }

  @Override
  public BroadcastVariableManager getBroadcastVariableManager() {
    throw unused();
  }

  @Override
  public TaskStateManager getTaskStateManager() {
    return STATES;
  }

  @Override
  public GlobalAggregateManager getGlobalAggregateManager() {
    throw unused();
  }

  @Override
  public ExternalResourceInfoProvider getExternalResourceInfoProvider() {
    return NO_DEVICES;
  }

  @Override
  public AccumulatorRegistry getAccumulatorRegistry() {
    return accumulators;
  }

  @Override
  public TaskKvStateRegistry getTaskKvStateRegistry() {
    throw unused();
  }

  @Override
  public void acknowledgeCheckpoint(long checkpoint, CheckpointMetrics ofIt) {
    throw unused();
  }

  @Override
  public void acknowledgeCheckpoint(
      long checkpoint, CheckpointMetrics ofIt, TaskStateSnapshot state) {
    throw unused();
  }

  @Override
  public void declineCheckpoint(long checkpoint, CheckpointException why) {
    throw unused();
  }

  @Override
  public void failExternally(Throwable why) {
    throw new IllegalStateException(why);
  }

  @Override
  public ResultPartitionWriter getWriter(int index) {
    throw unused();
  }

  @Override
  public ResultPartitionWriter[] getAllWriters() {
    return new ResultPartitionWriter[0];
  }

  @Override
  public IndexedInputGate getInputGate(int index) {
    throw unused();
  }

  @Override
  public IndexedInputGate[] getAllInputGates() {
    return new IndexedInputGate[0];
  }

  @Override
  public TaskEventDispatcher getTaskEventDispatcher() {
    throw unused();
  }

  @Override
  public TaskManagerActions getTaskManagerActions() {
    throw unused();
  }

  @Override
  public ChannelStateWriteRequestExecutorFactory getChannelStateExecutorFactory() {
    throw unused();
  }

  @Override
  public void setChannelStateWriter(ChannelStateWriter writer) {
    // Barriers are aligned, so no channel has a state.
  }

  @Override
  public ChannelStateWriter getChannelStateWriter() {
    return ChannelStateWriter.NO_OP;
  }

  private static UnsupportedOperationException unused() {
    return new UnsupportedOperationException("A simulated task doesn't have this");
  }

  private static final class TaskManager implements TaskManagerRuntimeInfo {

    @Override
    public Configuration getConfiguration() {
      return NO_OPTIONS;
    }

    @Override
    public String[] getTmpDirectories() {
      return new String[0];
    }

    @Override
    public boolean shouldExitJvmOnOutOfMemoryError() {
      return false;
    }

    @Override
    public String getTaskManagerExternalAddress() {
      return "localhost";
    }

    @Override
    public File getTmpWorkingDirectory() {
      return new File(".");
    }
  }
}
