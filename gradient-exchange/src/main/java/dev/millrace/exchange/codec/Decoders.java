package dev.millrace.exchange.codec;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One codec of each kind: all of a kind decode alike. */
final class Decoders {

  static final Map<String, Codec> BY_NAME =
      Stream.of(
              Codec.float32(),
              Codec.bfloat16(),
              Codec.int8(),
              Codec.sparse(),
              Codec.topK(1),
              Codec.threshold(ThresholdRule.fixed(1)))
          .collect(Collectors.toUnmodifiableMap(Codec::name, Function.identity()));

  private Decoders() {}
}
