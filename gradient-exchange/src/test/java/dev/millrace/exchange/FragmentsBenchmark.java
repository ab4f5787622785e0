package dev.millrace.exchange;

import dev.millrace.example.Example;
import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.Feedback;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.block.GlobalModelCopy;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.JobShare;
import dev.millrace.exchange.replica.RateFactors;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.replica.ReplicaRules;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.ModelTotals;
import dev.millrace.exchange.round.WholeRound;
import dev.millrace.exchange.schedule.RoundCost;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * What low communication in fragments costs of accuracy, and what it takes off the peak of a round:
 * drawn digits, an mlp, the real replicas, coordinator and blocks in one thread. Prints the table
 * of docs/internals/exchange.md.
 *
 * <pre>
 * OMP_NUM_THREADS=1 mvn test -pl gradient-exchange -am -Dtest=FragmentsBenchmark -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
public class FragmentsBenchmark {

  private static final int OF_STEP = 32;
  private static final int EXAMPLES = 24_000;
  private static final int SEEDS = 3;
  private static final int BLOCK_SIZE = 1024;
  private static final int LOCAL_STEPS = 30;

  @Test
  public void table() throws IOException {
    System.out.println("| replicas | fragments | accuracy | rounds | KB of a round, at most |");
    System.out.println("| --- | --- | --- | --- | --- |");
    for (int replicas : new int[] {2, 4}) {
      for (int fragments : new int[] {1, 4}) {
        StringBuilder accuracies = new StringBuilder();
        Job job = null;
        for (int seed = 1; seed <= SEEDS; seed++) {
          job = new Job(replicas, fragments, seed);
          job.run();
          accuracies.append(
              String.format(Locale.ROOT, "%s%.3f", seed > 1 ? ", " : "", job.accuracy()));
        }
        System.out.printf(
            Locale.ROOT,
            "| %d | %d | %s | %d | %.0f |%n",
            replicas,
            fragments,
            accuracies,
            job.coordinator.version().round(),
            job.peak / 1e3);
      }
    }
  }

  /** Replicas that wait for each round, and make their steps one after another. */
  private static final class Job {

    private final ExampleSet data;
    private final InitialModel initial;
    private final BlockLayout layout;
    private final Combiner combiner;
    private final Schedule schedule;
    private final List<GlobalBlock> blocks = new ArrayList<>();
    private final GlobalModelCopy told;
    private final List<Replica> replicas = new ArrayList<>();
    final Coordinator coordinator =
        new Coordinator(ModelTotals.open(new FeatureStatistics(0), 0, 1, OF_STEP));

    /** Bytes of the open round. */
    private long bytes;

    /** The most of any but the last. */
    long peak;

    Job(int count, int fragments, long seed) throws IOException {
      data = DataSpec.parse("digits:%s,%s".formatted(EXAMPLES, seed)).open();
      initial =
          ModelEngine.named("dl4j")
              .define(
                  new BuiltIn(
                      "mlp", data.shape(), List.of(64, 32), List.of(), "adam", 1e-3, 0.9, 0, seed));
      layout = initial.spec().layout(BLOCK_SIZE, false);
      combiner =
          new Combiner(
              layout,
              Aggregator.weightedMean(),
              ServerOptimizer.nesterov(0.7, 0.9),
              new FeedbackCodecs(Codec.bfloat16(), Codec.bfloat16()));
      told = new GlobalModelCopy(true, layout);
      schedule = Schedule.every(LOCAL_STEPS, true).inFragments(fragments);
      for (int block = 0; block < layout.count(); block++) {
        blocks.add(new GlobalBlock(block));
      }
      for (int index = 0; index < count; index++) {
        start(index, count);
      }
      tellHead();
      for (GlobalBlock block : blocks) {
        tell(block, true);
      }
    }

