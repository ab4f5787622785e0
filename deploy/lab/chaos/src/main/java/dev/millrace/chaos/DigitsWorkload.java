package dev.millrace.chaos;

import dev.millrace.digits.Digits;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.ExampleProducer;
import dev.millrace.kafka.topic.Rate;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Drawn digits. The model must know others about as well as one that was trained undisturbed. */
final class DigitsWorkload implements Workload {

  private static final double MOST_DIFFERENCE = 0.005;

  private final long seed;

  /**
   * @param seed of the digits that the model learns from
   */
  DigitsWorkload(long seed) {
    this.seed = seed;
  }

  @Override
  public Map<String, String> options() {
    return Map.of(
        "input.format", "uint8",
        "input.features", "784",
        "input.outputs", "10",
        "model.name", "mlp",
        "model.hidden", "64",
        "model.updater", "adam",
        "model.learning-rate", "0.002");
  }

  @Override
  public void send(KafkaCluster kafka, String topic, long seedOfDigits, Rate rate, long most)
      throws IOException {
    ExampleSet set = new Digits(AccuracyCheck.ENDLESS, seedOfDigits).open();
    ExampleFormat format = ExampleFormat.named("uint8", set.shape(), FormatSettings.defaults());
    try (ExampleSequence examples = set.training();
        ExampleProducer producer = ExampleProducer.open(kafka, topic, format)) {
      producer.send(examples, rate, most, soFar -> {});
    }
  }

  @Override
  public List<String> judge(Trained trained, Undisturbed undisturbed, Consumer<String> say)
      throws IOException, InterruptedException {
    AccuracyCheck exam = AccuracyCheck.besides(seed);
    double accuracy = exam.accuracy(trained.latest());
    double without = exam.accuracy(undisturbed.train());
    say.accept(String.format(Locale.ROOT, "Accuracy %.4f, without faults %.4f", accuracy, without));
    return problems(accuracy, without);
  }

  static List<String> problems(double accuracy, double without) {
    return accuracy >= without - MOST_DIFFERENCE
        ? List.of()
        : List.of(
            String.format(
                Locale.ROOT, "Its accuracy is %.4f; without faults it is %.4f", accuracy, without));
  }
}
