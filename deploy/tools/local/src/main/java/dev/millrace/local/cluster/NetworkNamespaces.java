package dev.millrace.local.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Machines on one machine: network namespaces, with links to this one and to each other, so that
 * links can be cut. TaskManager n is on host n. Needs root and {@code ip}; gone when closed.
 */
public final class NetworkNamespaces implements Hosts, Closeable {

  /** Stands in names and addresses, to be apart from others, such as what a killed run has left. */
  private final int number = ThreadLocalRandom.current().nextInt(256);

  private final String prefix = String.format(Locale.ROOT, "mr%03d", number);
  private final String network = "10.231.%s.".formatted(number);
  private final int hosts;
  private int made;

  /** The hosts are numbered from 1. */
  public NetworkNamespaces(int hosts) throws IOException {
    this.hosts = hosts;
    try {
      run("ip", "link", "add", bridge(), "type", "bridge");
      run("ip", "address", "add", main() + "/24", "dev", bridge());
      run("ip", "link", "set", bridge(), "up");
      for (int host = 1; host <= hosts; host++) {
        make(host);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Whether this user may make network namespaces: needs root and {@code ip}. */
  public static boolean arePossible() {
    String name = "mr-probe-" + ThreadLocalRandom.current().nextInt(1_000_000);
    try {
      run("ip", "netns", "add", name);
      run("ip", "netns", "delete", name);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void make(int host) throws IOException {
    run("ip", "netns", "add", name(host));
    made = host;
    run(
        "ip",
        "link",
        "add",
        link(host),
        "type",
        "veth",
        "peer",
        "name",
        "eth0",
        "netns",
        name(host));
    run("ip", "link", "set", link(host), "master", bridge(), "up");
    inside(host, "ip", "address", "add", address(host) + "/24", "dev", "eth0");
    inside(host, "ip", "link", "set", "eth0", "up");
    inside(host, "ip", "link", "set", "lo", "up");
  }

  private String address(int host) {
    return network + (10 + host);
  }

  /** This machine's address, as the hosts see it. */
  @Override
  public String main() {
    return network + 1;
  }

  @Override
  public String of(String taskManager) {
    return address(host(taskManager));
  }

  @Override
  public List<String> on(String taskManager, List<String> command) {
    return on(host(taskManager), command);
  }

  private static int host(String taskManager) {
    return Integer.parseInt(taskManager.substring(taskManager.lastIndexOf('-') + 1));
  }

  private List<String> on(int host, List<String> command) {
    List<String> there = new ArrayList<>(List.of("ip", "netns", "exec", name(host)));
    there.addAll(command);
    return there;
  }

  /** Unplugs a TaskManager's host. */
  public void cut(String taskManager) throws IOException {
    run("ip", "link", "set", link(host(taskManager)), "down");
  }

  public void mend(String taskManager) throws IOException {
    run("ip", "link", "set", link(host(taskManager)), "up");
  }

  private String bridge() {
    return prefix + "br";
  }

  private String name(int host) {
    return prefix + "-" + host;
  }

  private String link(int host) {
    return prefix + "v" + host;
  }

  private void inside(int host, String... command) throws IOException {
    run(on(host, List.of(command)).toArray(String[]::new));
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    // Its output has ended, and so has it.
    int status = process.onExit().join().exitValue();
    if (status != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
  }

  @Override
  public void close() throws IOException {
    for (int host = 1; host <= Math.min(hosts, made); host++) {
      // Its link goes with it.
      run("ip", "netns", "delete", name(host));
    }
    run("ip", "link", "delete", bridge());
  }
}
