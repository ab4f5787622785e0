package dev.millrace.exchange.hook;

/** What a hook sends to its own part of the job, or is sent from there. */
public interface HookMessage {

  /** Names the hook; no other one has its name. */
  String hook();
}
