package dev.millrace.cli.demo;

import dev.millrace.cli.console.PageArguments;
import dev.millrace.cli.console.Screen;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.cli.console.WorkDirectory;
import dev.millrace.cli.progress.MetricsTail;
import dev.millrace.cli.run.JobWatch;
import dev.millrace.cli.run.LivePage;
import dev.millrace.cli.run.LocalJob;
import dev.millrace.cli.run.ResumeArguments;
import dev.millrace.cli.run.RunArguments;
import dev.millrace.cli.run.RunReport;
import dev.millrace.cli.run.Summary;
import dev.millrace.file.RecordSequence;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.ExampleProducer;
import dev.millrace.kafka.topic.Rate;
import dev.millrace.kafka.topic.TopicCreation;
import dev.millrace.local.broker.LocalBroker;
import dev.millrace.local.cluster.Installation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.configuration.Configuration;

/** One run of the demo: a broker, a topic, a job, a model. Stops all it starts. */
final class Demo {

  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(30);

  private final DemoData data;
  private final int parallelism;
  private final List<String> arguments;
  private final WorkDirectory work;
  private final RunArguments run;
  private final PageArguments page;
  private final Screen screen;
  private final StopSignal interrupt;

  Demo(
      DemoData data,
      int parallelism,
      List<String> arguments,
      WorkDirectory work,
      RunArguments run,
      PageArguments page,
      StopSignal interrupt) {
    this.data = data;
    this.parallelism = parallelism;
    this.arguments = arguments;
    this.work = work;
    this.run = run;
    this.page = page;
    this.screen = run.screen();
    this.interrupt = interrupt;
  }

  /**
   * Runs to the end of the data, or until a signal comes.
   *
   * @return the exit code
   */
  int run() throws Exception {
    work.clear();
    screen.say("Work directory: " + work.root());
    try (LocalBroker broker = interrupt.during(this::startBroker)) {
      screen.say("Broker:         " + broker.bootstrapServers());
      long produced = interrupt.during(() -> produce(KafkaCluster.at(broker.bootstrapServers())));
      return train(broker.bootstrapServers(), produced);
    }
  }

  private Configuration options(String bootstrapServers) {
    return DemoOptions.of(data, work, bootstrapServers, arguments);
  }

  private LocalBroker startBroker() {
    return LocalBroker.start(Installation.ofThisProcess().brokerClassPath(), work.broker());
  }

  private long produce(KafkaCluster cluster) throws IOException {
    TopicCreation.ensure(cluster, DemoOptions.TOPIC, parallelism, REQUEST_LIMIT);
    TopicCreation.ensure(cluster, DemoOptions.DEAD_LETTERS, 1, REQUEST_LIMIT);
    try (RecordSequence records = data.records(options(cluster.bootstrapServers()));
        ExampleProducer producer = ExampleProducer.open(cluster, DemoOptions.TOPIC)) {
      long produced = producer.send(records, Rate.unlimited(), data.records(), screen::produced);
      screen.say(
          String.format(
              Locale.ROOT,
              "Examples:       %,d from %s, as %s in %s partitions",
              produced,
              data.spec(),
              data.format(),
              parallelism));
      return produced;
    }
  }

  private int train(String bootstrapServers, long produced) throws Exception {
    try (LivePage live = new LivePage(page, work.metrics(), screen)) {
      return train(bootstrapServers, produced, live);
    }
  }

  private int train(String bootstrapServers, long produced, LivePage live) throws Exception {
    Configuration options = options(bootstrapServers);
    JobWatch watch =
        new JobWatch(screen, new MetricsTail(work.metrics()), OptionalLong.of(produced));
    LocalJob job =
        interrupt.during(() -> LocalJob.start(options, parallelism, work, new ResumeArguments()));
    screen.say("Job:            %s replicas; the log is %s".formatted(parallelism, work.log()));
    Optional<Integer> signal = watch.until(job.end(), interrupt.exitCode());
    if (signal.isPresent()) {
      screen.say("Stopping …");
      job.cancel();
      return signal.get();
    }
    RunReport report =
        new RunReport(
            watch.history(),
            "their topic %s is gone with the broker".formatted(DemoOptions.DEAD_LETTERS));
    report.show(screen);
    live.keep(screen, work.page());
    run.write(Summary.of(watch.history()));
    return 0;
  }
}
