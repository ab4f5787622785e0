package dev.millrace.http;

/** Why a server closed a connection before its client did. */
public enum Cut {
  /** The headers of a request took too long. */
  HEADERS("the headers of a request took too long"),
  /** A request wasn't sent, answered and its answer taken in time. */
  REQUEST("a request wasn't done in time, or its answer not taken"),
  /** Others needed the room, and it had waited longest. */
  ROOM("there were too many, and these waited for longest or came last");

  private final String reason;

  Cut(String reason) {
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
