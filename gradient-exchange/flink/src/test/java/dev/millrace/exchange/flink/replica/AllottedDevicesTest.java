package dev.millrace.exchange.flink.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.externalresource.ExternalResourceInfo;
import org.junit.jupiter.api.Test;

class AllottedDevicesTest {

  @Test
  void areWhatTheDiscoveryScriptPrinted() {
    Set<ExternalResourceInfo> resources =
        Set.of(new Resource(Map.of("index", "3")), new Resource(Map.of("index", " 1 ")));

    assertThat(AllottedDevices.names(resources)).containsExactly("1", "3");
  }

  @Test
  void areNoneWhereFlinkHasNoSuchResource() {
    assertThat(AllottedDevices.names(Set.of())).isEmpty();
    assertThat(AllottedDevices.names(List.of(new Resource(Map.of("memory", "8"))))).isEmpty();
  }

  private record Resource(Map<String, String> properties) implements ExternalResourceInfo {

    @Override
    public Optional<String> getProperty(String key) {
      return Optional.ofNullable(properties.get(key));
    }

    @Override
    public Collection<String> getKeys() {
      return properties.keySet();
    }
  }
}
