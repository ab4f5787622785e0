package dev.millrace.job.train.part.rows;

import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.rows.AddressedAnswer;
import dev.millrace.exchange.flink.rows.RowAnswerOperator;
import dev.millrace.exchange.flink.rows.RowListener;
import dev.millrace.exchange.flink.rows.RowMessageKey;
import dev.millrace.exchange.flink.rows.RowOperator;
import dev.millrace.exchange.flink.rows.RowOutputs;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.job.common.OperatorName;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.options.RowsOptions;
import dev.millrace.job.options.RowsOptions.Order;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.rows.RowWriter;
import dev.millrace.job.rows.files.RowFilesOperator;
import dev.millrace.job.train.SideLoop;
import dev.millrace.job.train.TrainingOperators;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.kafka.sink.OutputRecord;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;

/**
 * Replicas to shards of rows and back. Answers to replicas of other processes go through the task
 * there that shares the replica's slot.
 */
final class RowLoop implements SideLoop {

  private static final OperatorName ANSWERS =
      new OperatorName("row-answers", "hands rows to its replica");

  private static final OperatorName RECORDS =
      new OperatorName("row-records", "makes records of rows that have changed");

  private static final OperatorName REPORTS =
      new OperatorName("row-reports", "puts together what tables are like");

  private static final OutputTag<String> NOTHING = new OutputTag<>("nothing", Types.STRING);

  /** Intervals of metrics, as for layers: a report looks through all cached rows. */
  private static final int REPORTED_EVERY = 10;

  private final List<RowTable> tables;
  private final Configuration options;

  RowLoop(List<RowTable> tables, Configuration options) {
    this.tables = tables;
    this.options = options;
  }

  @Override
  public Ends add(
      SingleOutputStreamOperator<BlockMessage> replicas,
      SingleOutputStreamOperator<Decision> coordinator,
      Names names,
      String coLocation,
      FaultInjector faults) {
    int shards = replicas.getParallelism();
    SingleOutputStreamOperator<AddressedAnswer> rows =
        names
            .of(TrainingOperators.ROWS)
            .on(
                replicas
                    .getSideOutput(RowOutputs.MESSAGES)
                    .keyBy(new RowMessageKey(RowsPart.KEY_GROUPS), Types.LONG)
                    .transform(
                        TrainingOperators.ROWS.uid(),
                        RowOutputs.ANSWERS,
                        new RowOperator(
                            tables,
                            RowsPart.KEY_GROUPS,
                            options.get(RowsOptions.CACHE),
                            faults.handsOver(),
                            options.get(RowsOptions.ORDER) == Order.REPLICA,
                            listener(),
                            reportMillis(),
                            faults)))
            .setBufferTimeout(0)
            .setParallelism(shards)
            .setMaxParallelism(RowsPart.KEY_GROUPS);
    SingleOutputStreamOperator<Void> answers =
        names
            .of(ANSWERS)
            .on(
                rows.partitionCustom((replica, all) -> replica, AddressedAnswer::replica)
                    .transform(ANSWERS.uid(), Types.VOID, new RowAnswerOperator()))
            .setParallelism(shards);
    answers.getTransformation().setCoLocationGroupKey(coLocation);
    DataStream<String> nothing = answers.getSideOutput(NOTHING);
    return new Ends(
        files(rows, names).map(nothing::union).orElse(nothing),
        written(rows, names),
        measured(rows, names));
  }

  private Optional<DataStream<String>> files(
      SingleOutputStreamOperator<AddressedAnswer> rows, Names names) {
    return directory()
        .map(
            location ->
                names
                    .of(TrainingOperators.ROW_FILES)
                    .on(
                        rows.getSideOutput(RowOutputs.CHANGES)
                            .global()
                            .transform(
                                TrainingOperators.ROW_FILES.uid(),
                                Types.STRING,
                                new RowFilesOperator(location, tables, models())))
                    .setParallelism(1)
                    .setMaxParallelism(1));
  }

  /** Returns the directory of rows, wherever this process works. */
  private Optional<String> directory() {
    return options
        .getOptional(RowsOptions.FILES)
        .map(SnapshotPlace::of)
        .map(SnapshotPlace::location);
  }

  private SnapshotPlace models() {
    return options.getOptional(SnapshotOptions.DIRECTORY).map(SnapshotPlace::of).orElse(null);
  }

  private long reportMillis() {
    return options.get(MetricsOptions.INTERVAL).multipliedBy(REPORTED_EVERY).toMillis();
  }

  private List<DataStream<String>> measured(
      SingleOutputStreamOperator<AddressedAnswer> rows, Names names) {
    return List.of(
        names
            .of(REPORTS)
            .on(
                rows.getSideOutput(RowOutputs.REPORTS)
                    .global()
                    .flatMap(new RowReporter(tables))
                    .returns(Types.STRING))
            .setParallelism(1)
            .setMaxParallelism(1));
  }

  private RowListener listener() {
    // With another place all rows are told of again.
    String place =
        Stream.concat(options.getOptional(RowsOptions.TOPIC).stream(), directory().stream())
            .collect(Collectors.joining(" and "));
    return place.isEmpty()
        ? RowListener.NONE
        : new RowListener(place, options.get(RowsOptions.PUBLISH_INTERVAL).toMillis());
  }

  private List<DataStream<OutputRecord>> written(
      SingleOutputStreamOperator<AddressedAnswer> rows, Names names) {
    return options
        .getOptional(RowsOptions.TOPIC)
        .<DataStream<OutputRecord>>map(
            topic ->
                names
                    .of(RECORDS)
                    .on(
                        rows.getSideOutput(RowOutputs.CHANGES)
                            .flatMap(new RowWriter(topic, tables))
                            .returns(OutputRecord.type()))
                    .setParallelism(rows.getParallelism()))
        .stream()
        .toList();
  }
}
