package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.exchange.hook.HookOrigin;
import dev.millrace.exchange.savepoint.SavedStates;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SlowSteps;
import dev.millrace.job.train.rebuild.RebuildJob;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.io.BulkArrays;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Examples that are replayed, and labels of records before, are exact whatever fails and whatever
 * the number of replicas.
 */
class ReplayIT {

  private static final int PARTITIONS = 4;
  private static final int LAGS = 2;
  private static final int OUTPUTS = Blobs.SHAPE.outputs();
  private static final int OWN = Blobs.SHAPE.features();
  private static final int SECOND_FAULT = 50;

  /** Local steps since the job was started. Faults are copied, and this isn't. */
  private static final AtomicInteger STEPS = new AtomicInteger();

  @TempDir Path directory;

  private final Blobs blobs = new Blobs(5);

  /** By an example's own features, all features that it must have been learned with. */
  private final Map<List<Float>, float[]> expected = new HashMap<>();

  private final List<List<Example>> produced = new ArrayList<>();

  @Test
  void eachKeptExampleAndItsLabelsBeforeAreRightWhateverTheNumberOfReplicas() throws Exception {
    String topic = Broker.topic(PARTITIONS);
    Job job =
        job(topic, "rescaled")
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms")
            .set("exchange.schedule", "overlap")
            .restarts(5);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      produced.add(new ArrayList<>());
    }
    produce(topic, 400);

    String atTwo = runPartly(job.parallelism(2), 300);
    produce(topic, 301);
    String atThree = runPartly(job.parallelism(3).from(atTwo), job.taken() + 300);
    JobClient client = job.parallelism(1).from(atThree).faults(FaultInjector.NONE).start();
    job.await(() -> job.taken() == expected.size());
    String atOne = job.stop(client, false);

    assertKeepsAllThatIsLearned(atTwo);
    assertKeepsAllThatIsLearned(atThree);
    assertThat(kept(atOne)).as("each record once").isEqualTo(expected.size());
  }

  @Test
  void theModelIsTheSameBitByBitAfterFailures() throws Exception {
    String topic = Broker.topic(2);
    for (int partition = 0; partition < 2; partition++) {
      Broker.produce(topic, partition, Blobs.encode(blobs.next(800)));
    }
    Job undisturbed = job(topic, "undisturbed").parallelism(2).run();
    STEPS.set(0);

    Job disturbed =
        job(topic, "disturbed")
            .parallelism(2)
            .restarts(5)
            .faults(
                (place, index) -> {
                  LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
                  failAt(place, 40, 120);
                })
            .run();

    assertThat(STEPS.get()).as("it failed").isGreaterThan(120);
    assertThat(disturbed.trained().vector()).isEqualTo(undisturbed.trained().vector());
    assertThat(disturbed.description().prequential())
        .isEqualTo(undisturbed.description().prequential());
    assertThat(disturbed.description().version().generation()).isPositive();
  }

  private Job job(String topic, String name) {
    return new Job(topic, directory.resolve(name))
        .set("replay.size", "5000")
        .set("replay.share", "0.5")
        .set("replay.half-life", "10000")
        .set("input.label-lags", Integer.toString(LAGS));
  }

  private static void failAt(Place place, int... steps) {
    if (place == Place.LOCAL_STEP) {
      int made = STEPS.incrementAndGet();
      if (Arrays.stream(steps).anyMatch(step -> step == made)) {
        throw new IllegalStateException("A fault at step " + made);
      }
    }
  }

  /** So slow that a job can be stopped before it has taken all; and fails twice. */
  private static FaultInjector slow() {
    FaultInjector slow = SlowSteps.slowerAfter(60);
    return (place, index) -> {
      slow.reach(place, index);
      failAt(place, 25, SECOND_FAULT);
    };
  }

  private String runPartly(Job job, long atLeast) throws Exception {
    STEPS.set(0);
    JobClient client = job.faults(slow()).start();
    job.await(() -> STEPS.get() >= SECOND_FAULT && job.taken() >= atLeast);
    return job.stop(client, false);
  }

  /**
   * A failure just before the stop may have taken the job back, so the savepoint tells how many.
   */
  private void assertKeepsAllThatIsLearned(String savepoint) throws Exception {
    assertThat(kept(savepoint)).isEqualTo(RebuildJob.saved(savepoint).taken().learnedCount());
  }

  private void produce(String topic, int count) throws Exception {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<Example> examples = blobs.next(count + 11 * partition);
      Broker.produce(topic, partition, Blobs.encode(examples));
      List<Example> all = produced.get(partition);
      for (Example example : examples) {
        float[] features = Arrays.copyOf(example.features(), OWN + LAGS * OUTPUTS);
        for (int lag = 1; lag <= LAGS && lag <= all.size(); lag++) {
          float[] before = all.get(all.size() - lag).labels();
          System.arraycopy(before, 0, features, OWN + (lag - 1) * OUTPUTS, OUTPUTS);
        }
        expected.put(key(features, 0), features);
        all.add(example);
      }
    }
  }

  /** How many examples a savepoint keeps, each of which is as expected. */
  private int kept(String savepoint) throws Exception {
    Set<List<Float>> found = new HashSet<>();
    for (byte[] part :
        SavedStates.open(savepoint).strings("replica", ReplicaOperator.HOOK_STATE + "replay")) {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(HookOrigin.part(part)));
      // Format, whether ages are by time, examples seen, age of the newest contribution, what a
      // reservoir remembers.
      in.skipNBytes(1 + 1 + Long.BYTES + Long.BYTES + Integer.BYTES);
      int rows = in.readInt();
      // Width of features, of labels and of words.
      in.skipNBytes(3 * Integer.BYTES);
      float[] features = BulkArrays.readFloats(in);
      int width = OWN + LAGS * OUTPUTS;
      for (int row = 0; row < rows; row++) {
        List<Float> key = key(features, row * width);
        assertThat(Arrays.copyOfRange(features, row * width, (row + 1) * width))
            .containsExactly(expected.get(key));
        assertThat(found.add(key)).as("it is kept once").isTrue();
      }
    }
    return found.size();
  }

  private static List<Float> key(float[] features, int from) {
    List<Float> key = new ArrayList<>();
    for (int i = 0; i < OWN; i++) {
      key.add(features[from + i]);
    }
    return key;
  }
}
