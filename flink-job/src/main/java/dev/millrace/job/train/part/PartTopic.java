package dev.millrace.job.train.part;

import org.apache.flink.configuration.ConfigOption;

/**
 * A compacted topic that a part writes to.
 *
 * @param option that names it
 * @param content what it holds, for messages: {@code rows}
 * @param one of them: {@code a row}
 * @param partitions of a new topic
 * @param lasting whether readers rely on all of it, also on what an earlier job has written
 */
public record PartTopic(
    ConfigOption<String> option, String content, String one, int partitions, boolean lasting) {}
