package dev.millrace.exchange.steering;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.model.io.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * What a hook has found, for people.
 *
 * @param type of the metric record that tells it
 * @param sentence for the log
 * @param fields of the record, as a JSON object
 */
public record Notice(String type, String sentence, String fields) implements Serializable {

  /** Writes it, for {@link #read}. */
  public void write(DataOutput out) throws IOException {
    out.writeUTF(type);
    // Lists of features may be longer than the 64 KB of writeUTF.
    BulkArrays.writeBytes(out, sentence.getBytes(UTF_8));
    BulkArrays.writeBytes(out, fields.getBytes(UTF_8));
  }

  /** Reads what {@link #write} wrote. */
  public static Notice read(DataInput in) throws IOException {
    return new Notice(
        in.readUTF(),
        new String(BulkArrays.readBytes(in), UTF_8),
        new String(BulkArrays.readBytes(in), UTF_8));
  }
}
