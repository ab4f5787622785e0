package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.publication.PublicationPlan;
import java.io.Serializable;

/**
 * Which models go to the publisher, and as what.
 *
 * @param plan which ones
 * @param generations which generations others have used
 */
public record PublicationSettings(PublicationPlan plan, UsedGenerations generations)
    implements Serializable {}
