/** Where the time of training went, from the timelines among metric records. */
package dev.millrace.cli.timeline;
