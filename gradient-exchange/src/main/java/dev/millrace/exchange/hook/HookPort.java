package dev.millrace.exchange.hook;

/**
 * The way from a hook to its own part of the job, beside the exchange. What comes back is given to
 * {@link ReplicaHook#accept(HookMessage)}. Belongs to the replica's thread.
 */
public interface HookPort {

  /** A port of a replica that has no job around it. */
  HookPort NONE =
      new HookPort() {
        @Override
        public void send(HookMessage message) {
          throw new IllegalStateException("Nobody takes a hook's messages here");
        }

        @Override
        public String home() {
          throw new IllegalStateException("Nobody sends messages to a hook here");
        }
      };

  /**
   * Sends a message. It takes its place among the replica's own messages and before or behind a
   * checkpoint's barrier as they do.
   */
  void send(HookMessage message);

  /** Names this replica, for answers. It is known once the replica may train. */
  String home();
}
