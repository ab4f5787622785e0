package dev.millrace.exchange.scale;

import dev.millrace.model.io.WireFormat;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;

/** Messages that were sent, and their bytes, by kind. Bytes of values are counted apart. */
final class Traffic {

  enum Kind {
    HELLO,
    PULL,
    ANNOUNCEMENT,
    HEAD,
    DECISION,
    CONTRIBUTION,
    ORDER,
    PART,
    DELIVERY
  }

  /**
   * So much of one kind.
   *
   * @param control bytes that aren't values
   * @param values bytes of values
   */
  record Sent(long messages, long control, long values) {

    static final Sent NOTHING = new Sent(0, 0, 0);

    Sent plus(Sent more) {
      return new Sent(messages + more.messages, control + more.control, values + more.values);
    }
  }

  private final Map<Kind, Sent> byKind = new EnumMap<>(Kind.class);

  /** A message was sent, of whose bytes so many are values. */
  <T> void sent(Kind kind, WireFormat<T> format, T message, long values) {
    DataOutputStream counter = new DataOutputStream(OutputStream.nullOutputStream());
    try {
      format.write(message, counter);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byKind.merge(kind, new Sent(1, counter.size() - values, values), Sent::plus);
  }

  Sent of(Kind kind) {
    return byKind.getOrDefault(kind, Sent.NOTHING);
  }

  /** Bytes of all kinds that aren't values. */
  long control() {
    return byKind.values().stream().mapToLong(Sent::control).sum();
  }

  void clear() {
    byKind.clear();
  }
}
