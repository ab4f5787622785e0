package dev.millrace.exchange.flink.coordinator;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.shape.WordColumn;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A shape as bytes in a checkpoint. */
final class SavedShape {

  private SavedShape() {}

  static void write(ExampleShape shape, DataOutput out) throws IOException {
    out.writeInt(shape.features());
    out.writeInt(shape.outputs());
    out.writeUTF(shape.target().name());
    FeatureColumns columns = shape.columns();
    writeText(columns.description(), out);
    write(columns.numbers(), out);
    out.writeInt(columns.words().size());
    for (WordColumn column : columns.words()) {
      writeText(column.name(), out);
      out.writeInt(column.words());
      out.writeInt(column.from());
      out.writeBoolean(column.oneHot());
    }
    out.writeInt(columns.ids().size());
    for (IdColumn column : columns.ids()) {
      writeText(column.name(), out);
      writeText(column.table(), out);
      write(List.of(column.features()), out);
      writeText(column.pooling().name(), out);
    }
    ExampleStructure structure = shape.structure();
    out.writeInt(structure.steps());
    out.writeBoolean(structure.labelPerStep());
    out.writeInt(structure.inputs().size());
    for (ExampleStructure.Input input : structure.inputs()) {
      writeText(input.name(), out);
      write(List.of(input.features()), out);
    }
    out.writeInt(structure.outputs().size());
    for (ExampleStructure.Output output : structure.outputs()) {
      writeText(output.name(), out);
      write(List.of(output.labels()), out);
      writeText(output.target().name(), out);
    }
    out.writeInt(shape.labelLags());
  }

  /** Reads what {@link #write} wrote. */
  static ExampleShape read(DataInput in) throws IOException {
    int features = in.readInt();
    int outputs = in.readInt();
    Target target = Target.valueOf(in.readUTF());
    String description = readText(in);
    List<IndexRange> numbers = readRanges(in);
    List<WordColumn> words = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      words.add(new WordColumn(readText(in), in.readInt(), in.readInt(), in.readBoolean()));
    }
    List<IdColumn> ids = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      ids.add(
          new IdColumn(
              readText(in),
              readText(in),
              readRanges(in).get(0),
              IdColumn.Pooling.valueOf(readText(in))));
    }
    return new ExampleShape(
        features,
        outputs,
        target,
        new FeatureColumns(description, numbers, words, ids),
        structure(in),
        in.readInt());
  }

  private static ExampleStructure structure(DataInput in) throws IOException {
    int steps = in.readInt();
    boolean labelPerStep = in.readBoolean();
    List<ExampleStructure.Input> inputs = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      inputs.add(new ExampleStructure.Input(readText(in), readRanges(in).get(0)));
    }
    List<ExampleStructure.Output> outputs = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      outputs.add(
          new ExampleStructure.Output(
              readText(in), readRanges(in).get(0), Target.valueOf(readText(in))));
    }
    return new ExampleStructure(steps, labelPerStep, inputs, outputs);
  }

  static void write(List<IndexRange> ranges, DataOutput out) throws IOException {
    out.writeInt(ranges.size());
    for (IndexRange range : ranges) {
      out.writeInt(range.from());
      out.writeInt(range.to());
    }
  }

  static List<IndexRange> readRanges(DataInput in) throws IOException {
    List<IndexRange> ranges = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      ranges.add(new IndexRange(in.readInt(), in.readInt()));
    }
    return ranges;
  }

  /** Longer than Java's own format of strings allows. */
  private static void writeText(String text, DataOutput out) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String readText(DataInput in) throws IOException {
    return new String(BulkArrays.readBytes(in), StandardCharsets.UTF_8);
  }
}
