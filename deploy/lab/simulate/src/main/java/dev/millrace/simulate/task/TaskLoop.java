package dev.millrace.simulate.task;

import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.exchange.feedback.SimulatedProcess;
import dev.millrace.simulate.time.Timeline;

/**
 * A task's thread in virtual time: it does one thing after another, mails first. What it is at
 * takes the time that is spent meanwhile.
 */
final class TaskLoop {

  /** The task whose loop it is. */
  interface Owner {

    /** A mail is about to be done. */
    void mail();

    /**
     * Does what is next, as there is no mail.
     *
     * @return whether there was something
     */
    boolean step() throws Exception;

    /** Something it was at has failed. */
    void failed(Exception cause);
  }

  private final SimulatedProcess process;
  private final Timeline timeline;
  private final Owner owner;
  private final Pauses pauses;
  private final Mailbox mailbox;
  private boolean alive;
  private boolean stopped;
  private boolean waking;
  private long busyUntil;
  private long spent;

  TaskLoop(SimulatedProcess process, Timeline timeline, Owner owner) {
    this.process = process;
    this.timeline = timeline;
    this.owner = owner;
    this.pauses = new Pauses(process);
    this.mailbox = new Mailbox(this::wake, pauses::awaitMail);
  }

  Mailbox mailbox() {
    return mailbox;
  }

  Pauses pauses() {
    return pauses;
  }

  /** Returns the task's own time, in microseconds. */
  long micros() {
    return timeline.now() + spent;
  }

  void spend(long micros) {
    spent += micros;
  }

  /** It does nothing for so long. */
  void stall(long micros) {
    busyUntil = Math.max(busyUntil, timeline.now()) + micros;
  }

  void begin() {
    alive = true;
  }

  /** Nothing new is begun; what is being done goes on. */
  void stop() {
    stopped = true;
  }

  /** Nothing is done any more. */
  void end() {
    alive = false;
  }

  boolean isAlive() {
    return alive;
  }

  /** Whether something new may be begun. */
  boolean isOpen() {
    return alive && !stopped;
  }

  /** Drops mails, and what waits. */
  void abandon() {
    mailbox.close();
    pauses.abandon();
  }

  /** Has it look whether what it waits for has come. */
  void poke() {
    pauses.poke();
    wake();
  }

  void wake() {
    if (alive && !waking) {
      waking = true;
      timeline.at(busyUntil, this::work);
    }
  }

  /** The run's thread is the task's from now on. */
  void enter() {
    ReplicaLinks.simulate(process);
    spent = 0;
  }

  /** Does work that may wait. */
  void run(Fiber.Work work) {
    try {
      pauses.begin(work);
      wake();
    } catch (Exception e) {
      owner.failed(e);
    }
  }

  private void work() {
    waking = false;
    if (!alive) {
      return;
    }
    if (timeline.now() < busyUntil) {
      wake();
      return;
    }
    enter();
    try {
      while (alive && spent == 0 && workOnce()) {
        // Until it takes time, or nothing is left.
      }
    } catch (Exception e) {
      owner.failed(e);
    }
    busyUntil = Math.max(busyUntil, timeline.now() + spent);
    boolean more = spent > 0;
    spent = 0;
    if (more) {
      wake();
    }
  }

  private boolean workOnce() throws Exception {
    if (pauses.isBusy()) {
      if (!pauses.mayGoOn(mailbox.hasForWork())) {
        return false;
      }
      pauses.goOn();
      return true;
    }
    pauses.forget();
    if (stopped) {
      return false;
    }
    if (!mailbox.isEmpty()) {
      owner.mail();
      mailbox.runOne();
      return true;
    }
    return owner.step();
  }
}
