package dev.millrace.exchange.steering;

/** Makes {@link CoordinatorHook#NONE}. */
record NoSteeringFactory() implements CoordinatorHookFactory {

  @Override
  public CoordinatorHook hook() {
    return CoordinatorHook.NONE;
  }

  @Override
  public ExampleSignals signals() {
    return ExampleSignals.NOTHING;
  }
}
