package dev.millrace.simulate.task;

import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.exchange.feedback.SimulatedProcess;
import java.util.function.BooleanSupplier;

/** Work of a task that may wait in the middle: until the task is poked, or for a mail. */
final class Pauses {

  private final SimulatedProcess process;
  private Fiber fiber;
  private boolean poked;
  private boolean takesMail;

  Pauses(SimulatedProcess process) {
    this.process = process;
  }

  /** Whether some work isn't done. */
  boolean isBusy() {
    return fiber != null;
  }

  /** Whether there is something that the work may wait for. */
  boolean mayGoOn(boolean hasMail) {
    return poked || (hasMail && takesMail);
  }

  /** Something has happened that it may wait for. */
  void poke() {
    poked = true;
  }

  /** Nothing has. */
  void forget() {
    poked = false;
  }

  /** Begins work; called when there is none. */
  void begin(Fiber.Work work) throws Exception {
    takesMail = false;
    fiber =
        new Fiber(
            () -> {
              ReplicaLinks.simulate(process);
              work.run();
            });
    goOn();
  }

  /** Goes on with it, until it waits or is done. */
  void goOn() throws Exception {
    poked = false;
    Fiber current = fiber;
    boolean done;
    try {
      done = current.resume();
    } catch (Exception e) {
      fiber = null;
      throw e;
    }
    if (done && fiber == current) {
      fiber = null;
    }
  }

  /** Waits; called by the work. */
  void awaitUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      await();
    }
  }

  /** Waits for a mail, maybe in vain; called by the work. */
  void awaitMail() {
    takesMail = true;
    await();
    takesMail = false;
  }

  private void await() {
    if (fiber == null) {
      throw new IllegalStateException("A task waits where it must not");
    }
    fiber.pause();
  }

  /** Ends the work where it waits. */
  void abandon() {
    if (fiber != null) {
      Fiber left = fiber;
      fiber = null;
      left.abandon();
    }
  }
}
