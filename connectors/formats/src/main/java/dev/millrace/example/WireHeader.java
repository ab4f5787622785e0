package dev.millrace.example;

/**
 * How Confluent's serializers begin a value: a byte that is 0, then the schema's id, an int32 with
 * the highest byte first.
 */
public final class WireHeader {

  public static final int LENGTH = 1 + Integer.BYTES;

  private static final int BYTE = 0xff;

  private WireHeader() {}

  public static boolean isThere(byte[] value) {
    return value != null && value.length >= LENGTH && value[0] == 0;
  }

  /** The id in a header that is there. */
  public static int idAt(byte[] value) {
    return ((value[1] & BYTE) << 24)
        | ((value[2] & BYTE) << 16)
        | ((value[3] & BYTE) << 8)
        | (value[4] & BYTE);
  }

  /**
   * The schema's id.
   *
   * @throws InvalidExampleException if there is no header
   */
  public static int id(byte[] value) throws InvalidExampleException {
    if (value.length < LENGTH) {
      throw new InvalidExampleException(
          "a header of %s bytes with the schema's id expected, %s bytes found"
              .formatted(LENGTH, value.length));
    }
    if (value[0] != 0) {
      throw new InvalidExampleException(
          "a header that begins with byte 0 expected, %s found: no value of a registry's serializer"
              .formatted(value[0]));
    }
    return idAt(value);
  }

  /**
   * Refuses a value of a registry's serializer where something else is read: no text begins so.
   *
   * @throws InvalidExampleException if there is a header, naming the formats that have one
   */
  public static void refuse(byte[] value) throws InvalidExampleException {
    if (isThere(value)) {
      throw new InvalidExampleException(
          "it begins as a schema registry's serializer writes it, with a byte 0 and the schema id"
              + " %s; its format is %s"
                  .formatted(
                      idAt(value),
                      value.length > LENGTH && value[LENGTH] == '{'
                          ? "json-confluent"
                          : "avro-confluent or protobuf-confluent, as the schema is"));
    }
  }
}
