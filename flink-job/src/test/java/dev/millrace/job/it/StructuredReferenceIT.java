package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.PlainNetwork;
import dev.millrace.job.testing.PlainStructuredNetwork;
import dev.millrace.job.testing.StructuredNetworks;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.job.testing.TestModels;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Sequences of any length, and graphs of two inputs and outputs: the job against a plain loop over
 * DL4J's own networks.
 */
@Tag("slow")
class StructuredReferenceIT {

  private static final int BATCH = 8;

  @TempDir Path directory;

  /** What is learned, in which format. */
  enum Learned {
    SEQUENCE("json", StructuredNetworks.sequence()) {
      @Override
      Job options(Job job) {
        return job.set("input.features", "3")
            .set("input.outputs", "2")
            .set("input.sequence.steps", "7");
      }
    },
    TRUNCATED("float32", StructuredNetworks.truncated()) {
      @Override
      Job options(Job job) {
        return SEQUENCE.options(job).set("input.sequence.labels", "step");
      }
    },
    TWO_INPUTS("json", StructuredNetworks.twoInputs()) {
      @Override
      Job options(Job job) {
        return job.set("input.features", "10")
            .set("input.outputs", "4")
            .set("input.graph.inputs", "user:4;item:6")
            .set("input.graph.outputs", "kind:3:classification;amount:1:regression");
      }
    };

    private final String format;
    private final String network;

    Learned(String format, String network) {
      this.format = format;
      this.network = network;
    }

    abstract Job options(Job job);
  }

  @ParameterizedTest
  @EnumSource
  void syncEqualsASequentialReference(Learned learned) throws Exception {
    equalsAReference(learned, 2, 100);
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void syncEqualsASequentialReferenceOver400Rounds(Learned learned) throws Exception {
    equalsAReference(learned, 3, 400);
  }

  private void equalsAReference(Learned learned, int replicas, int rounds) throws Exception {
    String topic = Broker.topic(replicas);
    Job job = job(learned, topic, replicas);
    ExampleShape shape = job.check().initialModel().spec().shape();
    ExampleFormat format = ExampleFormat.named(learned.format, shape, FormatSettings.defaults());
    List<List<Example>> streams = new ArrayList<>();
    for (int partition = 0; partition < replicas; partition++) {
      Random random = new Random(partition);
      List<Example> examples = new ArrayList<>();
      for (int i = 0; i < rounds * BATCH; i++) {
        examples.add(example(shape, random));
      }
      streams.add(examples);
      Broker.produce(topic, partition, examples.stream().map(format::write).toList());
    }

    job.run();

    assertThat(job.description().version().round()).isEqualTo(rounds);
    assertThat(job.description().shape()).isEqualTo(shape);
    float[] reference = reference(streams, rounds, job, learned == Learned.TWO_INPUTS);
    assertThat(job.trained().vector()).containsExactly(reference, within(1e-5f));
    assertThat(job.description().ledger().get(0).rejected().count()).isZero();
  }

  private Job job(Learned learned, String topic, int replicas) throws Exception {
    Path place = directory.resolve(learned.name());
    Job job =
        new Job(topic, place)
            .parallelism(replicas)
            .flink("execution.runtime-mode", "AUTOMATIC")
            .set("input.format", learned.format)
            .set("input.standardize", "off")
            .set("exchange.local-steps", "1")
            .unset("model.name")
            .unset("model.hidden")
            .set(
                "model.configuration", StructuredNetworks.write(learned.network, place).toString());
    return learned.options(job);
  }

  /** Labels depend on features, so that something is learned. */
  private static Example example(ExampleShape shape, Random random) {
    Example example = new Example(shape);
    int steps = shape.structure().isSequence() ? 1 + random.nextInt(shape.rows()) : 0;
    example.setSteps(steps);
    float sum = 0;
    for (int row = 0; row < Math.max(1, steps); row++) {
      for (int i = 0; i < shape.width(); i++) {
        float value = (float) random.nextGaussian();
        example.features()[row * shape.width() + i] = value;
        sum += value;
      }
      if (shape.structure().labelPerStep()) {
        example.labels()[row * shape.outputs() + (sum > 0 ? 1 : 0)] = 1;
      }
    }
    if (!shape.structure().labelPerStep()) {
      example.labels()[sum > 0 ? 1 : 0] = 1;
    }
    if (shape.structure().outputs().size() == 2) {
      example.labels()[3] = sum;
    }
    assertThat(shape.target()).isEqualTo(Target.CLASSIFICATION);
    return example;
  }

  private float[] reference(List<List<Example>> streams, int rounds, Job job, boolean graph)
      throws Exception {
    Path initial = directory.resolve("initial.zip");
    Files.deleteIfExists(initial);
    TestModels.write(TestEngine.DL4J, job.check().initialModel(), initial);
    List<PlainNetwork> networks = new ArrayList<>();
    for (int i = 0; i < streams.size(); i++) {
      networks.add(PlainStructuredNetwork.open(initial, graph));
    }
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < networks.size(); i++) {
        networks.get(i).fit(streams.get(i).subList(round * BATCH, (round + 1) * BATCH));
      }
      average(networks);
    }
    return networks.get(0).vector();
  }

  private static void average(List<PlainNetwork> networks) {
    float[] mean = new float[networks.get(0).vector().length];
    for (PlainNetwork network : networks) {
      float[] vector = network.vector();
      for (int i = 0; i < mean.length; i++) {
        mean[i] += vector[i] / networks.size();
      }
    }
    networks.forEach(network -> network.write(mean));
  }
}
