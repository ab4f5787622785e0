package dev.millrace.job.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.example.testing.Mutation;
import java.util.Arrays;
import java.util.Random;

/** Values of records, good ones and all that careless or hostile producers send, from a seed. */
public final class FuzzedRecords {

  public static final int ENORMOUS_BYTES = 10_000_000;
  private static final int MOST_NOISE_BYTES = 300;
  private static final int MOST_DEPTH = 200;

  /** One in so many is enormous. */
  private static final int ENORMOUS_EVERY = 10_000;

  private static final String[] NUMBERS = {
    "1e38",
    "-3.4028235e38",
    "3.5e38",
    "1e39",
    "-1e308",
    "1e999",
    "1e-400",
    "-0.0",
    "NaN",
    "Infinity",
    "0x1p3",
    "1e",
    "00001",
    "+1",
    "9".repeat(400),
    "9".repeat(2_000),
    "null",
    "\"1\""
  };

  private static final byte[][] BROKEN_TEXT = {
    {(byte) 0xc0, (byte) 0x80},
    {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
    {(byte) 0xff},
    {(byte) 0xe2, (byte) 0x82},
    {(byte) 0xf5, (byte) 0x80, (byte) 0x80, (byte) 0x80}
  };

  private final Random random;
  private final Blobs blobs;
  private final ExampleFormat format;
  private final boolean isText;

  /** Of the shape of {@link Blobs}. */
  public FuzzedRecords(String name, long seed) {
    random = new Random(seed);
    blobs = new Blobs(seed);
    format = ExampleFormat.named(name, Blobs.SHAPE, FormatSettings.defaults());
    isText = name.equals("json");
  }

  /** The next value; null is a tombstone. */
  public byte[] next() {
    if (random.nextInt(ENORMOUS_EVERY) == 0) {
      return enormous();
    }
    return switch (random.nextInt(20)) {
      case 0, 1 -> noise();
      case 2 -> isText ? deep() : noise();
      case 3, 4 -> isText ? oddNumber() : oddFloat();
      case 5 -> isText ? brokenText() : Mutation.of(good(), random);
      case 6 -> random.nextBoolean() ? null : new byte[0];
      case 7, 8, 9, 10, 11, 12 -> Mutation.of(good(), random);
      default -> good();
    };
  }

  private byte[] good() {
    Example example = blobs.next();
    if (random.nextInt(4) == 0) {
      example.setWeight(1 + random.nextInt(3));
    }
    if (random.nextInt(4) == 0) {
      example.setTimestamp(random.nextInt());
    }
    if (random.nextInt(4) == 0) {
      example.setId("ä" + random.nextInt());
    }
    return format.write(example);
  }

  private byte[] noise() {
    byte[] noise = new byte[1 + random.nextInt(MOST_NOISE_BYTES)];
    random.nextBytes(noise);
    return noise;
  }

  private byte[] enormous() {
    byte[] value = Arrays.copyOf(good(), ENORMOUS_BYTES);
    Arrays.fill(value, ENORMOUS_BYTES / 2, ENORMOUS_BYTES, (byte) ' ');
    return value;
  }

  /** A good example with one number that may be anything. */
  private byte[] oddNumber() {
    StringBuilder json = new StringBuilder("{\"features\":[");
    int odd = random.nextInt(Blobs.SHAPE.features() + 1);
    for (int i = 0; i < Blobs.SHAPE.features(); i++) {
      json.append(i == 0 ? "" : ",").append(i == odd ? anyNumber() : "0.5");
    }
    json.append("],\"label\":").append(odd == Blobs.SHAPE.features() ? anyNumber() : "1");
    return json.append('}').toString().getBytes(UTF_8);
  }

  private String anyNumber() {
    return NUMBERS[random.nextInt(NUMBERS.length)];
  }

  private byte[] oddFloat() {
    Example example = blobs.next();
    float[] odd = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 1e38f, -1e30f};
    example.features()[random.nextInt(Blobs.SHAPE.features())] = odd[random.nextInt(odd.length)];
    return format.write(example);
  }

  /** A good example with a further field that is deep. */
  private byte[] deep() {
    int depth = 1 + random.nextInt(MOST_DEPTH);
    String opening = random.nextBoolean() ? "[" : "{\"a\":";
    String closing = opening.equals("[") ? "]" : "}";
    return withField("\"deep\":" + opening.repeat(depth) + "0" + closing.repeat(depth));
  }

  /** A good example with a further field, of which the text is no UTF-8. */
  private byte[] brokenText() {
    byte[] value = withField("\"text\":\"??\"");
    byte[] broken = BROKEN_TEXT[random.nextInt(BROKEN_TEXT.length)];
    int at = new String(value, UTF_8).indexOf("??");
    byte[] result = Arrays.copyOf(value, value.length - 2 + broken.length);
    System.arraycopy(broken, 0, result, at, broken.length);
    System.arraycopy(value, at + 2, result, at + broken.length, value.length - at - 2);
    return result;
  }

  private byte[] withField(String field) {
    String good = new String(format.write(blobs.next()), UTF_8);
    return ("{" + field + "," + good.substring(1)).getBytes(UTF_8);
  }
}
