package dev.millrace.kafka;

import dev.millrace.local.broker.LocalBroker;
import java.nio.file.Path;

/** Starts a broker, prints the broker's pid, and waits to be killed. */
final class BrokerParent {

  private BrokerParent() {}

  public static void main(String[] args) throws Exception {
    LocalBroker.start(args[0], Path.of(args[1]));
    ProcessHandle.current()
        .children()
        .forEach(child -> System.out.println("broker " + child.pid()));
    Thread.currentThread().join();
  }
}
