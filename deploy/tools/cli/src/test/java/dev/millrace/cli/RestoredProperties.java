package dev.millrace.cli;

import java.util.Properties;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * After each test sets the JVM's properties back, which commands change for a JVM of their own: a
 * later test would write its files to a directory that is gone, or to the home.
 */
public final class RestoredProperties implements BeforeEachCallback, AfterEachCallback {

  private Properties before;

  @Override
  public void beforeEach(ExtensionContext context) {
    before = (Properties) System.getProperties().clone();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    System.setProperties(before);
  }
}
