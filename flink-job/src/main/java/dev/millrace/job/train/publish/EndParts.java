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

  /** Parts that attempts before this one have left. */
  private final List<byte[]> earlier;

  private final List<byte[]> own = new ArrayList<>();

  /** Round of the earlier ones; -1 if there are none. */
  private long round = -1;

  private EndParts(ByteStringState state) throws Exception {
    this.state = state;
    this.earlier = new ArrayList<>(state.get());
    for (PublishedPart part : all()) {
      round = part.round();
    }
  }

  /** Opens the parts of the checkpoint that the job continues from, or none. */
  static EndParts open(StateInitializationContext context) throws Exception {
    return new EndParts(ByteStringState.open(context, STATE));
  }

  /** Returns what there is so far, in the order in which it came. */
  List<PublishedPart> all() throws IOException {
    List<PublishedPart> all = new ArrayList<>();
    for (byte[] part : together()) {
      all.add(PublishedPart.WIRE.read(new DataInputStream(new ByteArrayInputStream(part))));
    }
    return all;
  }

  private List<byte[]> together() {
    List<byte[]> all = new ArrayList<>(earlier);
    all.addAll(own);
    return all;
  }

  /** Keeps a part, if it is of the last model. */
  void keep(PublishedPart part) throws IOException {
    if (part.trigger().kind() == PublicationTrigger.Kind.END) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      PublishedPart.WIRE.write(part, new DataOutputStream(bytes));
      own.add(bytes.toByteArray());
    }
  }

  /** Whether attempts before this one left parts of a round before this one. */
  boolean areOlderThan(long other) {
    return !earlier.isEmpty() && round < other;
  }

  /** Keeps none of those that attempts before this one have left. */
  void forgetEarlier() {
    earlier.clear();
  }

  /** Saves all of it for the checkpoint that is being taken. */
  void save() throws Exception {
    state.set(together());
  }
}
