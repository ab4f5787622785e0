package dev.millrace.job.updates;

import dev.millrace.model.io.BulkArrays;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * An update's bytes with their signature.
 *
 * @param signature in Base64; empty where nobody signed it
 */
public record UpdateEnvelope(byte[] update, String signature) {

  public byte[] write() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(update.length + 128);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(signature);
      BulkArrays.writeBytes(out, update);
    } catch (IOException e) {
      throw new IllegalStateException("Memory takes all that is written", e);
    }
    return bytes.toByteArray();
  }

  static UpdateEnvelope read(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      String signature = in.readUTF();
      return new UpdateEnvelope(BulkArrays.readBytes(in), signature);
    }
  }
}
