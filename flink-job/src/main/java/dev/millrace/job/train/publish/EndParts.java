package dev.millrace.job.train.publish;

import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * Parts of the last model, as operator state: after a failure their senders don't send again what
 * they had sent before the checkpoint.
 *
 * <p>Not thread-safe.
 */
final class EndParts {

  private static final String STATE = "last-model";

  private final ByteStringState state;
  private final List<byte[]> parts;

  /** That the parts are of, if there are any. */
  private long round;

  private EndParts(ByteStringState state) throws Exception {
    this.state = state;
    this.parts = new ArrayList<>(state.get());
    if (!parts.isEmpty()) {
      round = all().get(0).round();
    }
  }

  /** Opens the parts of the checkpoint that the job continues from, or none. */
  static EndParts open(StateInitializationContext context) throws Exception {
    return new EndParts(ByteStringState.open(context, STATE));
  }

  /** Returns what there is so far, in the order in which it came. */
  List<PublishedPart> all() throws IOException {
    List<PublishedPart> all = new ArrayList<>();
    for (byte[] part : parts) {
      all.add(PublishedPart.WIRE.read(new DataInputStream(new ByteArrayInputStream(part))));
    }
    return all;
  }

  /** Keeps a part, if it is of the last model. */
  void keep(PublishedPart part) throws IOException {
    if (part.trigger().kind() == PublicationTrigger.Kind.END) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      PublishedPart.WIRE.write(part, new DataOutputStream(bytes));
      parts.add(bytes.toByteArray());
      round = part.round();
    }
  }

  /** Whether there are any of a round before this one: the job went on behind that end. */
  boolean areOlderThan(long other) {
    return !parts.isEmpty() && round < other;
  }

  /** Keeps none of those so far. */
  void forget() {
    parts.clear();
  }

  /** Saves all of it for the checkpoint that is being taken. */
  void save() throws Exception {
    state.set(parts);
  }
}
