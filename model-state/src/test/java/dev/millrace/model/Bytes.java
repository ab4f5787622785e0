package dev.millrace.model;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Values to bytes and back, and the bytes that version 1 of a format wrote. */
public final class Bytes {

  /** Something that writes itself. */
  @FunctionalInterface
  public interface Writing {

    void to(DataOutputStream out) throws IOException;
  }

  private Bytes() {}

  public static byte[] of(Writing writing) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    writing.to(out);
    out.flush();
    return bytes.toByteArray();
  }

  public static DataInputStream in(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  /** The hexadecimal text of a test resource. */
  public static byte[] resource(String name) throws IOException {
    try (InputStream in = Bytes.class.getResourceAsStream(name)) {
      String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
    }
  }
}
