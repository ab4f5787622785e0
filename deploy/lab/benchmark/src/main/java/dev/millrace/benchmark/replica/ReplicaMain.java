package dev.millrace.benchmark.replica;

import dev.millrace.benchmark.peer.Arguments;
import dev.millrace.benchmark.peer.Limit;
import dev.millrace.benchmark.peer.QuietLogs;
import dev.millrace.benchmark.peer.WorkloadFiles;
import dev.millrace.benchmark.workload.Workload;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Two replicas of an engine on two threads, which learn from memory and exchange nothing: {@code
 * ReplicaMain ENGINE WORKLOAD-DIRECTORY SECONDS}. The directory has the name of a {@link Workload}.
 * The last line on standard output is the figures, as a peer's.
 */
public final class ReplicaMain {

  private static final int REPLICAS = 2;

  private ReplicaMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    QuietLogs.configure(Limit.class);
    Arguments.check(args, 3, "give ENGINE WORKLOAD-DIRECTORY SECONDS");
    ModelEngine engine = ModelEngine.named(args[0]);
    Path directory = Path.of(args[1]);
    Duration time = Arguments.seconds(args[2]);
    InitialModel model = engine.define(workload(directory.getFileName().toString()).network());
    System.out.println(
        new Limit(REPLICAS, workload -> new ReplicaLearner(engine, model, workload.examples()))
            .measure(WorkloadFiles.read(directory), Arguments.warmUp(time), time)
            .toJson());
    // Threads of an engine's may be left.
    System.exit(0);
  }

  private static Workload workload(String name) {
    return Workload.all().stream()
        .filter(workload -> workload.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no workload " + name));
  }
}
