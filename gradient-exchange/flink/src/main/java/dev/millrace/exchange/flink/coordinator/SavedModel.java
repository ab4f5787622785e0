package dev.millrace.exchange.flink.coordinator;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Lineage;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.WireFormat;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.KeptFields;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * What a checkpoint says about its model, so that it can be exported without its job, and so that a
 * job with another model is refused.
 *
 * @param spec what the model is
 * @param layout how its vector is cut into blocks
 * @param lineage where it comes from
 */
public record SavedModel(ModelSpec spec, BlockLayout layout, Lineage lineage)
    implements Serializable {

  public static final WireFormat<SavedModel> WIRE = new SavedModelWire();

  /**
   * Checks that this job's model can continue from a checkpoint's.
   *
   * @throws InvalidModelException naming what differs
   */
  void checkAgainst(SavedModel saved) {
    List<String> differences = new ArrayList<>();
    compare(differences, "engine", saved.spec.engine(), spec.engine());
    compare(differences, "kind of network", saved.spec.kind(), spec.kind());
    compareShapes(differences, saved.spec.shape(), spec.shape());
    compare(differences, "parameters", saved.spec.parameters(), spec.parameters());
    compare(differences, "updater state", saved.spec.updaterState(), spec.updaterState());
    if (differences.isEmpty() && !saved.spec.configuration().equals(spec.configuration())) {
      compare(differences, "updater", updaters(saved.spec), updaters(spec));
    }
    compare(
        differences,
        "exchanged values (with or without the updater's state)",
        saved.layout.length(),
        layout.length());
    compare(
        differences, "floats in a parameter block", saved.layout.blockSize(), layout.blockSize());
    List<String> savedClasses = ClassOrder.in(saved.lineage.configuration());
    List<String> classes = ClassOrder.in(lineage.configuration());
    if (!ClassOrder.agree(savedClasses, classes)) {
      compare(differences, "names of the classes", savedClasses, classes);
    }
    if (!differences.isEmpty()) {
      throw new InvalidModelException(
          "The checkpoint is of another model than this job's: "
              + String.join("; ", differences)
              + ". Submit with the model and options that it was made with");
    }
  }

  /**
   * Returns which updaters change the values, and from which value on. One that keeps as many
   * numbers as another reads a momentum as a mean of squares.
   */
  private static String updaters(ModelSpec spec) {
    StringJoiner all = new StringJoiner(", ");
    String newest = "";
    for (LayerDescription layer :
        ModelEngine.named(spec.engine()).describe(spec.kind(), spec.configuration())) {
      String updater = layer.updaterName();
      if (!updater.isEmpty() && !updater.equals(newest)) {
        int from = layer.parameters().from();
        all.add(newest.isEmpty() ? updater : "%s from value %s on".formatted(updater, from));
        newest = updater;
      }
    }
    return all.toString();
  }

  /** This job's model, gone on with from a checkpoint. */
  SavedModel restoredFrom(SavedModel saved) {
    return new SavedModel(spec, layout, lineage.restoredFrom(saved.lineage));
  }

  /** Returns this job's model, which a smaller one of that lineage has grown to. */
  public SavedModel grown(Lineage saved, Lineage.Grown once) {
    return new SavedModel(spec, layout, lineage.restoredFrom(saved).grown(once));
  }

  /** Fields are long, so only the first that differs is told. */
  private static void compareShapes(
      List<String> differences, ExampleShape saved, ExampleShape ours) {
    Optional<String> fields =
        KeptFields.difference(saved.columns().description(), ours.columns().description());
    fields.ifPresent(difference -> differences.add("fields: " + difference));
    if (fields.isEmpty()) {
      compare(differences, "examples", saved, ours);
    }
  }

  private static void compare(List<String> differences, String what, Object saved, Object ours) {
    if (!Objects.equals(saved, ours)) {
      differences.add("%s: %s there, %s here".formatted(what, saved, ours));
    }
  }

  private static final class SavedModelWire implements WireFormat<SavedModel>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(SavedModel model, DataOutput out) throws IOException {
      ModelSpec spec = model.spec;
      out.writeByte(VERSION);
      out.writeUTF(spec.engine());
      out.writeUTF(spec.kind());
      byte[] configuration = spec.configuration().getBytes(StandardCharsets.UTF_8);
      out.writeInt(configuration.length);
      out.write(configuration);
      out.writeInt(spec.parameters());
      out.writeInt(spec.updaterState());
      SavedShape.write(spec.nonNegative(), out);
      out.writeInt(model.layout.length());
      out.writeInt(model.layout.blockSize());
      Lineage.WIRE.write(model.lineage, out);
      SavedShape.write(spec.runningStatistics(), out);
      SavedShape.write(spec.shape(), out);
    }

    @Override
    public SavedModel read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, SavedModel.class);
      String engine = in.readUTF();
      String kind = in.readUTF();
      byte[] configuration = BulkArrays.readBytes(in);
      int parameters = in.readInt();
      int updaterState = in.readInt();
      List<IndexRange> nonNegative = SavedShape.readRanges(in);
      int length = in.readInt();
      int blockSize = in.readInt();
      Lineage lineage = Lineage.WIRE.read(in);
      List<IndexRange> runningStatistics = SavedShape.readRanges(in);
      ModelSpec spec =
          new ModelSpec(
              engine,
              kind,
              new String(configuration, StandardCharsets.UTF_8),
              SavedShape.read(in),
              parameters,
              updaterState,
              nonNegative,
              runningStatistics);
      return new SavedModel(spec, spec.layout(blockSize, length == spec.vectorLength()), lineage);
    }
  }
}
