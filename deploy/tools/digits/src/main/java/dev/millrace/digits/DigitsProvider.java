package dev.millrace.digits;

import dev.millrace.file.DataSpec;
import dev.millrace.file.DataSpecProvider;

/** Reads {@code digits:COUNT[,SEED]}. */
public final class DigitsProvider implements DataSpecProvider {

  @Override
  public String kind() {
    return Digits.KIND;
  }

  @Override
  public DataSpec parse(String rest) {
    return Digits.parse(rest);
  }
}
