package dev.millrace.dl4j.options;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builder methods of DL4J that nothing here needs: they are taken, and the log says so once. */
public final class NoMeaning {

  private static final Logger LOG = LoggerFactory.getLogger(NoMeaning.class);
  private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

  private NoMeaning() {}

  /** Says it once in a process, for each method. */
  public static void say(String method, String why) {
    if (SAID.add(method)) {
      LOG.info("{} has no meaning here: {}", method, why);
    }
  }
}
