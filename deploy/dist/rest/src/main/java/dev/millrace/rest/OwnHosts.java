package dev.millrace.rest;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.shaded.guava33.com.google.common.net.HostAndPort;
import org.apache.flink.shaded.guava33.com.google.common.net.InetAddresses;

/**
 * The names that a JobManager answers to. A web page can have its own domain's name lead to any
 * address (DNS rebinding), but can't own a number, a name without a point, or a name that the
 * configuration has.
 */
final class OwnHosts {

  /** Further names, such as that of a proxy in front of the JobManager. */
  static final ConfigOption<List<String>> HOSTS =
      ConfigOptions.key("millrace.rest.hosts").stringType().asList().defaultValues();

  private static final ConfigOption<String> CLUSTER_ID =
      ConfigOptions.key("kubernetes.cluster-id").stringType().noDefaultValue();

  private static final ConfigOption<String> NAMESPACE =
      ConfigOptions.key("kubernetes.namespace").stringType().defaultValue("default");

  private final Set<String> names;

  private OwnHosts(Set<String> names) {
    this.names = names;
  }

  static OwnHosts of(Configuration flink) {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    names.addAll(flink.get(HOSTS));
    flink.getOptional(RestOptions.ADDRESS).ifPresent(names::add);
    flink.getOptional(JobManagerOptions.ADDRESS).ifPresent(names::add);
    // On Kubernetes the operator asks the cluster's service, by its name and that of its namespace.
    flink
        .getOptional(CLUSTER_ID)
        .map(id -> "%s-rest.%s".formatted(id, flink.get(NAMESPACE)))
        .ifPresent(service -> addService(service, names));
    return new OwnHosts(names);
  }

  /** Adds whole names: whoever has a domain can have one in it that begins as a service's does. */
  private static void addService(String service, Set<String> names) {
    names.add(service);
    names.add(service + ".svc");
    names.add(service + ".svc.cluster.local");
  }

  /**
   * Whether a request for this host is for the JobManager.
   *
   * @param header the value of {@code Host}, with a port or without
   */
  boolean include(String header) {
    String host;
    try {
      host = HostAndPort.fromString(header).getHost();
    } catch (IllegalArgumentException e) {
      return false;
    }
    boolean isPlain = !host.isEmpty() && !host.contains(".");
    return isPlain || InetAddresses.isInetAddress(host) || names.contains(host);
  }
}
