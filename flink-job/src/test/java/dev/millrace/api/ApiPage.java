package dev.millrace.api;

import java.time.Duration;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The programs of docs/guides/in-your-program.md. */
final class ApiPage {

  /** A record of a program's own. */
  record Order(String id, double[] vector, int kind, String topic, int partition, long offset) {}

  private ApiPage() {}

  static void training(
      StreamExecutionEnvironment env,
      KafkaSource<Order> kafkaSource,
      Sink<Rejected<Order>> deadLetters,
      Sink<String> metrics) {
    Training<Order> training =
        Millrace.train(
            env,
            kafkaSource,
            (order, to) -> to.features(order.vector()).label(order.kind()).id(order.id()),
            TrainingOptions.builder()
                .model(Model.mlp(54, 7).hidden(64, 32))
                .exchange(ExchangePreset.OVERLAP_AVERAGING)
                .publishTo("s3://bucket/models", Duration.ofMinutes(1))
                .option("model.updater", "adam")
                .uidPrefix("orders")
                .build());
    training.rejected().sinkTo(deadLetters);
    training.progress().sinkTo(metrics);
  }

  static void stream(DataStream<Order> orders) {
    Millrace.train(
        orders.keyBy(Order::id).countWindow(1).reduce((first, later) -> later),
        (order, to) -> to.features(order.vector()).label(order.kind()),
        TrainingOptions.builder().model(Model.mlp(54, 7)).mostParked(10_000).build());
  }

  static void scoring(DataStream<Order> orders, Sink<Prediction<Order>> predictions) {
    Millrace.score(
            orders,
            ModelFeed.latest("s3://bucket/models"),
            (order, to) -> to.features(order.vector()))
        .predictions()
        .sinkTo(predictions);
  }

  static ExampleMapper<Order> places() {
    ExampleMapper<Order> mapper =
        (order, to) ->
            to.features(order.vector())
                .label(order.kind())
                .position(order.topic(), order.partition(), order.offset());
    return mapper;
  }

  static void settings(StreamExecutionEnvironment env) {
    Millrace.prepare(env);
  }
}
