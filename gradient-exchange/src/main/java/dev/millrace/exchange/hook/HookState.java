package dev.millrace.exchange.hook;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/** What checkpoints keep of a hook. It is saved and restored by the replica's thread. */
public sealed interface HookState {

  /** Returns a name that no other hook's state has; part of every savepoint. */
  String name();

  /** Parts that replicas share: when their number changes, each part goes to one of them. */
  non-sealed interface Shared extends HookState {

    /** Returns all that is kept, in parts of about the same size that stay as they are. */
    List<byte[]> save() throws IOException;

    /** Continues from parts that were saved, by this replica or by others. */
    void restore(List<byte[]> saved) throws IOException;
  }

  /** One state of each replica: a replica that had none begins with another one's. */
  non-sealed interface Own extends HookState {

    /** Writes what was saved, on any thread, and any number of times. */
    @FunctionalInterface
    interface Saved {

      void write(DataOutput out) throws IOException;
    }

    /**
     * Saves what is kept as it is now.
     *
     * @param replica number of this one
     */
    Saved save(int replica);

    /**
     * Continues from what was saved.
     *
     * @param replica number of this one, which may be another one than that of who saved it
     * @param in is read up to the end of what {@link Saved#write} wrote
     */
    void restore(int replica, DataInput in) throws IOException;
  }
}
