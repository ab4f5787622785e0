package dev.millrace.dl4j.spark;

import dev.millrace.dl4j.options.NoMeaning;
import java.util.List;
import org.apache.flink.annotation.PublicEvolving;

/**
 * The network of machines that share gradients, as programs describe it to DL4J. Flink connects
 * machines here, so each setting is taken, and the log says once that nothing needs it.
 */
@PublicEvolving
public final class VoidConfiguration {

  private VoidConfiguration() {}

  /** Begins one. */
  public static VoidConfigurationBuilder builder() {
    return new VoidConfigurationBuilder();
  }

  /** Takes settings. */
  @PublicEvolving
  public static final class VoidConfigurationBuilder {

    private VoidConfigurationBuilder() {}

    private VoidConfigurationBuilder unneeded(String setting) {
      NoMeaning.say("VoidConfiguration." + setting, "Flink connects the machines.");
      return this;
    }

    /** Returns the configuration. */
    public VoidConfiguration build() {
      return new VoidConfiguration();
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder unicastPort(int port) {
      return unneeded("unicastPort");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder multicastPort(int port) {
      return unneeded("multicastPort");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder streamId(int id) {
      return unneeded("streamId");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder numberOfShards(int count) {
      return unneeded("numberOfShards");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder executionMode(ExecutionMode mode) {
      return unneeded("executionMode");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder shardAddresses(List<String> addresses) {
      return unneeded("shardAddresses");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder backupAddresses(List<String> addresses) {
      return unneeded("backupAddresses");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder transportType(TransportType type) {
      return unneeded("transportType");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder meshBuildMode(MeshBuildMode mode) {
      return unneeded("meshBuildMode");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder networkMask(String mask) {
      return unneeded("networkMask");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder multicastNetwork(String address) {
      return unneeded("multicastNetwork");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder multicastInterface(String name) {
      return unneeded("multicastInterface");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder ttl(int hops) {
      return unneeded("ttl");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder forcedRole(NodeRole role) {
      return unneeded("forcedRole");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder useHS(boolean used) {
      return unneeded("useHS");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder useNS(boolean used) {
      return unneeded("useNS");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder retransmitTimeout(long millis) {
      return unneeded("retransmitTimeout");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder responseTimeframe(long millis) {
      return unneeded("responseTimeframe");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder responseTimeout(long millis) {
      return unneeded("responseTimeout");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder chunksBufferSize(long bytes) {
      return unneeded("chunksBufferSize");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder maxChunkSize(int bytes) {
      return unneeded("maxChunkSize");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder maxFailuresPerNode(int count) {
      return unneeded("maxFailuresPerNode");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder controllerAddress(String address) {
      return unneeded("controllerAddress");
    }

    /** Changes nothing. */
    public VoidConfigurationBuilder portSupplier(PortSupplier supplier) {
      return unneeded("portSupplier");
    }
  }
}
