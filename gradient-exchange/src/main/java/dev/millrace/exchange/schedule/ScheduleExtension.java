package dev.millrace.exchange.schedule;

import dev.millrace.extension.Extension;

/** Schedules of somebody else's, for {@code exchange.schedule}. */
public interface ScheduleExtension extends Extension<Schedule> {}
