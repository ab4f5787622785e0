package dev.millrace.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where a model comes from, besides the records that it has learned from. It is part of every
 * checkpoint, so that a model exported from one tells the same as one that the job published.
 *
 * @param parentOrNull the model that the job began with, where that was a file
 * @param configuration the job's options, without secrets
 * @param grown how the model has grown, the first time first
 */
public record Lineage(Parent parentOrNull, Map<String, String> configuration, List<Grown> grown)
    implements Serializable {

  public static final Lineage NONE = new Lineage(null, Map.of());

  public static final WireFormat<Lineage> WIRE = new LineageWire();

  /**
   * The archive of a warm start.
   *
   * @param source where it was read from
   * @param sha256 of the file, in hexadecimal
   * @param version null where the archive says nothing of it: it isn't Millrace's
   */
  public record Parent(String source, String sha256, ModelVersion version)
      implements Serializable {}

  /**
   * One time that a model grew, or got a new output layer.
   *
   * @param at when, in ISO 8601
   * @param from the version that grew; null where it isn't known
   * @param fields that were new, or had more words; of arrays numbers of features
   * @param outputs that were new: names of classes, or numbers
   * @param replaced the layer that gives these in place of all that were before; null where it grew
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Grown(
      String at, ModelVersion from, List<String> fields, List<String> outputs, String replaced)
      implements Serializable {

    public Grown {
      fields = List.copyOf(fields);
      outputs = List.copyOf(outputs);
    }
  }

  public Lineage {
    configuration = new TreeMap<>(configuration);
    grown = List.copyOf(grown);
  }

  /** A model that has never grown. */
  public Lineage(Parent parentOrNull, Map<String, String> configuration) {
    this(parentOrNull, configuration, List.of());
  }

  public Optional<Parent> parent() {
    return Optional.ofNullable(parentOrNull);
  }

  /** This job's options, and the parent that a checkpoint names: a restore begins no new model. */
  public Lineage restoredFrom(Lineage saved) {
    return new Lineage(saved.parentOrNull, configuration, saved.grown);
  }

  /** Returns this lineage of a model that has grown once more. */
  public Lineage grown(Grown once) {
    List<Grown> all = new ArrayList<>(grown);
    all.add(once);
    return new Lineage(parentOrNull, configuration, all);
  }

  private static final class LineageWire implements WireFormat<Lineage>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(Lineage lineage, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeBoolean(lineage.parentOrNull != null);
      if (lineage.parentOrNull != null) {
        write(lineage.parentOrNull, out);
      }
      out.writeInt(lineage.configuration.size());
      for (var option : lineage.configuration.entrySet()) {
        out.writeUTF(option.getKey());
        // Lists may be longer than the 64 KB of writeUTF.
        BulkArrays.writeBytes(out, option.getValue().getBytes(StandardCharsets.UTF_8));
      }
      writeGrown(lineage.grown, out);
    }

    private static void writeGrown(List<Grown> grown, DataOutput out) throws IOException {
      out.writeInt(grown.size());
      for (Grown once : grown) {
        out.writeUTF(once.at);
        writeVersion(once.from, out);
        writeNames(once.fields, out);
        writeNames(once.outputs, out);
        writeNames(once.replaced == null ? List.of() : List.of(once.replaced), out);
      }
    }

    private static void writeNames(List<String> names, DataOutput out) throws IOException {
      out.writeInt(names.size());
      for (String name : names) {
        BulkArrays.writeBytes(out, name.getBytes(StandardCharsets.UTF_8));
      }
    }

    private static List<Grown> readGrown(DataInput in) throws IOException {
      List<Grown> grown = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        grown.add(
            new Grown(
                in.readUTF(),
                readVersion(in),
                readNames(in),
                readNames(in),
                readNames(in).stream().findFirst().orElse(null)));
      }
      return grown;
    }

    private static List<String> readNames(DataInput in) throws IOException {
      List<String> names = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        names.add(new String(BulkArrays.readBytes(in), StandardCharsets.UTF_8));
      }
      return names;
    }

    private static void writeVersion(ModelVersion versionOrNull, DataOutput out)
        throws IOException {
      out.writeBoolean(versionOrNull != null);
      if (versionOrNull != null) {
        out.writeLong(versionOrNull.generation());
        out.writeLong(versionOrNull.round());
      }
    }

    private static ModelVersion readVersion(DataInput in) throws IOException {
      return in.readBoolean() ? new ModelVersion(in.readLong(), in.readLong()) : null;
    }

    private static void write(Parent parent, DataOutput out) throws IOException {
      out.writeUTF(parent.source());
      out.writeUTF(parent.sha256());
      writeVersion(parent.version(), out);
    }

    @Override
    public Lineage read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, Lineage.class);
      Parent parent = in.readBoolean() ? readParent(in) : null;
      Map<String, String> configuration = new TreeMap<>();
      for (int left = in.readInt(); left > 0; left--) {
        String key = in.readUTF();
        configuration.put(key, new String(BulkArrays.readBytes(in), StandardCharsets.UTF_8));
      }
      return new Lineage(parent, configuration, readGrown(in));
    }

    private static Parent readParent(DataInput in) throws IOException {
      return new Parent(in.readUTF(), in.readUTF(), readVersion(in));
    }
  }
}
