package dev.millrace.benchmark.program;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.millrace.benchmark.peer.Arguments;
import dev.millrace.benchmark.peer.Examples;
import dev.millrace.benchmark.peer.QuietLogs;
import dev.millrace.benchmark.peer.Workload;
import dev.millrace.benchmark.peer.WorkloadFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.dataset.DataSet;

/**
 * Measures one program in this process: {@code ProgramMain dl4j|millrace WORKLOAD-DIRECTORY
 * EXAMPLES PASSES HOLD-OUT-DIRECTORY}. The last line on standard output is the figures, as JSON:
 * examples a second of the first {@code fit} of so many examples and of the second, and of so many
 * passes that follow each other, of which the first third isn't counted; and the accuracy after all
 * of them.
 */
public final class ProgramMain {

  private static final String USAGE =
      "give dl4j or millrace, WORKLOAD-DIRECTORY, EXAMPLES, PASSES, HOLD-OUT-DIRECTORY";

  private ProgramMain() {}

  public static void main(String[] args) throws IOException {
    QuietLogs.configure(ProgramMain.class);
    Arguments.check(args, 5, USAGE);
    Workload workload = WorkloadFiles.read(Path.of(args[1]));
    Examples holdOut = WorkloadFiles.readExamples(Path.of(args[4]));
    System.out.println(
        measure(
            Program.valueOf(args[0].toUpperCase(Locale.ROOT)),
            workload,
            Integer.parseInt(args[2]),
            Integer.parseInt(args[3]),
            holdOut));
    // Threads of DL4J's may be left.
    System.exit(0);
  }

  private static String measure(
      Program program, Workload workload, int examples, int count, Examples holdOut) {
    List<DataSet> minibatches = cycled(workload.examples().minibatches(), examples);
    int perPass = minibatches.size() * workload.examples().shape().batch();
    TimedPasses passes = new TimedPasses(minibatches);
    MultiLayerNetwork network = workload.newNetwork();
    Program.Training training = program.begin(network);
    double first = secondsOf(training, passes, 1);
    double second = secondsOf(training, passes, 1);
    // The start of a job, and what a compiler does meanwhile, is in the first of these.
    passes.seconds();
    training.fit(passes, count);
    List<Double> steady = passes.seconds();
    List<Double> last = steady.subList(steady.size() / 3, steady.size());
    return JsonNodeFactory.instance
        .objectNode()
        .put("first", perPass / first)
        .put("second", perPass / second)
        .put("steady", perPass * last.size() / last.stream().mapToDouble(Double::doubleValue).sum())
        .put("accuracy", accuracy(network, holdOut))
        .toString();
  }

  private static double secondsOf(Program.Training training, TimedPasses passes, int count) {
    long start = System.nanoTime();
    training.fit(passes, count);
    return (System.nanoTime() - start) / 1e9;
  }

  private static List<DataSet> cycled(List<DataSet> minibatches, int examples) {
    List<DataSet> all = new ArrayList<>();
    long learned = 0;
    for (int next = 0; learned < examples; next++) {
      DataSet minibatch = minibatches.get(next % minibatches.size());
      all.add(minibatch);
      learned += minibatch.numExamples();
    }
    return all;
  }

  private static double accuracy(MultiLayerNetwork network, Examples holdOut) {
    Evaluation evaluation = new Evaluation(holdOut.shape().outputs());
    for (DataSet minibatch : holdOut.minibatches()) {
      evaluation.eval(minibatch.getLabels(), network.output(minibatch.getFeatures()));
    }
    return evaluation.accuracy();
  }
}
