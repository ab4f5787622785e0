package dev.millrace.exchange.feedback;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the tasks of a process find the {@link ReplicaLink}s of its replicas. Each link has a name
 * of its own, its home, which the replica tells coordinator and exchange; so a dead attempt, of
 * this job or of another JobManager's, can't reach a new one.
 */
public final class ReplicaLinks {

  /** Names this process, and this class loader in it: links reach no further. */
  private static final String PROCESS = UUID.randomUUID().toString();

  private static final String SEPARATOR = "/";

  private static final Map<String, ReplicaLink> LINKS = new ConcurrentHashMap<>();

  /** Which process a thread says that it is in; none for the real one. */
  private static final ThreadLocal<SimulatedProcess> SIMULATED = new ThreadLocal<>();

  private ReplicaLinks() {}

  /**
   * Has the calling thread be in a process that is simulated, so that several are in one; null for
   * the real one. Links of other processes aren't found then.
   */
  public static void simulate(SimulatedProcess process) {
    SIMULATED.set(process);
  }

  /** A new link, which is found until it is {@linkplain #close closed}. */
  public static ReplicaLink open() {
    SimulatedProcess simulated = SIMULATED.get();
    ReplicaLink link =
        new ReplicaLink(
            simulated == null
                ? PROCESS + SEPARATOR + UUID.randomUUID()
                : simulated.name() + SEPARATOR + simulated.next());
    LINKS.put(link.home(), link);
    return link;
  }

  public static void close(ReplicaLink link) {
    LINKS.remove(link.home());
  }

  /** The link with that home; null if it isn't in this process, or no more. */
  public static ReplicaLink find(String home) {
    return SIMULATED.get() == null || isHere(home) ? LINKS.get(home) : null;
  }

  /** The process that a home is in. */
  public static String process(String home) {
    return home.substring(0, home.indexOf(SEPARATOR));
  }

  public static boolean isHere(String home) {
    SimulatedProcess simulated = SIMULATED.get();
    return process(home).equals(simulated == null ? PROCESS : simulated.name());
  }

  /** Links in use in this process. */
  public static int inUse() {
    return LINKS.size();
  }
}
