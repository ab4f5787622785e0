package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * The build isn't the parent of the bill of materials, so nothing but this keeps its versions the
 * same.
 */
class BomTest {

  private static final Element BUILD = pom("../../../pom.xml");
  private static final Element BOM = pom("../../dist/bom/pom.xml");
  private static final Element EXAMPLE = pom("../../examples/embedded/pom.xml");

  @Test
  void itsVersionsAreThoseOfTheBuild() {
    String version = children(BUILD).get("version").getTextContent();

    assertThat(children(BOM).get("version").getTextContent()).isEqualTo(version);
    assertThat(properties(EXAMPLE)).containsEntry("millrace.version", version);
    assertThat(properties(BUILD)).containsAllEntriesOf(properties(BOM));
  }

  private static Map<String, String> properties(Element pom) {
    Map<String, String> properties = new LinkedHashMap<>();
    children(children(pom).get("properties"))
        .forEach((name, value) -> properties.put(name, value.getTextContent()));
    return properties;
  }

  private static Map<String, Element> children(Element parent) {
    Map<String, Element> children = new LinkedHashMap<>();
    NodeList nodes = parent.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      Node node = nodes.item(i);
      if (node instanceof Element element) {
        children.put(element.getTagName(), element);
      }
    }
    return children;
  }

  private static Element pom(String place) {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(Path.of(place).toFile())
          .getDocumentElement();
    } catch (Exception e) {
      throw new IllegalStateException(place, e);
    }
  }
}
