package dev.millrace.dl4j;

import dev.millrace.api.Millrace;
import dev.millrace.api.Training;
import dev.millrace.api.TrainingOptions;
import dev.millrace.dl4j.data.DataRow;
import dev.millrace.dl4j.data.RowMapper;
import dev.millrace.dl4j.data.StreamedRows;
import dev.millrace.job.options.InputOptions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.nd4j.linalg.dataset.DataSet;

/** Data sets that come by a stream: what examples are like follows from the network's layers. */
interface DataSetStream {

  /** Returns the stream, in the environment that it is of. */
  DataStream<DataSet> in(StreamExecutionEnvironment environment);

  /** Reads a source. */
  static DataSetStream of(Source<DataSet, ?, ?> source) {
    return environment -> {
      Millrace.prepare(environment);
      return environment.fromSource(
          source, WatermarkStrategy.noWatermarks(), "data-sets", DataSets.type());
    };
  }

  /**
   * Reads a stream that the program has made.
   *
   * @throws IllegalArgumentException if Flink couldn't write its records
   */
  static DataSetStream of(DataStream<DataSet> stream) {
    if (stream.getType() instanceof GenericTypeInfo) {
      throw new IllegalArgumentException(
          "Flink would write the data sets of %s by Kryo, which can't: call .returns(DataSets.type()) behind what makes them"
              .formatted(stream.getTransformation().getName()));
    }
    return environment -> stream;
  }

  /**
   * Adds training to the environment.
   *
   * @param start archive of the network
   * @param settings those of the wrapper, which win
   */
  default Training<?> train(
      StreamExecutionEnvironment environment,
      Path start,
      TrainingOptions.Builder options,
      Map<String, String> settings) {
    DataStream<DataRow> rows =
        in(environment)
            .flatMap(new StreamedRows())
            .returns(Types.POJO(DataRow.class))
            .name("examples");
    if (!settings.containsKey(InputOptions.FEATURES.key())) {
      options.model(Dl4jModels.ofArchive(start));
    }
    settings.forEach(options::option);
    return Millrace.train(rows, new RowMapper(), options.build());
  }
}
