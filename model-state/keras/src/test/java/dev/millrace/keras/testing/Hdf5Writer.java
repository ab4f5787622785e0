package dev.millrace.keras.testing;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.hdf5.Attribute;
import org.bytedeco.hdf5.DataSet;
import org.bytedeco.hdf5.DataSpace;
import org.bytedeco.hdf5.DataType;
import org.bytedeco.hdf5.Group;
import org.bytedeco.hdf5.H5File;
import org.bytedeco.hdf5.H5Object;
import org.bytedeco.hdf5.PredType;
import org.bytedeco.hdf5.StrType;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;

/** Writes an HDF5 file as h5py does for Keras: strings of any length, arrays of fixed ones. */
final class Hdf5Writer implements AutoCloseable {

  private final H5File file;

  Hdf5Writer(Path path) {
    this.file = new H5File(path.toString(), hdf5.H5F_ACC_TRUNC());
  }

  /**
   * Makes a group.
   *
   * @param attribute one of its own
   * @param values names of ASCII letters
   */
  void group(String path, String attribute, List<String> values) {
    Group group = file.createGroup(path);
    attribute(group, attribute, values);
    // What isn't closed keeps the file open in this process, also for those who open it anew.
    group._close();
  }

  void group(String path) {
    file.createGroup(path)._close();
  }

  void attribute(String name, String value) {
    DataType type = new StrType(PredType.C_S1(), hdf5.H5T_VARIABLE());
    Attribute attribute = file.createAttribute(name, type, new DataSpace());
    attribute.write(type, value);
    attribute._close();
  }

  private static void attribute(H5Object object, String name, List<String> values) {
    if (values.isEmpty()) {
      DataType type = PredType.NATIVE_DOUBLE();
      object.createAttribute(name, type, new DataSpace(1, new long[] {0}))._close();
      return;
    }
    int width = values.stream().mapToInt(String::length).max().orElseThrow();
    BytePointer bytes = new BytePointer((long) width * values.size()).fill(0);
    for (int i = 0; i < values.size(); i++) {
      byte[] value = values.get(i).getBytes(StandardCharsets.US_ASCII);
      bytes.position((long) i * width).put(value, 0, value.length);
    }
    DataType type = new StrType(PredType.C_S1(), width);
    Attribute attribute =
        object.createAttribute(name, type, new DataSpace(1, new long[] {values.size()}));
    attribute.write(type, (Pointer) bytes.position(0));
    attribute._close();
  }

  void floats(String path, float[] values, long... shape) {
    DataSet data =
        file.createDataSet(path, PredType.NATIVE_FLOAT(), new DataSpace(shape.length, shape));
    data.write(new FloatPointer(values), PredType.NATIVE_FLOAT());
    data._close();
  }

  @Override
  public void close() {
    file._close();
  }
}
