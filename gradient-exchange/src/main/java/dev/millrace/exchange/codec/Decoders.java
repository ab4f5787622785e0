package dev.millrace.exchange.codec;

import dev.millrace.extension.Extensions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One codec of each kind: all of a kind decode alike. */
final class Decoders {

  private static final Map<String, Codec> BY_NAME =
      Stream.of(
              Codec.float32(),
              Codec.bfloat16(),
              Codec.int8(),
              Codec.sparse(),
              Codec.topK(1),
              Codec.twoBitTopK(1),
              Codec.threshold(ThresholdRule.fixed(1)))
          .collect(Collectors.toUnmodifiableMap(Codec::name, Function.identity()));

  private static final Map<String, Codec> EXTENSIONS = new ConcurrentHashMap<>();

  private Decoders() {}

  /**
   * Returns the codec of a kind.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Codec named(String name) {
    Codec codec = BY_NAME.get(name);
    return codec != null ? codec : EXTENSIONS.computeIfAbsent(name, Decoders::extension);
  }

  private static Codec extension(String name) {
    if (!Extensions.has(CodecExtension.class, name)) {
      throw new IllegalArgumentException("There is no codec '%s'".formatted(name));
    }
    return Extensions.create(CodecExtension.class, name, Map.of());
  }
}
