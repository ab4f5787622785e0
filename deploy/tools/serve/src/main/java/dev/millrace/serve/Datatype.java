package dev.millrace.serve;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Types of a tensor's elements, by the protocol's names. */
enum Datatype {
  BOOL(1, 0, 1),
  UINT8(1, 0, 255),
  UINT16(2, 0, 65_535),
  UINT32(4, 0, 4_294_967_295.0),
  UINT64(8, 0, 0x1p64),
  INT8(1, -128, 127),
  INT16(2, -32_768, 32_767),
  INT32(4, Integer.MIN_VALUE, Integer.MAX_VALUE),
  INT64(8, Long.MIN_VALUE, 0x1p63),
  FP16(2, -65_504, 65_504),
  FP32(4, -Float.MAX_VALUE, Float.MAX_VALUE),
  FP64(8, -Double.MAX_VALUE, Double.MAX_VALUE),
  BYTES(0, 0, 0);

  private final int size;
  private final double least;
  private final double most;

  Datatype(int size, double least, double most) {
    this.size = size;
    this.least = least;
    this.most = most;
  }

  static Optional<Datatype> named(String name) {
    return Arrays.stream(values()).filter(type -> type.name().equals(name)).findFirst();
  }

  /** All names, for messages. */
  static String names() {
    return Arrays.stream(values()).map(Enum::name).collect(Collectors.joining(", "));
  }

  /**
   * Returns the type of a name in a request.
   *
   * @param where it stands there, for the message
   */
  static Datatype require(String name, String where) throws RefusedRequestException {
    return named(name)
        .orElseThrow(
            () ->
                RefusedRequestException.bad(
                    "%s is \"%s\"; it must be one of %s"
                        .formatted(where, Tokens.shorten(name), names())));
  }

  /** Returns the bytes of an element; 0 where each has its own. */
  int size() {
    return size;
  }

  boolean isWhole() {
    return switch (this) {
      case UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64 -> true;
      default -> false;
    };
  }

  /** Whether a number can be one of this type. */
  boolean holds(double value) {
    return value >= least && value <= most;
  }
}