    private void start(int index, int count) {
      Replica replica =
          new Replica(
              index,
              ModelEngine.named("dl4j").build(initial.spec(), DeviceRequest.any()),
              layout,
              new ReplicaRules(
                  schedule,
                  ContributionCodecs.ofAll(Codec.bfloat16(), List.of()),
                  false,
                  false,
                  new ContributionGuard(10)),
              new JobShare(count, OF_STEP, new RateFactors(1, Math.sqrt(count), 1, 0)),
              ReplicaHooks.NONE,
              () -> 0);
      replica.begin(initial);
      replicas.add(replica);
      coordinator.hello(new Hello(index, count, "home"));
      for (GlobalBlock block : blocks) {
        if (index == 0) {
          Pull offer = replica.offer(block.block(), initial.serverOptimizer(), "home");
          block.initialize(offer.initial(), offer.serverOptimizer(), combiner);
        }
      }
    }

    void run() throws IOException {
      Example example = new Example(data.shape());
      long offset = 0;
      try (ExampleSequence training = data.training()) {
        for (int step = 0; step < EXAMPLES / OF_STEP; step++) {
          for (int index = 0; index < replicas.size(); index++) {
            Minibatch minibatch = new Minibatch(data.shape(), OF_STEP / replicas.size());
            while (!minibatch.isFull() && training.next(example)) {
              minibatch.add(
                  example.features(), example.labels(), 1, new Partition("t", index), offset++);
            }
            learn(replicas.get(index), minibatch);
          }
          makeRounds();
        }
      }
      long before = peak;
      for (Replica replica : replicas) {
        replica.contributeLast(this::take).ifPresent(this::announce);
      }
      makeRounds();
      peak = before;
    }

    private void learn(Replica replica, Minibatch minibatch) {
      if (!replica.mayTrain()
          || replica.learn(minibatch, (partition, at, reason) -> {}).examples() == 0) {
        throw new AssertionError("A replica doesn't learn");
      }
      if (replica.isDue()) {
        announce(replica.contribute(this::take));
      }
    }

    private void take(Contribution contribution) {
      bytes += contribution.payload().length();
      blocks.get(contribution.block()).add(contribution);
    }

    private void announce(CoordinatorMessage message) {
      coordinator.announce((Announcement) message);
    }

    private void makeRounds() {
      while (coordinator.ready()) {
        List<Decision> decisions =
            coordinator.close(WholeRound.OF_ALL).decisions(layout.count(), false);
        tellHead();
        for (Decision decision : decisions) {
          GlobalBlock block = blocks.get(decision.block());
          block.add(decision);
          if (block.advance(combiner).isOfMembers()) {
            bytes += replicas.size() * tell(block, false);
          }
        }
        peak = Math.max(peak, bytes);
        bytes = 0;
      }
    }

    private void tellHead() {
      int steps = schedule.localSteps(coordinator.version().round(), RoundCost.UNKNOWN);
      for (int index = 0; index < replicas.size(); index++) {
        replicas.get(index).accept(coordinator.head(steps, false), coordinator.standing(index));
      }
    }

    private long tell(GlobalBlock block, boolean whole) {
      Feedback feedback = block.feedback(combiner, whole);
      BlockUpdate update =
          told.take(
              feedback instanceof BlockUpdate all
                  ? new BlockUpdate(all.block(), all.round(), all.values().clone())
                  : feedback);
      replicas.forEach(replica -> replica.accept(update));
      return feedback.bytes();
    }

    double accuracy() throws IOException {
      Example example = new Example(data.shape());
      float[] probabilities = new float[data.shape().outputs()];
      int right = 0;
      int all = 0;
      try (ModelReplica model =
              ModelEngine.named("dl4j").build(initial.spec(), DeviceRequest.any());
          ExampleSequence holdOut = data.holdOut()) {
        for (GlobalBlock block : blocks) {
          float[] values = block.update().values();
          model.write(layout.offset(block.block()), values, 0, values.length);
        }
        while (holdOut.next(example)) {
          model.predict(example.features(), 1, probabilities);
          right += example.labels()[largest(probabilities)] == 1 ? 1 : 0;
          all++;
        }
      }
      return (double) right / all;
    }

    private static int largest(float[] values) {
      int largest = 0;
      for (int i = 1; i < values.length; i++) {
        largest = values[i] > values[largest] ? i : largest;
      }
      return largest;
    }
  }
}
