package dev.millrace.exchange.hook;

/** A message from a hook to its own part of the job, or from there to the hook. */
public interface HookMessage {

  /** Names the hook; no other one has its name. */
  String hook();
}
